//! Guesses, where no bound follows any more.

use super::Engine;
use super::mode::Mode;
use crate::execute::listing::{Kind, joined};
use crate::execute::path::Path;
use crate::machine::Machine;
use crate::value::{Base, Range, Value};
use fusee_isa::language::Register;

/// The part of the effort that one loop may take, and one function that calls itself.
const SHARE: u64 = 256;
/// Part of the effort for all that is listed behind the first obstacle.
const REST: u64 = 8;
/// A function that is under way so often may have no end.
pub(super) const DEEP: usize = 3;

impl<M: Machine, K: Mode> Engine<'_, M, K> {
    /// Returns whether no bound can follow any more.
    pub(super) fn only_lists(&self) -> bool {
        K::GUESSES && (self.listing.kind == Kind::Obstacles || !self.findings.obstacles.is_empty())
    }

    /// Returns whether iterations are executed one by one, for nothing but a bound.
    pub(super) fn counts(&self) -> bool {
        self.listing.kind == Kind::Count
    }

    /// Returns whether functions that are called again are summed up whatever they touch.
    pub(super) fn is_rough(&self) -> bool {
        self.listing.kind == Kind::Rough
    }

    /// With the first obstacle the rest of the effort is no longer for a bound.
    pub(super) fn leave_rest(&mut self) {
        // An obstacle in a trial may come from the guess, and goes away with the trial.
        if self.loops.trials == 0 && self.summaries.alone.is_none() && K::GUESSES {
            // These executions are for nothing but a bound, so the first obstacle ends them.
            let is_for_bounds = self.counts() || self.is_rough();
            let rest = if is_for_bounds { 0 } else { self.work.effort.blocks / REST };
            self.work.leave_of_all(rest);
        }
    }

    /// Returns whether a loop has taken more than its share of the effort.
    pub(super) fn is_long(&self, spent: u64) -> bool {
        self.only_lists() && spent > self.work.effort.blocks / SHARE
    }

    /// Returns whether a function that is under way so often has taken more than its share of the
    /// effort.
    pub(super) fn recurs_long(&self, entry: u64, active: usize) -> bool {
        let began = self.listing.began(entry);
        active >= DEEP && self.is_long(self.work.useful().saturating_sub(began))
    }

    /// A function that is not under way is called; gives the work so far.
    pub(super) fn begins(&mut self, entry: u64) -> u64 {
        let now = self.work.useful();
        // Calls within the outermost one are a part of its work.
        if !self.calls.contains(&entry) {
            self.listing.begin(entry, now);
        }
        now
    }

    /// A function has come back from a call that began then.
    pub(super) fn came_back(&mut self, entry: u64, since: u64, paths: &[Path<M::Timing>]) {
        if !self.only_lists() {
            return;
        }
        let blocks = self.work.useful().saturating_sub(since);
        self.listing.came_back(entry, blocks, self.results(paths));
    }

    /// Returns the numbers that result registers hold on any of the paths.
    fn results(&self, paths: &[Path<M::Timing>]) -> Option<Vec<Range>> {
        let registers = self.subject.setting.architecture().results();
        let on = |path: &Path<M::Timing>| -> Vec<Range> {
            registers.iter().map(|&register| path.state.numbers(path.state.get(register))).collect()
        };
        paths.iter().map(on).reduce(joined)
    }

    /// Returns what a call comes to that is not worth another execution; nothing where it is.
    pub(super) fn guessed(
        &mut self,
        entry: u64,
        paths: &mut Vec<Path<M::Timing>>,
    ) -> Option<Vec<Path<M::Timing>>> {
        if !self.only_lists() {
            return None;
        }
        let results = self.listing.guess(entry)?;
        // These results are only those that were seen so far, so `behind` marks the paths as
        // guesses.
        let mut paths = self.behind(std::mem::take(paths));
        // It has never come back before, so no path is taken to come back now.
        let Some(results) = results else { return Some(Vec::new()) };
        let registers: Vec<Register> = self.subject.setting.architecture().results();
        for path in &mut paths {
            for (&register, &range) in registers.iter().zip(&results) {
                path.state.set(register, Value { base: Base::None, range });
            }
        }
        Some(paths)
    }

    /// Says that something was only guessed, where nothing else does.
    pub(super) fn admit_guesses(&mut self) {
        // A guess without an obstacle would look like a bound.
        if self.findings.is_guessing && self.findings.is_clear() {
            let deep = |&(_, &most): &(&u64, &u64)| most > DEEP as u64;
            let deepest =
                self.findings.recursions.iter().filter(deep).max_by_key(|&(_, most)| most);
            let deepest = deepest.map(|(&function, _)| function);
            self.say_no_end((deepest, self.entry.at), self.work.effort.blocks);
        }
    }
}
