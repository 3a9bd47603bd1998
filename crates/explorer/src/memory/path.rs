//! The path of a core, as far as it is known.

use super::op::Op;

/// The end of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// The last operation's answer is missing.
    Asks,
    /// The last answer was not what is waited for.
    Again,
    /// The code is at its end.
    Done,
}

/// A core's operations with given answers.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Path {
    pub(super) ops: Vec<Op>,
    pub(super) notes: Vec<u32>,
    pub(super) end: End,
}

impl Path {
    /// Returns the operation that gives the answer of this number.
    pub(super) fn asks(&self, answer: usize) -> Option<usize> {
        let mut asking = self.ops.iter().enumerate().filter(|(_, op)| op.answers());
        asking.nth(answer).map(|(at, _)| at)
    }
}
