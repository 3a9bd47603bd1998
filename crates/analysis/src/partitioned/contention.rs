//! How long the other cores can keep a core waiting for a FIFO lock.
//!
//! Each request waits for at most one request of every other core, since a core
//! has at most one request in a queue at a time. That alone gives the classic
//! bound: [`spin`]. Over a window more is known: a request of another core is
//! waited for at most once, and the window holds only so many. So a window with z
//! own requests waits, for each other core, for at most the z longest requests
//! that core can issue in it: [`Contention`]. This is also the optimum of the
//! linear program of Wieder and Brandenburg 2013 for FIFO spin locks: its
//! constraints couple nothing but one resource on one core.

use super::layout::{Access, Layout};
use super::window::{jobs, times};

/// The longest wait of one request from `core`: the longest section of every other core.
pub(crate) fn spin(layout: &Layout<'_>, resource: usize, core: usize) -> u64 {
    let others = layout.users_by_core(resource).filter(|users| users[0].core != core);
    others.fold(0, |sum: u64, users| sum.saturating_add(users[0].length))
}

/// The sum of a job's waits, when each request waits for all other cores.
pub(crate) fn spin_of_job(layout: &Layout<'_>, task: usize) -> u64 {
    layout
        .global_accesses(task)
        .fold(0, |sum: u64, a| sum.saturating_add(times(a.count, spin(layout, a.resource, layout.tasks[task].core))))
}

/// What waiting costs in a window: of all requests counted, and of one more.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Contention {
    /// All requests together.
    pub(crate) total: u64,
    /// What one more request would add.
    pub(crate) one_more: u64,
}

/// Waiting for `resource` by `requests` requests of `core` in a window.
///
/// `reach` is, for each task, how long before the window a job may have arrived
/// that still issues requests in it: its response time or a bound on it.
pub(crate) fn contention(
    layout: &Layout<'_>,
    resource: usize,
    core: usize,
    requests: u64,
    window: u64,
    reach: impl Fn(usize) -> u64,
) -> Contention {
    let mut sum = Contention::default();
    for users in layout.users_by_core(resource).filter(|users| users[0].core != core) {
        let of_core =
            longest(users, requests, |a| times(jobs(window, reach(a.task), layout.tasks[a.task].period), a.count));
        sum.total = sum.total.saturating_add(of_core.total);
        sum.one_more = sum.one_more.saturating_add(of_core.one_more);
    }
    sum
}

/// The `wanted` longest sections among users sorted by length, and the next one.
fn longest(users: &[Access], wanted: u64, supply: impl Fn(&Access) -> u64) -> Contention {
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
