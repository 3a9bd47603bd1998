//! A task whose jobs a busy window of a level contains.

use fusee_analysis::fixed_priority::window::Arrivals;
use fusee_model::TaskId;

use crate::event_arrivals::Curve;

/// A task at or above the level.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    pub(crate) task: TaskId,
    pub(crate) arrivals: Arrivals,
    /// The further facts about the events that release it.
    pub(crate) signalled: Option<Curve>,
    /// Execution of one job.
    pub(crate) execution: u64,
    /// Kernel time of one job, apart from its release.
    pub(crate) kernel: u64,
    /// Waiting of one job for other cores.
    pub(crate) waiting: u64,
    /// The time that one job waits for events, and how often, where that counts in windows of
    /// others: under earliest deadline.
    pub(crate) awaited: u64,
    pub(crate) suspensions: u64,
    /// `true` if its budget may cut its jobs, so that any of them can be under way at any time.
    pub(crate) cut: bool,
    /// The time that its budget lets it take with each arrival besides, which others count.
    pub(crate) beyond: u64,
    /// The greatest delay with which others see its jobs, which may be under way when a window
    /// starts.
    pub(crate) late: u64,
    /// `true` if it may go on with jobs that are due before all others.
    pub(crate) old_jobs: bool,
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
            beyond: 0,
            late: 0,
            old_jobs: false,
        }
    }

    /// Returns the largest number of its jobs that others see in an open window.
    pub(crate) fn within(&self, window: u64) -> Option<u64> {
        jobs_within((self.to_others()?, self.signalled.as_ref()), window)
    }

    /// Returns the arrivals of its jobs as others see them.
    pub(crate) fn to_others(&self) -> Option<Arrivals> {
        let Arrivals { period, jitter } = self.arrivals;
        Some(Arrivals { period, jitter: jitter.checked_add(self.late)? })
    }

    /// Returns the share of a core that it needs, or that others count, rounded down.
    pub(crate) fn share(&self, to_others: bool) -> u128 {
        let beyond = if to_others { self.beyond } else { 0 };
        let total = self.total().and_then(|total| total.checked_add(beyond));
        let Some(total) = total else { return u128::MAX >> 8 };
        match &self.signalled {
            Some(curve) => curve.share(total.into()),
            None => (u128::from(total) << 32) / u128::from(self.arrivals.period),
        }
    }

    /// Returns the time that one job is said to take of a window.
    pub(crate) fn total(&self) -> Option<u64> {
        let of_core = self.execution.checked_add(self.kernel)?.checked_add(self.waiting)?;
        of_core.checked_add(self.awaited)
    }
}

/// Returns the largest number of jobs in an open window, from their arrivals and perhaps from
/// events.
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
