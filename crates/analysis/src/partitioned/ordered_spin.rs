//! Spin locks that serve by priority, or in no order at all.
//!
//! As under MSRP nothing preempts a job from its request to the end of its
//! section; so the holder always makes progress, and a core has one request out at
//! a time. What differs is who is served next. By priority, a request waits for one
//! lower section, then for every higher request of another core that comes while
//! it waits. In no order, every request of another core may come first.
//!
//! Three limits hold together (after Wieder and Brandenburg 2013). A wait is a fixed
//! point over the requests that come within it; a higher job meets only what comes
//! while it is pending itself; and over a whole window no request of another core is
//! waited for twice, whoever waits. All depend on how long jobs
//! of the others are pending, so all response times are solved together, as the
//! least solution, from below.

use super::ASSUMPTIONS;
use super::layout::{Access, Layout};
use super::response::{Asked, ByResponses, Responses, least_solution};
use crate::windows::{jobs, least, times};
use crate::{Exactness, Family, Metadata, TaskSet};

/// Spin locks that serve the task of highest priority first, in FIFO order among equals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PrioritySpinLock;

/// Spin locks that serve in no known order, as test-and-set locks do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct UnorderedSpinLock;

/// A set under spin locks in some order.
pub(super) struct SpinLocks<'a> {
    pub(super) layout: &'a Layout<'a>,
    pub(super) by_priority: bool,
}

/// The requests of one resource that one kind of request of a core meets.
pub(super) struct Requester {
    pub(super) task: usize,
    /// The number of times that it is issued in the window.
    count: u64,
    /// Requests that come first in one wait, by user of another core; `u64::MAX`: without limit.
    first: Vec<u64>,
    /// The number of requests of each user of another core that all of them meet, in the window.
    most: Vec<u64>,
}

impl Requester {
    /// Requests of a user that come first in all waits.
    fn meets(&self, user: usize) -> u64 {
        times(self.count, self.first[user]).min(self.most[user])
    }
}

