//! Fetching on while a load waits for its line, or a division goes on.
//!
//! With a bus of its own, fetching does not stop when they do: the few
//! instructions that are between them and the fetch are looked up in the cache
//! meanwhile, and the first of them that misses has its line on the way. So its
//! miss costs less by the time for which they have kept the pipeline.
//!
//! Nothing is saved where it may not be: only misses that are no debt of a cache
//! count (else a time that was paid could be saved as well), they must be
//! followed by what stands behind them, without a jump and without a guess that
//! one is taken, and an instruction that waits keeps the next one from being
//! looked up. A load that hits although a miss was counted leaves time to spare,
//! at least as much as is saved.
//!
//! However long the pipeline was kept, only the loading of the line went on: the
//! instruction itself is looked up again when the pipeline moves. So a miss keeps
//! a few cycles of its own.
//!
//! Nor is anything saved close behind a load that is done again because of a store:
//! what misses there is loaded before the load itself is done, and what is slow
//! behind it begins only then (see `again.rs`).

use super::{Pipeline, Timing};
use crate::machine::description::Memory;

/// Cycles of a miss that are never saved.
///
/// The line and what is slow may begin apart, and behind both the instruction is fetched again.
pub(super) const SKEW: u32 = 4;

/// The time for which the next instructions may have been fetched already.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Ahead {
    cycles: u32,
    /// The number of instructions for which it matters.
    left: u32,
}

impl Ahead {
    /// Behind a load that waits for a line.
    pub(super) fn behind(memory: &Memory) -> Self {
        Self {
            cycles: memory.line.saturating_sub(SKEW),
            // On a bus that is shared nothing is fetched while a load waits for it.
            left: if memory.separate_buses { memory.fetched_ahead } else { 0 },
        }
    }

    /// Behind a division, which keeps an earlier stage than a load does.
    pub(super) fn behind_division(memory: &Memory, cycles: u32) -> Self {
        let behind = Self::behind(memory);
        Self {
            // No more than the loading of a line can be saved, however long the division goes on.
            cycles: cycles.saturating_sub(SKEW).min(behind.cycles),
            left: behind.left.saturating_sub(1),
        }
    }

    /// The time that a miss saves; once.
    pub(super) fn take(&mut self) -> u32 {
        let saved = if self.left > 0 { self.cycles } else { 0 };
        // Only the first line that is missing is on its way meanwhile.
        *self = Self::default();
        saved
    }

    /// An instruction is issued at once, and the next one is fetched behind it.
    pub(super) fn pass(&mut self) {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            self.end();
        }
    }

    /// Says that the next fetch was not looked up before.
    pub(super) fn end(&mut self) {
        *self = Self::default();
    }

    /// Returns what is saved on both ways.
    pub(super) fn meet(self, other: Self) -> Self {
        let both = Self { cycles: self.cycles.min(other.cycles), left: self.left.min(other.left) };
        // That nothing is saved is written in one way, so that equal states look equal.
        if both.cycles == 0 || both.left == 0 { Self::default() } else { both }
    }

    /// Returns whether this saves no more than the other, whatever follows.
    pub(super) fn saves_no_more(self, other: Self) -> bool {
        self.cycles <= other.cycles && self.left <= other.left
    }
}

impl Pipeline<'_> {
    /// Returns the time that a miss saves, at most all of it.
    pub(super) fn saved(&self, timing: &mut Timing) -> u32 {
        let saved = timing.ahead.take().min(self.description.memory.line);
        if timing.again.behind_stores() > 0 { 0 } else { saved }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::description::built_in;

    #[test]
    fn saves_once_and_only_close_behind_the_load() {
        let ahead = |left| Ahead { cycles: 12, left };
        let mut behind = ahead(2);
        behind.pass();
        assert_eq!((behind.take(), behind.take()), (12, 0));
        let mut behind = ahead(2);
        behind.pass();
        behind.pass();
        assert_eq!(behind, Ahead::default());
        let mut behind = ahead(4);
        behind.end();
        assert_eq!(behind.take(), 0);
        assert_eq!(ahead(3).meet(Ahead::default()), Ahead::default());
        assert!(Ahead::default().saves_no_more(ahead(1)) && !ahead(2).saves_no_more(ahead(1)));
    }

    #[test]
    fn a_miss_keeps_what_is_behind_the_loading_of_its_line() {
        let memory =
            |wait_states| built_in("vexriscv", wait_states).expect("it is built in").memory;
        let saved = |wait_states| Ahead::behind_division(&memory(wait_states), 34).take();
        assert_eq!((saved(0), saved(10)), (12 - SKEW, 34 - SKEW));
    }
}
