//! A step that the kernel has taken, with all that came of it.

use fusee_kernel::{FixedPriority, Outcome, Policy, Record, Sink, Tables, Time};

use crate::{Step, Store};

/// What the kernel recorded during a step.
#[derive(Debug, Clone, Default)]
pub struct Tape {
    /// In order.
    pub records: Vec<Record>,
}

impl Sink for Tape {
    fn record(&mut self, record: Record) {
        self.records.push(record);
    }
}

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
