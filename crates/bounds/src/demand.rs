//! The cost of one run of a body.

use fusee_model::NotificationId;

use crate::amount::Amount;
use crate::body::BodyRef;

/// The cost of one run of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Demand {
    /// Execution in components.
    pub(crate) execution: Amount,
    /// The time of kernel paths.
    pub(crate) kernel: Amount,
    /// Waiting for other cores.
    pub(crate) waiting: Amount,
    /// A body in it that waits for an event, and the event.
    pub(crate) waits: Option<(BodyRef, NotificationId)>,
}

impl Demand {
    pub(crate) const NONE: Demand = Demand {
        execution: Amount::ZERO,
        kernel: Amount::ZERO,
        waiting: Amount::ZERO,
        waits: None,
    };

    /// Execution, kernel time and waiting together.
    pub(crate) fn total(&self) -> Amount {
        self.execution.plus(self.kernel).plus(self.waiting)
    }

    /// Kernel time alone.
    pub(crate) fn of_kernel(kernel: Amount) -> Self {
        Demand { kernel, ..Demand::NONE }
    }

    /// Returns the sum of both demands.
    pub(crate) fn plus(mut self, other: Demand) -> Self {
        self.add(other);
        self
    }

    /// So many times the same.
    pub(crate) fn times(self, count: u64) -> Self {
        Demand {
            execution: self.execution.times(count),
            kernel: self.kernel.times(count),
            waiting: self.waiting.times(count),
            waits: self.waits,
        }
    }

    pub(crate) fn add(&mut self, other: Demand) {
        self.execution = self.execution.plus(other.execution);
        self.kernel = self.kernel.plus(other.kernel);
        self.waiting = self.waiting.plus(other.waiting);
        // One wait of unknown length is enough to leave a body without a bound, so one place is
        // kept.
        self.waits = self.waits.or(other.waits);
    }
}
