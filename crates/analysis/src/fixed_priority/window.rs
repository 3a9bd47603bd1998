//! The busy window: where the demand catches up with the time.
//!
//! A level-i busy window starts when the last job of at least i's priority that
//! was released before has completed, and lasts while such jobs are pending. Its
//! length is the least fixpoint of the demand in it. The demand is a function
//! given by the caller, who may put in it whatever grows with the window:
//! interference, blocking, a kernel's interrupts.
//!
//! Nothing here depends on the order in which pending jobs of that level are
//! served; so it covers any treatment of equal priorities.

use crate::effort;

/// The arrivals of one source's jobs: at least `period` apart, delayed by up to `jitter`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Arrivals {
    /// Period or minimum inter-arrival time; not 0.
    pub period: u64,
    /// Longest delay from arrival to release.
    pub jitter: u64,
}

impl Arrivals {
    /// The most releases in a window: ceil((w + J) / T); `None` when w + J does not fit.
    pub fn within(self, window: u64) -> Option<u64> {
        Some(window.checked_add(self.jitter)?.div_ceil(self.period))
    }
}

/// The largest response time, and where it was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Response {
    /// From arrival (before jitter) to completion.
    pub time: u64,
    /// The number of the job in the busy window, from 0.
    pub job: u64,
    /// Length of the window up to that job's completion.
    pub window: u64,
}

/// The distance to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Horizon {
    /// The longest window.
    pub window: u64,
    /// Most jobs of one busy window.
    pub jobs: u64,
}

impl Horizon {
    /// Up to the end of the clock, but not more than a million jobs.
    pub const FAR: Horizon = Horizon { window: u64::MAX, jobs: 1_000_000 };
}

/// The least window w >= `start` with `demand(w) <= w`.
///
/// `demand` must not fall when the window grows. `None`: the demand does not fit
/// a `u64`, the window would exceed `limit`, or it was not found in [`MOST_STEPS`].
pub fn least_window(
    start: u64,
    limit: u64,
    mut demand: impl FnMut(u64) -> Option<u64>,
) -> Option<u64> {
    let mut window = start;
    for _ in 0..MOST_STEPS {
        if window > limit || !effort::step() {
            return None;
        }
        let needed = demand(window)?;
        if needed <= window {
            return Some(window);
        }
        window = needed;
    }
    None
}

/// Steps after which a window counts as unbounded; only loads of all but 1 and times of millions of
/// periods need more.
pub const MOST_STEPS: u32 = 1_000_000;

/// The largest response time of a task whose window demand is `demand(jobs, window)`.
///
/// The demand of a busy window in which `jobs` jobs of the task are served. For
/// each job q: w(q) = least w with demand(q + 1, w) <= w, R = max of w(q) + J - qT,
/// until w(q) <= (q + 1)T - J: then the window ends before the next release
/// (Lehoczky 1990; Tindell, Burns, Wellings 1994).
pub fn response_time(
    own: Arrivals,
    horizon: Horizon,
    mut demand: impl FnMut(u64, u64) -> Option<u64>,
) -> Option<Response> {
    let mut worst: Option<Response> = None;
    let mut window = 0;
    for job in 0..horizon.jobs {
        window = least_window(window, horizon.window, |w| demand(job + 1, w))?;
        let earlier = job.checked_mul(own.period)?;
        let time = window.checked_add(own.jitter)?.saturating_sub(earlier);
        if worst.is_none_or(|w| time > w.time) {
            worst = Some(Response { time, job, window });
        }
        let next = earlier.checked_add(own.period)?;
        if window.checked_add(own.jitter)? <= next {
            return worst;
        }
    }
    None
}
