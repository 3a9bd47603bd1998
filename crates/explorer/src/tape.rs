//! What the kernel records.

use fusee_kernel::{Record, Sink};

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
