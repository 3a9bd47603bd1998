//! A task whose jobs a busy window of a level contains.

use fusee_analysis::fixed_priority::window::Arrivals;
use fusee_model::TaskId;

use crate::event_arrivals::Curve;

/// A task at or above the level.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    pub(crate) task: TaskId,
    pub(crate) arrivals: Arrivals,
    /// What is known besides of how events release it.
    pub(crate) signalled: Option<Curve>,
    /// Execution of one job.
    pub(crate) execution: u64,
    /// Kernel time of one job, apart from its release.
    pub(crate) kernel: u64,
    /// Waiting of one job for other cores.
    pub(crate) waiting: u64,
    /// What one job waits for events, and how often, where that counts in windows of others: under
    /// earliest deadline.
    pub(crate) awaited: u64,
    pub(crate) suspensions: u64,
    /// Whether its budget may cut its jobs, so that any of them can be under way at any time.
    pub(crate) cut: bool,
}

impl Member {
    /// One that takes so much of the core with each arrival, whatever its jobs need: any of these
    /// can be under way at any time.
    pub(crate) fn cut(task: TaskId, (arrivals, execution): (Arrivals, u64), kernel: u64) -> Self {
        Self {
            task,
            arrivals,
            signalled: None,
            execution,
            kernel,
            waiting: 0,
            awaited: 0,
            suspensions: 0,
            cut: true,
        }
    }

    /// How many of its jobs are in an open window, at most.
    pub(crate) fn within(&self, window: u64) -> Option<u64> {
        jobs_within((self.arrivals, self.signalled.as_ref()), window)
    }

    /// The share of a core that it needs, rounded down.
    pub(crate) fn share(&self) -> u128 {
        let Some(total) = self.total() else { return u128::MAX >> 8 };
        match &self.signalled {
            Some(curve) => curve.share(total.into()),
            None => (u128::from(total) << 32) / u128::from(self.arrivals.period),
        }
    }

    /// What one job takes of a window.
    pub(crate) fn total(&self) -> Option<u64> {
        let of_core = self.execution.checked_add(self.kernel)?.checked_add(self.waiting)?;
        of_core.checked_add(self.awaited)
    }
}

/// How many jobs are in an open window, at most, of which so much is known by their arrivals and
/// perhaps by events.
pub(crate) fn jobs_within(
    (arrivals, signalled): (Arrivals, Option<&Curve>),
    window: u64,
) -> Option<u64> {
    let jobs = arrivals.within(window)?;
    match signalled {
        Some(curve) => Some(jobs.min(curve.within(window.checked_add(arrivals.jitter)?))),
        None => Some(jobs),
    }
}
