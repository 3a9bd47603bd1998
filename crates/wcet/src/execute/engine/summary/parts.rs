//! Iterations of a loop in parts of one longest time.

use crate::execute::path::{Exit, Path};
use crate::execute::ways::Visit;

/// Some iterations one after the other.
pub(super) struct Part {
    pub(super) iterations: u64,
    /// The longest time of each, and the way that takes it.
    pub(super) time: u64,
    pub(super) way: Vec<Visit>,
}

/// The paths that leave a loop, with the iterations behind them, from the first to the last.
pub(super) struct Left<T> {
    pub(super) paths: Vec<(Exit, Path<T>)>,
    pub(super) behind: (u64, u64),
}

/// Iterations that are to be divided in halves.
pub(super) struct Halved {
    /// The first and the last of them.
    pub(super) span: (u64, u64),
    /// All of them as one part.
    pub(super) whole: Part,
    /// The number of times that they may still be divided.
    pub(super) deep: u32,
}

/// Iterations behind paths that leave their loop.
pub(super) struct Passed<'p> {
    pub(super) parts: &'p [Part],
    /// The time of all of them.
    pub(super) total: u64,
    /// `true` if the last of them is the one in which the paths leave.
    pub(super) early: bool,
}
