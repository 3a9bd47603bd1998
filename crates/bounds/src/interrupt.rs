//! Interrupts of one kind, and how they arrive.

use fusee_analysis::fixed_priority::window::Arrivals;
use fusee_model::Task;

use crate::amount::Amount;

/// Interrupts of one kind, with what each costs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Interrupt {
    /// The core that they interrupt.
    pub(crate) core: u32,
    pub(crate) arrivals: Arrivals,
    pub(crate) cost: Amount,
    /// The number of times that it takes the core from a task.
    pub(crate) times: u64,
}

impl Interrupt {
    /// Returns the cost of all that come in a window of some length, at so much each.
    pub(crate) fn within(&self, window: Amount, cost: Amount) -> Amount {
        // An interrupt may come at the very instant at which an empty window begins.
        let count = window.0.and_then(|window| self.arrivals.within(window.max(1)));
        count.map_or(Amount(None), |count| cost.times(count))
    }
}

/// Returns the arrivals of a task's jobs; a task without release has one job, once.
pub(crate) fn arrivals(task: &Task) -> Arrivals {
    match &task.release {
        Some(release) => {
            Arrivals { period: release.period.value.ns().max(1), jitter: release.jitter.value.ns() }
        }
        // A second job would come behind the end of the clock.
        None => Arrivals { period: u64::MAX, jitter: 0 },
    }
}
