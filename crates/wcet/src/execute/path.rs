//! Paths of an execution, and where they wait within a call.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::tally::Tally;
use super::ways::Way;
use crate::flow::Function;
use crate::state::State;
use crate::value::Value;

/// A state, how long it took to get there at most, and by which way.
#[derive(Clone)]
pub(super) struct Path<T> {
    pub(super) state: State,
    pub(super) timing: T,
    pub(super) time: u64,
    pub(super) way: Way,
    /// True if it begins where the kernel looks for interrupts.
    pub(super) resumed: bool,
    /// Its part in facts across regions.
    pub(super) tally: Tally,
}

/// A call in progress.
pub(super) struct Frame<T> {
    pub(super) function: Rc<Function>,
    /// Paths that have arrived at a block and not gone on.
    pub(super) waiting: Vec<Vec<Path<T>>>,
    /// The number of paths that have arrived at each block so far.
    pub(super) arrived: Vec<u64>,
    /// The number of paths that have returned so far.
    pub(super) gone: u64,
    /// Paths that have returned.
    pub(super) returned: Vec<Path<T>>,
    /// The address to which a return must lead.
    pub(super) return_address: Value,
}

impl<T> Frame<T> {
    /// Returns a call for these paths.
    pub(super) fn new(function: Rc<Function>, paths: Vec<Path<T>>, return_address: Value) -> Self {
        let mut waiting: Vec<Vec<Path<T>>> =
            (0..function.blocks.len()).map(|_| Vec::new()).collect();
        // No path waits elsewhere: a function is entered only at its first instruction.
        if let Some(start) = function.block_at(function.entry) {
            waiting[start] = paths;
        }
        let arrived = vec![0; function.blocks.len()];
        Self { function, waiting, arrived, gone: 0, returned: Vec::new(), return_address }
    }
}

/// A reason why an execution ended before its end.
pub(super) enum Stop {
    /// A computed jump leads somewhere new; the flow must be found again.
    NewTargets(u64, BTreeSet<u64>),
    /// The effort is used up.
    Exhausted,
}

/// The place to which a path leaves a loop.
#[derive(Debug, Clone, Copy)]
pub(super) enum Exit {
    /// A block behind it.
    Block(usize),
    /// It goes back to the caller.
    Return,
    /// The kernel, for good.
    End,
    /// The caller of a function with so many calls under way around it: it ends those in between.
    Unwound(usize),
}

/// The result of one iteration of a loop.
pub(super) struct Iteration<T> {
    /// Paths that begin another one.
    pub(super) back: Vec<Path<T>>,
    /// Paths that leave the loop.
    pub(super) left: Vec<(Exit, Path<T>)>,
}
