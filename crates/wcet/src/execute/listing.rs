//! Once there is no bound any more: what else stands in its way, and soon.
//!
//! Behind the first obstacle an execution goes on to find the others, so that one
//! run names those of all functions that are reached. No bound follows from it any
//! more, so it may guess: a loop gets a small part of the effort, and a function
//! that was executed a few times already is taken to return what it returned. What
//! rests on a guess is marked as such, and ends in no bound.

use std::collections::BTreeMap;

use super::engine::{Engine, Path, Settled};
use crate::machine::Machine;
use crate::value::{Base, Range, Value};
use fusee_isa::language::Register;

/// The part of the effort that one loop may take, and one function that calls itself.
const SHARE: u64 = 64;
/// Part of the effort for all that is listed behind the first obstacle.
const REST: u64 = 8;
/// Functions are executed so often before what they return is guessed.
const CALLS: u64 = 2;
/// Functions of fewer blocks are executed every time.
const SHORT: u64 = 64;
/// A function that is under way so often may have no end.
const DEEP: usize = 3;

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Kind {
    /// A bound, and if there is none, what stands in its way.
    #[default]
    Bound,
    /// Only what stands in its way.
    Obstacles,
}

/// What is known where obstacles are listed.
#[derive(Default)]
pub(super) struct Listing {
    kind: Kind,
    /// Blocks executed in loops that were given up, and to sum up rounds in vain.
    wasted: u64,
    /// What functions came to, by their entry.
    calls: BTreeMap<u64, Called>,
    /// The work when the outermost call of a function began.
    began: BTreeMap<u64, u64>,
}

/// What executions of a function came to.
#[derive(Default)]
struct Called {
    times: u64,
    /// The most blocks.
    blocks: u64,
    /// The numbers that result registers held; nothing where none came back.
    results: Option<Vec<Range>>,
}

impl Listing {
    /// Nothing is known yet.
    pub(super) fn new(kind: Kind) -> Self {
        Self { kind, ..Self::default() }
    }
}

impl<M: Machine> Engine<'_, M> {
    /// Whether no bound can follow any more.
    pub(super) fn only_lists(&self) -> bool {
        !self.is_kernel()
            && (self.listing.kind == Kind::Obstacles || !self.findings.obstacles.is_empty())
    }

    /// The work that counts: without that in loops that were given up, and for guesses that were
    /// wrong.
    pub(super) fn useful(&self) -> u64 {
        self.blocks - self.listing.wasted
    }

    /// What was done since then was for a loop that is given up, or a guess that was wrong.
    pub(super) fn waste(&mut self, since: u64) {
        self.listing.wasted += self.useful().saturating_sub(since);
    }

    /// With the first obstacle the rest of the effort is no longer for a bound.
    pub(super) fn leave_rest(&mut self) {
        if self.trials == 0 && !self.is_kernel() {
            self.limit = self.limit.min(self.blocks.saturating_add(self.effort.blocks / REST));
        }
    }

    /// Whether a loop has taken more than its share of the effort.
    pub(super) fn is_long(&self, spent: u64) -> bool {
        self.only_lists() && spent > self.effort.blocks / SHARE
    }

    /// Whether a function that is under way so often has taken more than its share of the effort.
    pub(super) fn recurs_long(&self, entry: u64, active: usize) -> bool {
        let began = self.listing.began.get(&entry).copied().unwrap_or(u64::MAX);
        active >= DEEP && self.is_long(self.useful().saturating_sub(began))
    }

    /// A function that is not under way is called; gives the work so far.
    pub(super) fn begins(&mut self, entry: u64) -> u64 {
        let now = self.useful();
        if !self.calls.contains(&entry) {
            self.listing.began.insert(entry, now);
        }
        now
    }

    /// A function has come back from a call that began then.
    pub(super) fn came_back(&mut self, entry: u64, since: u64, paths: &[Path<M::Timing>]) {
        if !self.only_lists() {
            return;
        }
        let blocks = self.useful().saturating_sub(since);
        let results = self.results(paths);
        let called = self.listing.calls.entry(entry).or_default();
        called.times += 1;
        called.blocks = called.blocks.max(blocks);
        called.results = match (called.results.take(), results) {
            (Some(old), Some(new)) => {
                Some(old.into_iter().zip(new).map(|(old, new)| old.join(new)).collect())
            }
            (old, new) => old.or(new),
        };
    }

    /// The numbers that result registers hold on any of the paths.
    fn results(&self, paths: &[Path<M::Timing>]) -> Option<Vec<Range>> {
        let registers = self.program.architecture().results();
        let on = |path: &Path<M::Timing>| -> Vec<Range> {
            registers.iter().map(|&register| path.state.numbers(path.state.get(register))).collect()
        };
        let join = |old: Vec<Range>, new: Vec<Range>| {
            old.into_iter().zip(new).map(|(old, new)| old.join(new)).collect()
        };
        paths.iter().map(on).reduce(join)
    }

    /// What a call comes to that is not worth another execution; nothing where it is.
    pub(super) fn guessed(
        &mut self,
        entry: u64,
        paths: &mut Vec<Path<M::Timing>>,
    ) -> Option<Vec<Path<M::Timing>>> {
        if !self.only_lists() {
            return None;
        }
        let called = self.listing.calls.get(&entry)?;
        if called.times < CALLS || called.blocks < SHORT {
            return None;
        }
        let results = called.results.clone();
        let mut paths = self.behind(std::mem::take(paths));
        let Some(results) = results else { return Some(Vec::new()) };
        let registers: Vec<Register> = self.program.architecture().results();
        for path in &mut paths {
            for (&register, &range) in registers.iter().zip(&results) {
                path.state.set(register, Value { base: Base::None, range });
            }
        }
        Some(paths)
    }

    /// Says that something was only guessed, where nothing else does.
    pub(super) fn admit_guesses(&mut self) {
        if self.findings.is_guessing && self.findings.is_clear() {
            let what = format!(
                "after {} blocks there is no end of what is done for this function",
                self.effort.blocks
            );
            self.obstacle(self.first, what, Settled::Nothing);
        }
    }
}
