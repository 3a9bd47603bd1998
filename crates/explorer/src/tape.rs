//! The records that the kernel makes.

use fusee_kernel::{Record, Sink};

/// The records that the kernel made during a step.
#[derive(Debug, Clone, Default)]
pub struct Tape {
    /// The records in order.
    pub records: Vec<Record>,
    /// `true` if the machine found nobody to take an interrupt.
    pub(crate) is_stray: bool,
}

impl Sink for Tape {
    fn record(&mut self, record: Record) {
        self.records.push(record);
    }
}
