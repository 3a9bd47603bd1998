//! A task whose jobs a busy window of a level contains.

use fusee_analysis::fixed_priority::window::Arrivals;
use fusee_model::TaskId;

use crate::clock::Clock;
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
    /// The clock at which it arrives itself.
    pub(crate) clock: Option<Clock>,
    /// `true` if all of its jobs in a window are released in it, as its arrivals say, and nowhere
    /// before.
    pub(crate) is_plain: bool,
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
            clock: None,
            is_plain: false,
        }
    }

    /// Returns the most of its jobs in an open window that begins at a known time.
    pub(crate) fn within_from(&self, start: i128, window: u64) -> Option<u64> {
        let most = self.within(window)?;
        // A job that may be under way when the window begins, or is cut, does not keep to its ticks
        // there.
        if !self.is_plain {
            return Some(most);
        }
        let jitter = self.arrivals.jitter;
        // Who is released in the window may have had its tick as much earlier as its jitter is.
        let (start, window) = (start - i128::from(jitter), window.checked_add(jitter)?);
        let known = self.clock.map(|clock| clock.within(start, window));
        let signalled = self.signalled.as_ref().map(|curve| curve.within_from(start, window));
        Some([known, signalled].into_iter().flatten().fold(most, u64::min))
    }

    /// Returns the clocks that bring its jobs, each with the longest time to their release.
    pub(crate) fn clocks(&self) -> Vec<(Clock, u64)> {
        let mut found: Vec<(Clock, u64)> = Vec::new();
        if self.is_plain {
            let jitter = self.arrivals.jitter;
            found.extend(self.clock.map(|clock| (clock, jitter)));
            self.signalled.iter().for_each(|curve| curve.clocks(jitter, &mut found));
        }
        found
    }

    /// Returns the clock of which each tick brings one of its jobs at most, with the longest time
    /// to its release.
    pub(crate) fn own_clock(&self) -> Option<(Clock, u64)> {
        let jitter = self.arrivals.jitter;
        let own = self.clock.map(|clock| (clock, jitter));
        let by_event = || {
            let (clock, later) = self.signalled.as_ref()?.clock()?;
            Some((clock, later.checked_add(jitter)?))
        };
        own.or_else(by_event).filter(|_| self.is_plain)
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
        // A job that does not fit the clock needs more than any core has.
        let Some(total) = total else { return u128::MAX >> 8 };
        match &self.signalled {
            Some(curve) => curve.share(total.into()),
            // Shares are fractions of 2^32 and rounded down, so that overload is never claimed
            // without being there.
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
        // Both count the same jobs, so the smaller number holds. A release may be late behind its
        // signal, so the signals of a longer window matter.
        Some(curve) => Some(jobs.min(curve.within(window.checked_add(arrivals.jitter)?))),
        None => Some(jobs),
    }
}
