//! Response times of all tasks together, under fixed priorities on each core.
//!
//! Two shapes cover the protocols. Where waiting keeps the core busy, each task's
//! window holds its own demand, one blocking section, and the whole demand of
//! higher local jobs: [`Busy`]. Where waiting suspends, a job that may wait can run
//! later than it would have, so it counts with the jitter R - C (Chen et al. 2019;
//! counting R - C for J repairs what many papers publish), and a task is blocked
//! anew each time it resumes: [`Suspending`].
//!
//! A higher task that never waits counts with its release jitter alone (Chen,
//! Nelissen and Huang 2016). Call such tasks steady. The window of a job starts at
//! the last instant, up to its release, at which no steady job is pending, so every
//! steady job in it is released in it. From there to the release one always is, so
//! lower tasks run what they held or had asked for at the start and nothing else:
//! one section each, as if the job had been released there. Nor does the job's own
//! predecessor run a section in that stretch. For its window bounds more than its
//! end: up to the first instant from there on at which no steady job is pending,
//! what runs is among the same terms; so that instant comes within the bound, which
//! is within the deadline and the period, and so before the next job's release.
//!
//! A job that suspends itself, outside of its sections, is to others like one that
//! waits: it counts with R - C. Its own time S adds to its window, whatever else runs
//! then. Into how many pieces S falls is not known, so how often lower tasks find
//! the core free is not either: of those, all sections of all jobs that are pending
//! in the window count ([`Layout::sections_below`]).

use super::layout::Layout;
use crate::fixed_priority::quick::all_tasks_meet;
use crate::windows::{jobs, least, times};
use crate::{Metadata, SchedulabilityTest, Task, TaskSet, Verdict};

/// A task's bound from arrival to completion, `None` beyond its deadline.
pub(crate) type Responses = Vec<Option<u64>>;

/// Returns `true` if there is a bound for each task; bounds never exceed deadlines.
pub(crate) fn all_met(responses: &[Option<u64>]) -> bool {
    responses.iter().all(Option::is_some)
}

/// The bounds to look for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asked {
    /// The answer if each task has a bound; at the first without, the others need none either.
    Verdict,
    /// The bound of each task that has one.
    Bounds,
}

/// A test that accepts a set if each task has a bound on its response time.
pub(crate) trait ByResponses: Sync {
    /// As in [`SchedulabilityTest::metadata`].
    fn metadata(&self) -> &'static Metadata;

    /// A bound for each task; none where it is not shown to meet its deadline.
    fn response_bounds(&self, set: &TaskSet, asked: Asked) -> Responses;
}

impl<T: ByResponses> SchedulabilityTest for T {
    fn metadata(&self) -> &'static Metadata {
        ByResponses::metadata(self)
    }

    fn decide(&self, set: &TaskSet) -> Verdict {
        Verdict::from_condition(all_met(&self.response_bounds(set, Asked::Verdict)))
    }

    fn response_times(&self, set: &TaskSet) -> Option<Responses> {
        Some(self.response_bounds(set, Asked::Bounds))
    }
}

/// The smaller of two bounds for each task, both of which hold.
pub(crate) fn smaller(one: Responses, other: Responses) -> Responses {
    let both = |(a, b): (Option<u64>, Option<u64>)| a.into_iter().chain(b).min();
    one.into_iter().zip(other).map(both).collect()
}

/// Bounds that rest on all deadlines being met: all of them, or none.
pub(crate) fn all_or_none(mut responses: Responses) -> Responses {
    if !all_met(&responses) {
        responses.fill(None);
    }
    responses
}

/// The sums for a task whose waiting keeps its core busy.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Busy {
    /// Execution and waiting of one job.
    pub(crate) demand: u64,
    /// The longest that lower local tasks hold it up.
    pub(crate) blocking: u64,
}

/// R_i = J_i + w, w = C'_i + B_i + sum over higher local h of ceil((w + J_h) / T_h) C'_h.
pub(crate) fn busy_response_times(layout: &Layout<'_>, terms: &[Busy]) -> Responses {
    let response = |i: usize| {
        let task = &layout.tasks[i];
        let own = terms[i].demand.saturating_add(terms[i].blocking);
        let limit = task.deadline.checked_sub(task.jitter)?;
        let window = least(own, limit, |w| {
            let seen = w.saturating_add(task.beyond());
            layout.higher(i).iter().fold(own, |sum, &h| {
                let releases = jobs(seen, layout.tasks[h].jitter, layout.tasks[h].period);
                sum.saturating_add(times(releases, terms[h].demand))
            })
        })?;
        Some(window + task.jitter)
    };
    (0..layout.tasks.len()).map(response).collect()
}

/// Returns `true` if [`busy_response_times`] has a bound for each task, mostly found without them.
///
/// With waiting as execution and the longest section as blocking term this is plain response-time
/// analysis, so its short ways to a verdict hold here.
pub(crate) fn busy_all_met(layout: &Layout<'_>, terms: &[Busy]) -> bool {
    let plain =
        |(task, term): (&Task, &Busy)| Task { wcet: term.demand, blocking: term.blocking, ..*task };
    let tasks: Vec<Task> = layout.tasks.iter().zip(terms).map(plain).collect();
    let usual = layout.tasks.iter().all(|task| task.wcet > 0);
    let quick = if usual { all_tasks_meet(&tasks) } else { None };
    quick.unwrap_or_else(|| all_met(&busy_response_times(layout, terms)))
}

