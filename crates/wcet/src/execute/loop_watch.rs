//! The loops in progress, and what is watched in them.
//!
//! Iterations are counted, branches are watched for a sign that a loop will
//! end, and what was tried to sum loops up is remembered. Nothing here decides
//! what a bound is: it decides what is tried, and when it is no longer.

use std::collections::BTreeMap;

use super::compared::{Approach, Compared, Watched};
use super::prospect::{Prospect, comparable};
use super::work::Work;
use crate::state::State;
use crate::value::Range;
use fusee_isa::language::Operand;

/// Loops within others get at least this part of what a loop may execute iteration by iteration.
const INNER: u64 = 64;
/// A loop that could not be summed up is tried again after so many times its share at most, as a
/// power of two.
const MOST_DOUBLINGS: u32 = 12;

/// A branch: the number of calls under way around it, and its address.
#[derive(Debug, Clone, Copy)]
pub(super) struct Branching {
    pub(super) depth: usize,
    pub(super) address: u64,
}

/// The number of loops in progress.
#[derive(Debug, Clone, Copy)]
pub(super) struct Depth {
    iterations: usize,
    prospects: usize,
}

/// The loops in progress.
#[derive(Default)]
pub(super) struct LoopWatch {
    /// The outermost first: header and iterations so far.
    iterations: Vec<(u64, u64)>,
    /// The comparisons in each of those that no fact ends.
    prospects: Vec<Option<Prospect>>,
    /// The work when the outermost of them began.
    outermost: u64,
    /// The comparisons of a loop's branches, while that is asked.
    pub(super) watched: Option<Watched>,
    /// Comparisons for equality that tell an order in the loop whose iterations are summed up.
    pub(super) approaches: Vec<Approach>,
    /// The number of attempts in vain to sum up a loop, by header.
    in_vain: BTreeMap<u64, u32>,
    /// The number of loops that are being summed up, one inside the other.
    pub(super) trials: u32,
    /// The number of these of which it is still looked for what they are: no time counts then.
    pub(super) sought: u32,
}

impl LoopWatch {
    /// A loop is entered in a function so deep in calls; it is watched if no fact ends it.
    pub(super) fn enter(&mut self, depth: usize, watches: bool, work: &Work<'_>) {
        self.prospects.push(watches.then(|| Prospect::new(depth)));
        // Loops inside have a share in what the outermost one may take, so its beginning counts.
        if self.iterations.is_empty() {
            self.outermost = work.done();
        }
    }

    /// The innermost loop is left.
    pub(super) fn leave(&mut self) {
        self.prospects.pop();
    }

    pub(super) fn begin_iteration(&mut self, header: u64, iteration: u64) {
        self.iterations.push((header, iteration));
    }

    pub(super) fn end_iteration(&mut self) {
        self.iterations.pop();
    }

    /// A single iteration is executed of a loop that is not watched.
    pub(super) fn try_iteration(&mut self, header: u64) {
        self.iterations.push((header, 1));
        self.prospects.push(None);
    }

    pub(super) fn depth(&self) -> Depth {
        Depth { iterations: self.iterations.len(), prospects: self.prospects.len() }
    }

    /// Leaves the loops of an execution that ran out of effort, and has not come back from there.
    pub(super) fn come_back_to(&mut self, depth: Depth) {
        self.iterations.truncate(depth.iterations);
        self.prospects.truncate(depth.prospects);
    }

    /// Returns the headers of the loops in progress, the outermost first.
    pub(super) fn headers(&self) -> impl Iterator<Item = u64> {
        self.iterations.iter().map(|&(header, _)| header)
    }

    /// Returns what is seen of the innermost loop, if it is watched.
    pub(super) fn innermost(&mut self) -> Option<&mut Prospect> {
        self.prospects.last_mut().and_then(Option::as_mut)
    }

    /// Watches how near a branch in the loops around it is to another outcome.
    pub(super) fn note_branch(
        &mut self,
        state: &State,
        branch: Branching,
        (left, right): (Operand, Operand),
    ) {
        let (left, right) = (state.operand(left), state.operand(right));
        if let Some(watched) = &mut self.watched
            && watched.asks(branch.depth, branch.address)
        {
            // With the values, because only their names show which number moves.
            let sides = [(left, state.numbers(left)), (right, state.numbers(right))];
            watched.compared.push(Compared { address: branch.address, sides });
        }
        self.note(branch, comparable(state, (left, right)));
    }

    /// The same for what decides where to, and what it is held against.
    pub(super) fn note(&mut self, branch: Branching, sides: (Range, Range)) {
        // A loop that was entered and has begun no iteration has no number yet, and is last in its
        // list.
        for (prospect, &(_, iteration)) in self.prospects.iter_mut().zip(&self.iterations) {
            if let Some(prospect) = prospect {
                prospect.note((branch.depth, iteration), branch.address, sides);
            }
        }
    }

    /// Returns whether two numbers that a branch finds to differ are in order: the left one below
    /// the right one, or above.
    pub(super) fn in_order(&self, branch: Branching) -> Option<bool> {
        // With other calls around, the same address is another branch.
        let here = |one: &&Approach| one.address == branch.address && one.depth == branch.depth;
        let approach = self.approaches.iter().find(here)?;
        Some((approach.step > 0) == approach.is_left)
    }

    /// Returns how many blocks a loop that begins now may take before its iterations are summed up;
    /// more where that was in vain.
    pub(super) fn share(&self, header: u64, work: &Work<'_>) -> u64 {
        let doublings = self.in_vain.get(&header).copied().unwrap_or(0).min(MOST_DOUBLINGS);
        // What the outermost loop has used up is gone for the loops inside of it.
        let spent = work.done().saturating_sub(self.outermost);
        let share =
            work.effort.iterations.saturating_sub(spent).max(work.effort.iterations / INNER);
        share.saturating_mul(1 << doublings)
    }

    /// It was tried in vain to sum up a loop.
    pub(super) fn failed(&mut self, header: u64) {
        *self.in_vain.entry(header).or_default() += 1;
    }
}
