//! A step that the kernel has taken, with all that came of it.

use fusee_kernel::{FixedPriority, Outcome, Policy, Record, Tables, Time};

use crate::{Step, Store};

/// A step that the kernel has taken.
#[derive(Debug, Clone, Copy)]
pub struct Transition<'s, P: Policy = FixedPriority> {
    /// The system.
    pub tables: &'s Tables<'s>,
    /// The state before.
    pub before: &'s Store<P>,
    /// The state after.
    pub after: &'s Store<P>,
    /// When.
    pub now: Time,
    /// What happened.
    pub step: Step,
    /// What the kernel answered.
    pub outcome: Outcome,
    /// What it recorded.
    pub records: &'s [Record],
}
