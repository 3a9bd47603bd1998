//! FMLP+ with requests counted over the window: its linear program.
//!
//! What the program knows (after Brandenburg 2013): a window holds only so many
//! requests of each task, and none delays twice; each own request is delayed by at
//! most one older request of each other task, of the same resource, or of any if
//! the task shares a core with another user; a lower task of the core preempts the
//! job at most at its release and each time it resumes. Nothing of this couples two
//! tasks. For one task, sections have limits of their own (the same resource) and
//! one limit in common (all else); so taking the longest sections first is optimal,
//! and no solver is needed. The sums of [`FmlpPlus`](super::FmlpPlus) keep the same limits but
//! the first, so the optimum is never above them.

use super::Layout;
use crate::partitioned::ASSUMPTIONS;
use crate::partitioned::layout::Access;
use crate::partitioned::response::{Responses, all_met, suspending_with_delays};
use crate::partitioned::window::{jobs, times};
use crate::{Exactness, Family, Metadata, SchedulabilityTest, TaskSet, Verdict};

/// FMLP+ under fixed priorities, requests counted over the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FmlpPlusLinear;

/// How often another task may delay a job.
struct Limits {
    task: usize,
    /// With any resource.
    shared: u64,
    /// With one resource only.
    same: Vec<(usize, u64)>,
    /// Its requests, longest first.
    sections: Vec<Access>,
}

/// The limits of each other task that delays task i at all.
fn limits(layout: &Layout<'_>, i: usize) -> Vec<Limits> {
    let interferes = |x: &usize| layout.higher(i).contains(x);
    (0..layout.tasks.len()).filter(|x| *x != i && !interferes(x)).map(|x| limits_of(layout, i, x)).collect()
}

fn limits_of(layout: &Layout<'_>, i: usize, x: usize) -> Limits {
    let core = layout.tasks[x].core;
    let preempts = layout.lower(i).contains(&x);
    let mut shared = if preempts { layout.global_requests(i).saturating_add(1) } else { 0 };
    let mut same: Vec<(usize, u64)> = Vec::new();
    for own in layout.global_accesses(i) {
        if layout.users(own.resource).iter().any(|u| u.core == core && u.task != x) {
            shared = shared.saturating_add(own.count);
        } else {
            same.push((own.resource, own.count));
        }
    }
    let mut sections: Vec<Access> = layout.global_accesses(x).copied().collect();
    sections.sort_unstable_by_key(|a| std::cmp::Reverse(a.length));
    Limits { task: x, shared, same, sections }
}

/// The longest sections first, each as often as its limits and the window allow.
fn delay(layout: &Layout<'_>, limits: &Limits, window: u64) -> u64 {
    let task = &layout.tasks[limits.task];
    let pending = jobs(window, task.deadline, task.period);
    let mut shared = limits.shared;
    let mut same = limits.same.clone();
    let mut sum = 0_u64;
    for section in &limits.sections {
        let mut left = times(pending, section.count);
        for (_, own) in same.iter_mut().filter(|(q, _)| *q == section.resource) {
            let used = left.min(*own);
            *own -= used;
            left -= used;
            sum = sum.saturating_add(times(used, section.length));
        }
        let used = left.min(shared);
        shared -= used;
        sum = sum.saturating_add(times(used, section.length));
    }
    sum
}

fn responses(layout: &Layout<'_>) -> Responses {
    let limits: Vec<Vec<Limits>> = (0..layout.tasks.len()).map(|i| limits(layout, i)).collect();
    let own = |i: usize| {
        let resumes = layout.global_requests(i).saturating_add(1);
        layout.tasks[i].wcet.saturating_add(times(resumes, layout.local_blocking(i)))
    };
    suspending_with_delays(layout, own, |i, w| {
        limits[i].iter().map(|l| delay(layout, l, w)).fold(0, u64::saturating_add)
    })
}

impl SchedulabilityTest for FmlpPlusLinear {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "fmlp-plus-lp",
            title: "FMLP+, requests counted over the window",
            source: "after Brandenburg 2013 (optimum of the FMLP+ program)",
            family: Family::PartitionedFixedPriority,
            assumptions: ASSUMPTIONS,
            exactness: Exactness::Sufficient,
        }
    }

    /// Sets that the sums accept are accepted without counting.
    fn decide(&self, set: &TaskSet) -> Verdict {
        let layout = Layout::new(set);
        Verdict::from_condition(all_met(&super::responses(&layout)) || all_met(&responses(&layout)))
    }

    fn response_times(&self, set: &TaskSet) -> Option<Responses> {
        Some(responses(&Layout::new(set)))
    }
}