/// The sums for a task whose waiting suspends it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Suspending {
    /// Execution of one job on its own core.
    pub(crate) execution: u64,
    /// Waiting for resources, suspending itself, and lower local tasks.
    pub(crate) delay: u64,
}

/// R_i = J_i + w, w = C_i + delay_i + sum over higher local h of ceil((w + A_h) / T_h) C_h.
///
/// A_h = R_h - C_h if h may be suspended, otherwise J_h.
/// Of two tasks with equal priority each is higher for the other; then each takes
/// the other's deadline for its response time, which holds if no deadline is missed.
/// `late`: tasks that may miss theirs.
pub(crate) fn suspending_response_times(
    layout: &Layout<'_>,
    terms: &[Suspending],
    late: &[bool],
) -> Responses {
    let mut responses: Responses = vec![None; layout.tasks.len()];
    let mut higher = Vec::new();
    for &i in layout.order.iter().filter(|&&i| !late[i]) {
        let known = Known { responses: &responses, late };
        responses[i] = suspending_response(layout, terms, known, i, &mut higher);
    }
    responses
}

/// A higher task as it interferes.
#[derive(Debug, Clone, Copy)]
struct Higher {
    reach: u64,
    period: u64,
    execution: u64,
}

/// The responses found so far, and the tasks that may miss their deadline.
#[derive(Debug, Clone, Copy)]
struct Known<'a> {
    responses: &'a [Option<u64>],
    late: &'a [bool],
}

/// Returns the response time of task `i`; `higher` is room for the higher tasks.
fn suspending_response(
    layout: &Layout<'_>,
    terms: &[Suspending],
    known: Known<'_>,
    i: usize,
    higher: &mut Vec<Higher>,
) -> Option<u64> {
    let task = &layout.tasks[i];
    let own = terms[i].execution.saturating_add(terms[i].delay);
    let limit = task.deadline.checked_sub(task.jitter)?;
    higher.clear();
    for &h in layout.higher(i) {
        let other = &layout.tasks[h];
        let execution = terms[h].execution;
        let reach = if !layout.may_suspend(h) {
            other.jitter
        } else if other.priority == task.priority && !known.late[h] {
            other.deadline.saturating_sub(execution)
        } else {
            known.responses[h]?.saturating_sub(execution)
        };
        higher.push(Higher { reach, period: other.period, execution });
    }
    let window = least(own, limit, |w| {
        let seen = w.saturating_add(task.beyond());
        let interference = higher.iter().map(|h| times(jobs(seen, h.reach, h.period), h.execution));
        interference.fold(own, u64::saturating_add)
    })?;
    Some(window + task.jitter)
}

/// The least solution of w_i = demand(i, w_i, R) with R_j = J_j + w_j, all tasks together, from
/// below; what a job of no length looks at is one tick longer.
///
/// `demand` must not fall when the window or any response time grows, and not rest on the response
/// time of its own task: it is looked at again only after another one's has grown. A task that is
/// not shown to meet its deadline may be pending for ever: its response time is `u64::MAX` for the
/// others, so those that count its jobs without limit have no bound either.
pub(crate) fn least_solution(
    layout: &Layout<'_>,
    asked: Asked,
    mut demand: impl FnMut(usize, u64, &[u64]) -> u64,
) -> Responses {
    let tasks = layout.tasks;
    let mut reach: Vec<u64> = tasks.iter().map(|t| t.jitter.saturating_add(t.wcet)).collect();
    let (mut version, mut seen) = (1_u64, vec![0_u64; tasks.len()]);
    let mut late = vec![false; tasks.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for &i in &layout.order {
            if seen[i] == version || late[i] {
                continue;
            }
            let task = &tasks[i];
            // A jitter that leaves no number for the rest leaves no window to begin with.
            let start = reach[i].saturating_sub(task.jitter).max(task.wcet);
            let limit = task.deadline.checked_sub(task.jitter);
            let looked = |w: u64| w.saturating_add(task.beyond());
            let window =
                limit.and_then(|limit| least(start, limit, |w| demand(i, looked(w), &reach)));
            late[i] = window.is_none();
            if late[i] && asked == Asked::Verdict {
                return vec![None; tasks.len()];
            }
            if window.is_none_or(|window| window > start) {
                changed = true;
                version += 1;
            }
            seen[i] = version;
            reach[i] = window.map_or(u64::MAX, |window| window + task.jitter);
        }
    }
    reach.into_iter().zip(late).map(|(bound, late)| (!late).then_some(bound)).collect()
}

/// Like [`suspending_response_times`], with a delay that depends on the window and on how long
/// others are pending.
///
/// All response times are solved together, so equal priorities need no deadlines. `late`: whether
/// jobs of a task may be suspended; `delay` as in [`least_solution`].
pub(crate) fn suspending_least_solution(
    layout: &Layout<'_>,
    asked: Asked,
    terms: &[Suspending],
    late: impl Fn(usize) -> bool,
    delay: impl Fn(usize, u64, &[u64]) -> u64,
) -> Responses {
    let late: Vec<bool> = (0..layout.tasks.len()).map(late).collect();
    least_solution(layout, asked, |i, w, reach| {
        let own = terms[i].execution.saturating_add(terms[i].delay);
        let with_higher = layout.higher(i).iter().fold(own, |sum, &h| {
            let (other, execution) = (&layout.tasks[h], terms[h].execution);
            let before = if late[h] { reach[h].saturating_sub(execution) } else { other.jitter };
            sum.saturating_add(times(jobs(w, before, other.period), execution))
        });
        with_higher.saturating_add(delay(i, w, reach))
    })
}
