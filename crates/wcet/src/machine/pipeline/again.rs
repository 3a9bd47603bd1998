//! Loads that are done again, and what was fetched behind them before.
//!
//! A load whose line is missing is fetched once more while the line is on its way,
//! and all behind it; so is, at once, a load of what a store right before it has
//! not written yet. By then those behind it have been looked up, along jumps too.
//! The line of one of them may have evicted that of the load, or of another one
//! behind it, though in the order of the program it comes later: that line is
//! missing when it is fetched again, and it evicts the later one, which is loaded
//! once more. Of each load that is done again this can happen anew.
//!
//! While a load waits for its line, the later line's first coming costs nothing.
//! Behind a store nothing waits meanwhile, and it costs a line more. What is slow
//! behind such a load begins when those lines are there, and hides none of them.

use super::ahead::SKEW;
use super::{Pipeline, Timing};
use crate::machine::cache::Shape;
use fusee_isa::language::Instruction;

/// A reason why a load is done again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Why {
    /// Its line may be missing.
    Line,
    /// A store right before it.
    Store,
}

/// A load that may be done again.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Load {
    /// The number of instructions for which it matters, itself included at first.
    left: u32,
    why: Why,
    /// The lines of its own and of those behind it so far.
    lines: Vec<u64>,
}

/// The loads that may be done again, at most one for each number of instructions that are left.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Again(Vec<Load>);

impl Again {
    fn note(&mut self, load: Load) {
        match self.0.iter_mut().find(|known| known.left == load.left) {
            Some(known) => {
                // A store costs a line more, so where both are possible it counts.
                known.why = known.why.max(load.why);
                let unseen: Vec<u64> =
                    load.lines.into_iter().filter(|line| !known.lines.contains(line)).collect();
                known.lines.extend(unseen);
            }
            None => self.0.push(load),
        }
    }

    /// A line is fetched from behind them.
    pub(super) fn fetch(&mut self, line: u64) {
        // All that is fetched as long as the load matters may be fetched again with it.
        for load in self.0.iter_mut().filter(|load| !load.lines.contains(&line)) {
            load.lines.push(line);
        }
    }

    /// An instruction is over.
    pub(super) fn pass(&mut self) {
        self.0.retain_mut(|load| {
            load.left = load.left.saturating_sub(1);
            load.left > 0
        });
    }

    /// Returns how many are done again because of a store.
    pub(super) fn behind_stores(&self) -> u32 {
        self.0.iter().filter(|load| load.why == Why::Store).count() as u32
    }

    /// All that happens again here or there.
    pub(super) fn join(&mut self, other: &Self) {
        other.0.iter().for_each(|load| self.note(load.clone()));
    }

    /// Returns whether nothing happens again there that does not here.
    pub(super) fn includes(&self, other: &Self) -> bool {
        let within = |theirs: &Load| {
            let mine = self.0.iter().find(|mine| mine.left == theirs.left);
            mine.is_some_and(|mine| {
                mine.why >= theirs.why && theirs.lines.iter().all(|line| mine.lines.contains(line))
            })
        };
        other.0.iter().all(within)
    }
}

impl Pipeline<'_> {
    /// Notes a load that may be done again.
    pub(super) fn again(&self, timing: &mut Timing, instruction: &Instruction, why: Why) {
        let ahead = self.description.memory.fetched_ahead;
        if let Some(shape) = self.fetches.as_ref().filter(|_| ahead > 0) {
            // An instruction may lie across the end of a line.
            let (first, last) = (instruction.address, instruction.next_address().wrapping_sub(1));
            let mut lines = vec![shape.line_of(first), shape.line_of(last)];
            lines.dedup();
            timing.again.note(Load { left: ahead.saturating_add(1), why, lines });
        }
    }

    /// Cycles for loading a line again and again that evicts one that is needed before it.
    pub(super) fn evicting(&self, timing: &Timing, shape: &Shape, line: u64) -> u32 {
        let evicts = |load: &&Load| load.lines.iter().any(|&before| shape.compete(before, line));
        // Each of the loads may be done again by itself, so their costs add up.
        timing.again.0.iter().filter(evicts).map(|load| self.once_more(load)).sum()
    }

    /// As [`Self::evicting`], where the line is not known.
    pub(super) fn evicting_any(&self, timing: &Timing) -> u32 {
        timing.again.0.iter().map(|load| self.once_more(load)).sum()
    }

    fn once_more(&self, load: &Load) -> u32 {
        let lines = if load.why == Why::Store { 2 } else { 1 };
        self.description.memory.line.saturating_mul(lines).saturating_add(SKEW)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(left: u32, why: Why, line: u64) -> Load {
        Load { left, why, lines: vec![line] }
    }

    #[test]
    fn matters_for_a_few_instructions() {
        let mut again = Again::default();
        again.note(load(2, Why::Store, 7));
        again.pass();
        assert_eq!(again.behind_stores(), 1);
        again.pass();
        assert_eq!(again, Again::default());
    }

    #[test]
    fn both_ways_are_covered_where_they_meet() {
        let (mut one, mut other) = (Again::default(), Again::default());
        one.note(load(3, Why::Line, 7));
        other.note(load(3, Why::Store, 8));
        other.note(load(2, Why::Line, 8));
        other.fetch(9);
        assert!(!one.includes(&other) && !other.includes(&one));
        let before = one.clone();
        one.join(&other);
        assert!(one.includes(&before) && one.includes(&other) && one.behind_stores() == 1);
    }
}
