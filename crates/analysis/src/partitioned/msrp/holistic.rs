//! MSRP under fixed priorities, requests counted over the whole window.
//!
//! The window of a task starts when the last earlier job of its level ends. The
//! core's own requests in it are those of the jobs released in it, and one more of
//! the lower task that may spin or hold when it starts. Which requests of other
//! cores fit into the window depends on their response times; so all response
//! times are solved together, as the least solution, from below.
//!
//! Besides, each higher job in the window spins for what other cores issue from its
//! own release to its own end at most. Where it is short and the window is long,
//! that is less; for each resource and each other core the smaller of both counts.

use super::classic;
use crate::partitioned::ASSUMPTIONS;
use crate::partitioned::contention::{Contention, longest};
use crate::partitioned::layout::{Access, Layout, LevelWindow};
use crate::partitioned::response::{Asked, Responses, all_met, least_solution, smaller};
use crate::windows::times;
use crate::{Exactness, Family, Metadata, SchedulabilityTest, TaskSet, Verdict};

/// Like [`MsrpClassic`](super::MsrpClassic), but no request of another core counts twice in a
/// window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MsrpHolistic;

/// The data that do not change while the response times of one task are sought.
struct Row {
    /// Requests of one job and of lower tasks, for each global resource that this level or a lower
    /// task uses.
    resources: Vec<Wanted>,
    local_blocking: u64,
}

struct Wanted {
    resource: usize,
    /// The tasks at or above this one that request it, with their counts.
    by: Vec<(usize, u64)>,
    /// The largest of these counts.
    most: u64,
    /// The longest section of a lower local task, if one uses it.
    lower: Option<u64>,
}

fn row(layout: &Layout<'_>, i: usize) -> Row {
    let mut resources: Vec<Wanted> = Vec::new();
    let mut slot = vec![usize::MAX; layout.resources];
    let mut find = |resource: usize, resources: &mut Vec<Wanted>| {
        if slot[resource] == usize::MAX {
            slot[resource] = resources.len();
            resources.push(Wanted { resource, by: Vec::new(), most: 0, lower: None });
        }
        slot[resource]
    };
    for &j in layout.higher(i).iter().chain([&i]) {
        for access in layout.global_accesses(j) {
            let at = find(access.resource, &mut resources);
            resources[at].by.push((j, access.count));
            resources[at].most = resources[at].most.max(access.count);
        }
    }
    for access in layout.lower(i).iter().flat_map(|&l| layout.global_accesses(l)) {
        let at = find(access.resource, &mut resources);
        let longest = resources[at].lower.unwrap_or(0).max(access.length);
        resources[at].lower = Some(longest);
    }
    Row { resources, local_blocking: layout.local_blocking(i) }
}

/// The requests that wait in a window.
struct Fifo<'a>(LevelWindow<'a>);

impl Fifo<'_> {
    /// Returns the waiting of so many requests for the users on another core in a window of this
    /// length.
    fn waiting(&self, users: &[Access], requests: u64, length: u64) -> Contention {
        longest(users, requests, |a| self.0.pending(a, length))
    }

    fn demand(&self, row: &Row) -> u64 {
        let execution = self.0.layout.execution(self.0.task, self.0.length);
        let limits = |wanted: &Wanted, users: &[Access], most: Contention| {
            self.job_by_job(wanted, users, most)
        };
        execution.saturating_add(self.delay(row, limits))
    }

    /// Returns the cost of waiting for another core if each job waits in its own window only; not
    /// looked for beyond `most`.
    fn job_by_job(&self, wanted: &Wanted, users: &[Access], most: Contention) -> Contention {
        let LevelWindow { layout, task: i, length: window, reach } = self.0;
        // Each request of any job can meet one of the longest user, so job by job is no less.
        if wanted.most <= users.first().map_or(0, |longest| longest.count) {
            return most;
        }
        if let [(only, _)] = wanted.by[..]
            && only == i
        {
            return most;
        }
        let waiting = |requests, window| self.waiting(users, requests, window).total;
        let limit = most.total.saturating_add(most.one_more);
        let mut total = 0_u64;
        for &(j, count) in &wanted.by {
            let own_window = reach[j].saturating_sub(layout.tasks[j].jitter);
            let of_job = if i == j { window } else { own_window };
            total = total.saturating_add(times(self.0.releases(j), waiting(count, of_job)));
            if total >= limit {
                return most;
            }
        }
        let with_lower =
            total.saturating_add(waiting(u64::from(wanted.lower.is_some()), window)).min(limit);
        let total = total.min(most.total);
        Contention { total, one_more: with_lower - total }
    }

    /// All waiting in it, and what blocks at its start; `limits` has the last word on each
    /// resource and other core.
    fn delay(
        &self,
        row: &Row,
        limits: impl Fn(&Wanted, &[Access], Contention) -> Contention,
    ) -> u64 {
        let core = self.0.core();
        let mut sum = 0_u64;
        let mut blocking = row.local_blocking;
        for wanted in &row.resources {
            let count = |total: u64, &(j, n): &(usize, u64)| {
                total.saturating_add(times(self.0.releases(j), n))
            };
            let requests = wanted.by.iter().fold(0, count);
            let mut one_more = 0_u64;
            let others = self.0.layout.users_by_core(wanted.resource);
            for users in others.filter(|users| users[0].core != core) {
                let waiting = limits(wanted, users, self.waiting(users, requests, self.0.length));
                sum = sum.saturating_add(waiting.total);
                one_more = one_more.saturating_add(waiting.one_more);
            }
            if let Some(length) = wanted.lower {
                blocking = blocking.max(length.saturating_add(one_more));
            }
        }
        sum.saturating_add(blocking)
    }
}

/// Returns the delay that FIFO spin locks add to a task in a window: the optimum of the linear
/// program of Wieder and Brandenburg 2013.
///
/// `reach`: for each task, a bound on its response time. Interference is not in it.
/// `None`: there is no such task, or not one bound for each task.
pub fn fifo_spin_delay(set: &TaskSet, task: usize, window: u64, reach: &[u64]) -> Option<u64> {
    if task >= set.tasks().len() || reach.len() != set.tasks().len() {
        return None;
    }
    let layout = Layout::new(set);
    let window = Fifo(LevelWindow { layout: &layout, task, length: window, reach });
    Some(window.delay(&row(&layout, task), |_, _, waiting| waiting))
}

pub(super) fn responses(layout: &Layout<'_>, asked: Asked) -> Responses {
    let rows: Vec<Row> = (0..layout.tasks.len()).map(|i| row(layout, i)).collect();
    least_solution(layout, asked, |task, length, reach| {
        Fifo(LevelWindow { layout, task, length, reach }).demand(&rows[task])
    })
}

impl SchedulabilityTest for MsrpHolistic {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "msrp-holistic",
            title: "MSRP, requests counted over the window",
            source: "Brandenburg 2011 (holistic); Wieder and Brandenburg 2013 (optimum of the FIFO \
                     program)",
            family: Family::PartitionedFixedPriority,
            assumptions: ASSUMPTIONS,
            exactness: Exactness::Sufficient,
        }
    }

    /// Sets that the classic analysis accepts are accepted without the longer way.
    fn decide(&self, set: &TaskSet) -> Verdict {
        let layout = Layout::new(set);
        Verdict::from_condition(
            classic::accepts(&layout) || all_met(&responses(&layout, Asked::Verdict)),
        )
    }

    fn response_times(&self, set: &TaskSet) -> Option<Responses> {
        let layout = Layout::new(set);
        Some(smaller(responses(&layout, Asked::Bounds), classic::responses(&layout)))
    }
}
