//! A step that the kernel has taken, with all that came of it.

use fusee_kernel::{FixedPriority, Outcome, Policy, Record, Tables, Time};

use crate::{Step, Store};

/// A step that the kernel has taken.
#[derive(Debug, Clone, Copy)]
pub struct Transition<'s, P: Policy = FixedPriority> {
    /// The tables of the system.
    pub tables: &'s Tables<'s>,
    /// The state before.
    pub before: &'s Store<P>,
    /// The state after.
    pub after: &'s Store<P>,
    /// The instant of the step.
    pub now: Time,
    /// The step that was taken.
    pub step: Step,
    /// The outcome that the kernel returned.
    pub outcome: Outcome,
    /// The records that the kernel made.
    pub records: &'s [Record],
}
