//! The waits of requests at gates between cores, as numbers.

use fusee_model::{GateId, NotificationId, TaskId};

use crate::amount::Amount;
use crate::body::{BodyRef, Unknown};

/// A section of another core's task that a request may have to wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ahead {
    /// The task whose section it is.
    pub(crate) task: TaskId,
    /// The length of the section.
    pub(crate) length: u64,
}

/// The wait of one request of a core at a gate.
#[derive(Debug, Clone, Default)]
pub(crate) struct Wait {
    /// The longest section of each other core that uses the gate.
    pub(crate) ahead: Vec<Ahead>,
    /// A section among them that waits for an event.
    pub(crate) event: Option<(BodyRef, NotificationId)>,
}

impl Wait {
    /// Returns all that is ahead.
    pub(crate) fn total(&self) -> Amount {
        // Each other core has one request at most, and all of them may have asked before.
        self.ahead.iter().fold(Amount::ZERO, |sum, one| sum.plus(Amount(Some(one.length))))
    }

    /// The same behind what another core has ahead as well.
    pub(crate) fn behind(mut self, other: Wait) -> Wait {
        self.event = self.event.or(other.event);
        self.ahead.extend(other.ahead);
        self
    }
}

/// The waits of one core's requests at each gate; empty where no gate is between cores.
#[derive(Debug, Clone, Default)]
pub(crate) struct Waits(pub(crate) Vec<Result<Wait, Unknown>>);

impl Waits {
    /// Returns the wait of a request at a gate.
    pub(crate) fn at(&self, gate: GateId) -> Result<Wait, Unknown> {
        // Where no gate is between cores nothing was collected, and nobody waits.
        self.0.get(gate.index()).cloned().unwrap_or_else(|| Ok(Wait::default()))
    }
}
