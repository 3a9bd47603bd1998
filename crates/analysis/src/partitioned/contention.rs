//! The time for which other cores keep a core waiting for a FIFO lock.
//!
//! Each request waits for at most one request of every other core, since a core
//! has at most one request in a queue at a time. That alone gives the classic
//! bound: [`Spin`]. Over a window more is known: a request of another core is
//! waited for at most once, and the window holds only so many. So a window with z
//! own requests waits, for each other core, for at most the z longest requests
//! that core can issue in it: [`Contention`]. This is also the optimum of the
//! linear program of Wieder and Brandenburg 2013 for FIFO spin locks: its
//! constraints couple nothing but one resource on one core.

use super::layout::{Access, Layout};
use crate::windows::{jobs, times};

/// The longest wait of one request, by resource and requesting core: the longest section of every
/// other core.
#[derive(Debug)]
pub(crate) struct Spin {
    cores: usize,
    table: Vec<u64>,
}

impl Spin {
    pub(crate) fn new(layout: &Layout<'_>) -> Self {
        let cores = layout.cores;
        let mut table = vec![0; cores * layout.resources];
        for (resource, row) in table.chunks_exact_mut(cores.max(1)).enumerate() {
            let longest =
                || layout.users_by_core(resource).map(|users| (users[0].core, users[0].length));
            let all: u128 = longest().map(|(_, length)| u128::from(length)).sum();
            let saturated = |wait: u128| u64::try_from(wait).unwrap_or(u64::MAX);
            row.fill(saturated(all));
            longest().for_each(|(core, length)| row[core] = saturated(all - u128::from(length)));
        }
        Self { cores, table }
    }

    /// The wait of one such request.
    pub(crate) fn of(&self, access: &Access) -> u64 {
        self.table[access.resource * self.cores + access.core]
    }

    /// The wait of all requests of a job.
    pub(crate) fn of_job(&self, layout: &Layout<'_>, task: usize) -> u64 {
        let accesses = layout.accesses(task).iter();
        accesses.fold(0, |sum: u64, a| sum.saturating_add(times(a.count, self.of(a))))
    }
}

/// The cost of waiting in a window: of all requests counted, and of one more.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Contention {
    /// All requests together.
    pub(crate) total: u64,
    /// The cost that one more request would add.
    pub(crate) one_more: u64,
}

/// Requests of a core for a resource in a window of time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Requests {
    /// The position of the resource.
    pub(crate) resource: usize,
    /// The core that asks.
    pub(crate) core: usize,
    /// The number of requests.
    pub(crate) number: u64,
    /// The length of the window, in ticks.
    pub(crate) window: u64,
}

/// Returns how long requests wait.
///
/// `reach` is, for each task, how long before the window a job may have arrived
/// that still issues requests in it: its response time or a bound on it.
pub(crate) fn contention(
    layout: &Layout<'_>,
    asked: Requests,
    reach: impl Fn(usize) -> u64,
) -> Contention {
    let Requests { resource, core, number, window } = asked;
    let mut sum = Contention::default();
    for users in layout.users_by_core(resource).filter(|users| users[0].core != core) {
        let of_core = longest(users, number, |a| {
            times(jobs(window, reach(a.task), layout.tasks[a.task].period), a.count)
        });
        sum.total = sum.total.saturating_add(of_core.total);
        sum.one_more = sum.one_more.saturating_add(of_core.one_more);
    }
    sum
}

/// The `wanted` longest sections among users sorted by length, and the next one.
pub(crate) fn longest(
    users: &[Access],
    wanted: u64,
    supply: impl Fn(&Access) -> u64,
) -> Contention {
    let mut left = wanted;
    let mut total = 0_u64;
    for access in users {
        let available = supply(access);
        total = total.saturating_add(times(left.min(available), access.length));
        if available > left {
            return Contention { total, one_more: access.length };
        }
        left -= available;
    }
    Contention { total, one_more: 0 }
}

/// Returns the length of the `wanted` longest sections, sorted by length, among those of jobs that
/// are pending some time in a window, each for no longer than its task's `reach`.
pub(crate) fn longest_pending(
    layout: &Layout<'_>,
    sections: &[Access],
    wanted: u64,
    (window, reach): (u64, &[u64]),
) -> u64 {
    let pending = |a: &Access| jobs(window, reach[a.task], layout.tasks[a.task].period);
    longest(sections, wanted, |a| times(pending(a), a.count)).total
}