impl SpinLocks<'_> {
    /// Returns `true` if the requests of another core may come before an own one again and again.
    fn first(&self, other: &Access, own: usize) -> bool {
        !self.by_priority
            || self.layout.tasks[other.task].priority >= self.layout.tasks[own].priority
    }

    fn others(&self, access: &Access) -> impl Iterator<Item = &Access> + Clone {
        let core = access.core;
        self.layout.users(access.resource).iter().filter(move |a| a.core != core)
    }

    /// Requests of a user of another core that are pending some time in a window.
    fn pending(&self, other: &Access, window: u64, reach: &[u64]) -> u64 {
        times(jobs(window, reach[other.task], self.layout.tasks[other.task].period), other.count)
    }

    /// The users of the same resource on other cores, with all their requests in a window.
    pub(super) fn supply(&self, of: &Access, window: u64, reach: &[u64]) -> Vec<(Access, u64)> {
        self.others(of).map(|a| (*a, self.pending(a, window, reach))).collect()
    }

    /// `pending`: how many jobs make these requests, and how long each can be pending; `None`: it
    /// is pending in all of the window.
    pub(super) fn requester(
        &self,
        access: &Access,
        count: u64,
        pending: Option<(u64, u64)>,
        reach: &[u64],
    ) -> Requester {
        let task = access.task;
        let others = || self.others(access);
        let lower = others().filter(|a| !self.first(a, task)).map(|a| a.length).max().unwrap_or(0);
        // A wait beyond the deadline says nothing; the window's limit still does.
        let wait = least(lower, self.layout.tasks[task].deadline, |b| {
            others().filter(|a| self.first(a, task)).fold(lower, |sum, a| {
                sum.saturating_add(times(self.pending(a, b, reach), a.length))
            })
        });
        let of = |a: &Access| match wait {
            _ if !self.first(a, task) => 0,
            Some(b) => self.pending(a, b, reach),
            None => u64::MAX,
        };
        let most = |a: &Access| match pending {
            Some((jobs, length)) => times(jobs, self.pending(a, length, reach)),
            None => u64::MAX,
        };
        let (first, most) = (others().map(of).collect(), others().map(most).collect());
        Requester { task, count, first, most }
    }

    /// All waiting for one resource in a window; `requesters` by rising priority.
    pub(super) fn waiting(&self, requesters: &[Requester], supply: &[(Access, u64)]) -> u64 {
        let mut left: Vec<u64> = supply.iter().map(|(_, supply)| *supply).collect();
        let mut sum = 0_u64;
        for (user, (access, supply)) in supply.iter().enumerate() {
            let wanted = requesters.iter().fold(0_u64, |sum, r| sum.saturating_add(r.meets(user)));
            let met = wanted.min(*supply);
            left[user] -= met;
            sum = sum.saturating_add(times(met, access.length));
        }
        if !self.by_priority {
            return sum;
        }
        // Of each lower user no more than all who may wait for it meet.
        for (user, (access, _)) in supply.iter().enumerate() {
            let waiting = requesters.iter().filter(|r| !self.first(access, r.task));
            let most = waiting.map(|r| r.count.min(r.most[user])).fold(0, u64::saturating_add);
            left[user] = left[user].min(most);
        }
        // One lower section each. Who is lower than a requester is lower than the next one: the
        // fewest choices first.
        let mut longest: Vec<usize> = (0..supply.len()).collect();
        longest.sort_unstable_by_key(|&user| std::cmp::Reverse(supply[user].0.length));
        for requester in requesters {
            let is_lower = |&&user: &&usize| !self.first(&supply[user].0, requester.task);
            let lower = longest.iter().filter(is_lower);
            // A limit for all lower users together: one for each would make this choice too small.
            let most = lower.clone().fold(0_u64, |s, &user| s.saturating_add(requester.most[user]));
            let mut count = requester.count.min(most);
            for &user in lower {
                let met = count.min(left[user]);
                left[user] -= met;
                count -= met;
                sum = sum.saturating_add(times(met, supply[user].0.length));
            }
        }
        sum
    }

    /// Waiting for one resource, without and with the longest that a lower job adds by its request.
    fn resource(&self, i: usize, window: u64, reach: &[u64], own: &[&Access]) -> (u64, u64) {
        let tasks = self.layout.tasks;
        let supply = self.supply(own[0], window, reach);
        let releases = |j: usize| self.layout.releases(i, j, window);
        let blocks = |a: &&&Access| tasks[a.task].priority < tasks[i].priority;
        let level = own.iter().filter(|a| !blocks(a));
        let of_level = |a: &&Access| {
            let jobs = releases(a.task);
            let pending = reach[a.task].saturating_sub(tasks[a.task].jitter);
            let pending = (a.task != i).then_some((jobs, pending));
            self.requester(a, times(jobs, a.count), pending, reach)
        };
        let mut requesters: Vec<Requester> = level.map(of_level).collect();
        requesters.sort_by_key(|r| tasks[r.task].priority);
        let alone = self.waiting(&requesters, &supply);
        let mut longest = 0;
        for access in own.iter().filter(blocks) {
            requesters.insert(0, self.requester(access, 1, None, reach));
            let more = self.waiting(&requesters, &supply) - alone;
            longest = longest.max(access.length.saturating_add(more));
            requesters.remove(0);
        }
        (alone, longest)
    }

    fn demand(&self, i: usize, window: u64, reach: &[u64], wanted: &[Vec<&Access>]) -> u64 {
        let mut blocking = self.layout.local_blocking(i);
        let mut sum = self.layout.execution(i, window);
        for own in wanted {
            let (waiting, longest) = self.resource(i, window, reach, own);
            sum = sum.saturating_add(waiting);
            blocking = blocking.max(longest);
        }
        sum.saturating_add(blocking)
    }

    fn responses(&self, asked: Asked) -> Responses {
        let wanted = self.layout.global_users_of_cores();
        least_solution(self.layout, asked, |i, w, reach| {
            self.demand(i, w, reach, &wanted[self.layout.tasks[i].core])
        })
    }
}

fn by_priority(set: &TaskSet, asked: Asked) -> Responses {
    SpinLocks { layout: &Layout::new(set), by_priority: true }.responses(asked)
}

fn in_no_order(set: &TaskSet, asked: Asked) -> Responses {
    SpinLocks { layout: &Layout::new(set), by_priority: false }.responses(asked)
}

impl ByResponses for PrioritySpinLock {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "spin-priority",
            title: "non-preemptive spin locks in priority order",
            source: "after Wieder and Brandenburg 2013 (P|N), requests counted over the window",
            family: Family::PartitionedFixedPriority,
            assumptions: ASSUMPTIONS,
            exactness: Exactness::Sufficient,
        }
    }

    fn response_bounds(&self, set: &TaskSet, asked: Asked) -> Responses {
        by_priority(set, asked)
    }
}

impl ByResponses for UnorderedSpinLock {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "spin-unordered",
            title: "non-preemptive spin locks in no order",
            source: "after Wieder and Brandenburg 2013 (U|N), requests counted over the window",
            family: Family::PartitionedFixedPriority,
            assumptions: ASSUMPTIONS,
            exactness: Exactness::Sufficient,
        }
    }

    fn response_bounds(&self, set: &TaskSet, asked: Asked) -> Responses {
        in_no_order(set, asked)
    }
}
