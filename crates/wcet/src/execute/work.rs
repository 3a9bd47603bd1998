//! The work that an execution has done, and its limit.
//!
//! The measure is the block; what takes as long as one counts as one: more memory
//! to copy, states to compare, instructions to decode.

use super::watch::{Trying, Watch};
use super::{Effort, Obstacle};

/// So many pieces of memory that are known make a block twice the work.
const PIECES: u64 = 64;
/// Comparisons of states that are as much work as a block.
const COMPARISONS: u64 = 8;

/// The work of one execution, in blocks.
pub(super) struct Work<'w> {
    pub(super) effort: Effort,
    /// The watch that sees it from outside.
    watch: Option<&'w Watch>,
    done: u64,
    /// The most blocks before the execution ends.
    limit: u64,
    /// The blocks in loops that were given up, and for sums of loops in vain.
    wasted: u64,
    comparisons: u64,
}

/// The limit that holds again when a loan ends.
pub(super) struct Loan(u64);

impl<'w> Work<'w> {
    /// So much was done before.
    pub(super) fn new(trying: Trying<'w>, done: u64) -> Self {
        let Trying { effort, watch } = trying;
        Self { effort, watch, done, limit: effort.blocks, wasted: 0, comparisons: 0 }
    }

    pub(super) fn done(&self) -> u64 {
        self.done
    }

    pub(super) fn spend(&mut self, blocks: u64) {
        self.done += blocks;
    }

    /// A block is executed on so many pieces of memory; says whether it may be.
    #[must_use]
    pub(super) fn begin_block(&mut self, pieces: usize) -> bool {
        self.done += 1 + pieces as u64 / PIECES;
        self.done <= self.limit && self.watch.is_none_or(Watch::goes_on)
    }

    /// So many pieces of memory are copied for another path.
    pub(super) fn copy(&mut self, pieces: usize) {
        self.done += 2 * pieces as u64 / PIECES;
    }

    /// States are compared with one another.
    pub(super) fn compare(&mut self, states: usize) {
        self.comparisons += states as u64;
        self.done += self.comparisons / COMPARISONS;
        // The rest stays, so that many small comparisons count as well.
        self.comparisons %= COMPARISONS;
    }

    /// Returns the work that counts: without that in loops that were given up, and for guesses that
    /// were wrong.
    pub(super) fn useful(&self) -> u64 {
        self.done - self.wasted
    }

    /// Counts the blocks since then as wasted: they were for a loop that is given up, or for a
    /// wrong guess.
    pub(super) fn waste(&mut self, since: u64) {
        // What loops inside have wasted since is not in it, so nothing is counted twice.
        self.wasted += self.useful().saturating_sub(since);
    }

    /// From now on there may be no more than this.
    pub(super) fn leave(&mut self, blocks: u64) {
        // A grant never adds to what an earlier one has left.
        self.limit = self.limit.min(self.done.saturating_add(blocks));
    }

    /// From now on there may be this, however little of the effort was granted so far.
    pub(super) fn leave_of_all(&mut self, blocks: u64) {
        self.limit = self.effort.blocks.min(self.done.saturating_add(blocks));
    }

    /// A guess may take no more than this.
    pub(super) fn lend(&mut self, blocks: u64) -> Loan {
        let before = Loan(self.limit);
        self.leave(blocks);
        before
    }

    /// Ends a loan; says whether it, and nothing else, was used up.
    pub(super) fn take_back(&mut self, Loan(before): Loan) -> bool {
        // Beyond the limit around, the end is not the loan's alone, and stays an end.
        let used_up = self.done > self.limit && self.done <= before;
        self.limit = before;
        used_up
    }

    /// Returns whether more than so much may be done.
    pub(super) fn leaves(&self, blocks: u64) -> bool {
        self.done.saturating_add(blocks) < self.limit
    }

    /// Shows an obstacle to the watcher.
    pub(super) fn show(&self, obstacle: &Obstacle) {
        if let Some(watch) = self.watch {
            watch.note(obstacle);
        }
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.watch.is_some_and(Watch::is_stopped)
    }
}
