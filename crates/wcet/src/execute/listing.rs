//! Once there is no bound any more: what else stands in its way, and soon.
//!
//! Behind the first obstacle an execution goes on to find the others, so that one
//! run names those of all functions that are reached. No bound follows from it any
//! more, so it may guess: a loop gets a small part of the effort, and a function
//! that was executed a few times already is taken to return what it returned. What
//! rests on a guess is marked as such, and ends in no bound.

use std::collections::BTreeMap;

use crate::value::Range;

/// Functions are executed so often before what they return is guessed.
const CALLS: u64 = 2;
/// Functions of fewer blocks are executed every time.
const SHORT: u64 = 64;

/// The result that is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Kind {
    /// A bound, and if there is none, what stands in its way.
    #[default]
    Bound,
    /// Only what stands in its way.
    Obstacles,
    /// A bound without any loop summed up, or nothing.
    Count,
    /// A bound that takes what a function reads or stores outside of its frame for any number, once
    /// it is called again.
    Rough,
}

/// The results of functions where obstacles are listed.
#[derive(Default)]
pub(super) struct Listing {
    pub(super) kind: Kind,
    /// The results of functions, by their entry.
    calls: BTreeMap<u64, Called>,
    /// The work when the outermost call of a function began.
    began: BTreeMap<u64, u64>,
}

/// The results of executions of a function.
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

    /// The outermost call of a function begins after so much work.
    pub(super) fn begin(&mut self, entry: u64, work: u64) {
        self.began.insert(entry, work);
    }

    /// Returns the work when the outermost call of a function began.
    pub(super) fn began(&self, entry: u64) -> u64 {
        // A function that has not begun has used nothing: work less this number is 0.
        self.began.get(&entry).copied().unwrap_or(u64::MAX)
    }

    /// A function has come back after so many blocks with these results, if it has any.
    pub(super) fn came_back(&mut self, entry: u64, blocks: u64, results: Option<Vec<Range>>) {
        let called = self.calls.entry(entry).or_default();
        called.times += 1;
        called.blocks = called.blocks.max(blocks);
        called.results = match (called.results.take(), results) {
            (Some(old), Some(new)) => Some(joined(old, new)),
            // A call that did not come back adds no results to those of others.
            (old, new) => old.or(new),
        };
    }

    /// Returns what a call comes to that is not worth another execution: its results, if it comes
    /// back; nothing where it is worth one.
    pub(super) fn guess(&self, entry: u64) -> Option<Option<Vec<Range>>> {
        let called = self.calls.get(&entry)?;
        // To execute a short function again costs less than a guess loses.
        (called.times >= CALLS && called.blocks >= SHORT).then(|| called.results.clone())
    }
}

/// The results of two calls as those of either.
pub(super) fn joined(old: Vec<Range>, new: Vec<Range>) -> Vec<Range> {
    old.into_iter().zip(new).map(|(old, new)| old.join(new)).collect()
}
