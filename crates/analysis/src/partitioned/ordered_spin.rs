//! Spin locks that serve by priority, or in no order at all.
//!
//! As under MSRP nothing preempts a job from its request to the end of its
//! section; so the holder always makes progress, and a core has one request out at
//! a time. What differs is who is served next. By priority, a request waits for one
//! lower section, then for every higher request of another core that comes while
//! it waits. In no order, every request of another core may come first. Both waits
//! are fixed points, and both depend on how many jobs of the others are pending
//! meanwhile, for which all deadlines must be met.

use super::ASSUMPTIONS;
use super::layout::{Access, Layout};
use super::response::{Busy, Responses, all_met, all_or_none, busy_response_times};
use super::window::{jobs, least, times};
use crate::{Exactness, Family, Metadata, SchedulabilityTest, TaskSet, Verdict};

/// Spin locks that serve the task of highest priority first, in FIFO order among equals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PrioritySpinLock;

/// Spin locks that serve in no known order, as test-and-set locks do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct UnorderedSpinLock;

/// The longest wait; `first(a)`: whether the requests of another core may come before it again and again.
fn wait(layout: &Layout<'_>, access: &Access, first: impl Fn(&Access) -> bool) -> Option<u64> {
    let others = || layout.users(access.resource).iter().filter(|a| a.core != access.core);
    let once = others().filter(|a| !first(a)).map(|a| a.length).max().unwrap_or(0);
    least(once, layout.tasks[access.task].deadline, |b| {
        others().filter(|a| first(a)).fold(once, |sum, a| {
            let task = &layout.tasks[a.task];
            sum.saturating_add(times(jobs(b, task.deadline, task.period), times(a.count, a.length)))
        })
    })
}

fn responses(layout: &Layout<'_>, first: impl Fn(&Access, &Access) -> bool) -> Responses {
    let waits = |i: usize| layout.global_accesses(i).map(|a| wait(layout, a, |other| first(other, a))).collect();
    let Some(waits) = (0..layout.tasks.len()).map(waits).collect::<Option<Vec<Vec<u64>>>>() else {
        return vec![None; layout.tasks.len()];
    };
    let term = |i: usize| {
        let spin =
            layout.global_accesses(i).zip(&waits[i]).fold(0_u64, |s, (a, &b)| s.saturating_add(times(a.count, b)));
        let lower = layout.lower(i).iter().flat_map(|&l| layout.global_accesses(l).zip(&waits[l]));
        let global = lower.map(|(a, &b)| a.length.saturating_add(b)).max().unwrap_or(0);
        Busy { demand: layout.tasks[i].wcet.saturating_add(spin), blocking: global.max(layout.local_blocking(i)) }
    };
    let terms: Vec<Busy> = (0..layout.tasks.len()).map(term).collect();
    all_or_none(busy_response_times(layout, &terms))
}

fn by_priority(set: &TaskSet) -> Responses {
    let layout = Layout::new(set);
    responses(&layout, |other, own| layout.tasks[other.task].priority >= layout.tasks[own.task].priority)
}

fn in_no_order(set: &TaskSet) -> Responses {
    responses(&Layout::new(set), |_, _| true)
}

impl SchedulabilityTest for PrioritySpinLock {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "spin-priority",
            title: "non-preemptive spin locks in priority order",
            source: "after Wieder and Brandenburg 2013 (P|N)",
            family: Family::PartitionedFixedPriority,
            assumptions: ASSUMPTIONS,
            exactness: Exactness::Sufficient,
        }
    }

    fn decide(&self, set: &TaskSet) -> Verdict {
        Verdict::from_condition(all_met(&by_priority(set)))
    }

    fn response_times(&self, set: &TaskSet) -> Option<Responses> {
        Some(by_priority(set))
    }
}

impl SchedulabilityTest for UnorderedSpinLock {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "spin-unordered",
            title: "non-preemptive spin locks in no order",
            source: "after Wieder and Brandenburg 2013 (U|N)",
            family: Family::PartitionedFixedPriority,
            assumptions: ASSUMPTIONS,
            exactness: Exactness::Sufficient,
        }
    }

    fn decide(&self, set: &TaskSet) -> Verdict {
        Verdict::from_condition(all_met(&in_no_order(set)))
    }

    fn response_times(&self, set: &TaskSet) -> Option<Responses> {
        Some(in_no_order(set))
    }
}
