//! Response-time analysis, for constrained and for arbitrary deadlines.

use super::window::{Arrivals, Horizon, Response, least_window, response_time};
use crate::{Assumption, Exactness, Family, Metadata, SchedulabilityTest, Task, TaskSet, Verdict};

/// Demand of the tasks that interfere with one task.
fn interference(set: &TaskSet, index: usize, window: u64) -> Option<u64> {
    let window = window.checked_add(set.tasks()[index].beyond())?;
    set.interfering(index).try_fold(0_u64, |sum, (_, task)| {
        let releases = Arrivals { period: task.period, jitter: task.jitter }.within(window)?;
        sum.checked_add(releases.checked_mul(task.wcet)?)
    })
}

/// Returns `true` if the utilization of a task and all that interferes with it exceeds 1 for
/// certain.
///
/// Rounded down to multiples of 2^-32, so a "yes" is certain; spares windows that never end.
pub(super) fn surely_overloaded(set: &TaskSet, index: usize) -> bool {
    let scaled = |t: &Task| (u128::from(t.wcet) << 32) / u128::from(t.period);
    let sum = set
        .interfering(index)
        .map(|(_, t)| scaled(t))
        .fold(scaled(&set.tasks()[index]), u128::saturating_add);
    sum > 1 << 32
}

/// R_i = w + J_i with the least w = C_i + B_i + sum of ceil((w + J_h) / T_h) C_h, against D_i.
///
/// Exact for sporadic tasks without blocking; with blocking as good as the blocking terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ResponseTimeAnalysis;

impl ResponseTimeAnalysis {
    /// The response time if it is within the deadline; `None` otherwise.
    pub fn response(&self, set: &TaskSet, index: usize) -> Option<u64> {
        let task = &set.tasks()[index];
        let limit = task.deadline.checked_sub(task.jitter)?;
        let start = task.wcet.checked_add(task.blocking)?;
        let window =
            least_window(start, limit, |w| start.checked_add(interference(set, index, w)?))?;
        Some(window + task.jitter)
    }
}

impl SchedulabilityTest for ResponseTimeAnalysis {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "fp-rta",
            title: "response-time analysis",
            source: "Joseph and Pandya 1986; Audsley et al. 1993 (jitter, blocking)",
            family: Family::FixedPriority,
            assumptions: &[
                Assumption::ConstrainedDeadlines,
                Assumption::NoSuspension,
                Assumption::NoThresholds,
                Assumption::NoResources,
            ],
            exactness: Exactness::Exact,
        }
    }

    fn decide(&self, set: &TaskSet) -> Verdict {
        let meet = super::quick::all_tasks_meet(set.tasks());
        Verdict::from_condition(
            meet.unwrap_or_else(|| (0..set.tasks().len()).all(|i| self.response(set, i).is_some())),
        )
    }

    fn response_times(&self, set: &TaskSet) -> Option<Vec<Option<u64>>> {
        Some((0..set.tasks().len()).map(|i| self.response(set, i)).collect())
    }
}

/// Response times over whole busy periods, for any deadlines.
///
/// The blocking term counts once for each busy period, not once for each job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BusyPeriodAnalysis;

impl BusyPeriodAnalysis {
    /// The response time, whatever the deadline; `None`: unbounded or beyond `horizon`.
    pub fn response(&self, set: &TaskSet, index: usize, horizon: Horizon) -> Option<Response> {
        if surely_overloaded(set, index) {
            return None;
        }
        let task = &set.tasks()[index];
        let own = Arrivals { period: task.period, jitter: task.jitter };
        response_time(own, horizon, |jobs, window| {
            let own = jobs.checked_mul(task.wcet)?.checked_add(task.blocking)?;
            own.checked_add(interference(set, index, window)?)
        })
    }
}

impl SchedulabilityTest for BusyPeriodAnalysis {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "fp-rta-arbitrary",
            title: "busy-period response-time analysis",
            source: "Lehoczky 1990; Tindell, Burns and Wellings 1994",
            family: Family::FixedPriority,
            assumptions: &[
                Assumption::NoSuspension,
                Assumption::NoThresholds,
                Assumption::NoResources,
            ],
            exactness: Exactness::Exact,
        }
    }

    fn decide(&self, set: &TaskSet) -> Verdict {
        Verdict::from_condition((0..set.tasks().len()).all(|i| bounded(set, i).is_some()))
    }

    fn response_times(&self, set: &TaskSet) -> Option<Vec<Option<u64>>> {
        Some(response_bounds(set))
    }
}

/// Response times with blocking terms for any deadlines; `None` where the deadline can be missed.
pub fn response_bounds(set: &TaskSet) -> Vec<Option<u64>> {
    (0..set.tasks().len()).map(|i| bounded(set, i)).collect()
}

/// The response time of a task if it is within the deadline, by the shorter analysis that covers
/// it.
fn bounded(set: &TaskSet, index: usize) -> Option<u64> {
    let task = &set.tasks()[index];
    if task.deadline <= task.period {
        return ResponseTimeAnalysis.response(set, index);
    }
    let response = BusyPeriodAnalysis.response(set, index, Horizon::FAR)?;
    (response.time <= task.deadline).then_some(response.time)
}
