//! Suppositions about tasks, until their bounds confirm them.
//!
//! Up to the first instant at which something supposed does not hold all bounds do that rest on
//! it, and by them it does: so what the bounds confirm is true.

use crate::obstacle::Obstacle;

/// The tasks whose budget may end before their job does, or with it, each with the reason.
pub(crate) type Ending = [Option<Obstacle>];

/// The suppositions about all tasks.
#[derive(Clone, Copy)]
pub(crate) struct Supposed<'a> {
    /// The budgets that may end early; all others last.
    pub(crate) ending: &'a Ending,
    /// By task, when each job is over, from its nominal arrival, or why that is unknown. Only where
    /// jobs wait suspended.
    pub(crate) responses: &'a [Result<u64, Obstacle>],
}
