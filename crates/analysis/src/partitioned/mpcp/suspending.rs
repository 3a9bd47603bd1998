//! MPCP with suspension, all terms from fixed points.
//!
//! While a job holds a resource, each other job of its core can run at most one
//! global section of at least that ceiling: afterwards it is back at its normal
//! priority, below. So a section is over W after its grant at the latest. A request
//! waits for one lower section and all higher ones that come meanwhile. Whenever a
//! job resumes, and when it is released, each lower task of its core may have one
//! global section pending that runs first, and one of them may be inside a local
//! section.

use super::wait;
use crate::partitioned::ASSUMPTIONS;
use crate::partitioned::layout::{Access, Layout};
use crate::partitioned::response::{Responses, Suspending, all_met, suspending_response_times};
use crate::partitioned::window::times;
use crate::{Exactness, Family, Metadata, SchedulabilityTest, TaskSet, Verdict};

/// R = C + sum of N b + (N + 1) (lower global sections + one local) + interference with jitter R - C.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mpcp;

/// What can preempt sections, and how long they take.
pub(super) struct Holding {
    resources: usize,
    ceilings: Vec<Option<u32>>,
    /// By user, as in `all_users`: from grant to end.
    longest: Vec<u64>,
}

/// By core and resource, the highest priority among users on other cores.
fn remote_ceilings(layout: &Layout<'_>) -> Vec<Option<u32>> {
    let mut table = vec![None; layout.cores * layout.resources];
    for access in layout.all_users() {
        let priority = Some(layout.tasks[access.task].priority);
        for core in (0..layout.cores).filter(|core| *core != access.core) {
            let cell = &mut table[core * layout.resources + access.resource];
            *cell = priority.max(*cell);
        }
    }
    table
}

impl Holding {
    /// W = L + sum over local tasks of their longest section that can preempt.
    pub(super) fn new(layout: &Layout<'_>) -> Self {
        let ceilings = remote_ceilings(layout);
        let ceiling = |a: &Access| ceilings[a.core * layout.resources + a.resource];
        let longest = |access: &Access| {
            let own = ceiling(access);
            if own.is_none() {
                return access.length;
            }
            let of_mate = |&u: &usize| {
                let sections = layout.global_accesses(u).filter(|v| v.resource != access.resource);
                sections.filter(|v| ceiling(v) >= own).map(|v| v.length).max().unwrap_or(0)
            };
            layout.mates(access.task).iter().map(of_mate).fold(access.length, u64::saturating_add)
        };
        let longest = layout.all_users().iter().map(longest).collect();
        Self { resources: layout.resources, ceilings, longest }
    }

    /// The priority above all normal ones at which a core executes sections of a resource.
    pub(super) fn ceiling(&self, core: usize, resource: usize) -> Option<u32> {
        self.ceilings[core * self.resources + resource]
    }
}

/// The longest wait for each of a task's global accesses; `None`: longer than its deadline.
pub(super) fn waits(layout: &Layout<'_>, holding: &Holding, i: usize) -> Option<Vec<u64>> {
    let task = &layout.tasks[i];
    let mut waits = Vec::with_capacity(layout.accesses(i).len());
    let mut higher = Vec::with_capacity(16);
    for access in layout.global_accesses(i) {
        higher.clear();
        let mut lower = 0;
        let users = layout.users_range(access.resource);
        let others = layout.all_users()[users.clone()].iter().zip(&holding.longest[users]);
        for (other, &longest) in others.filter(|(a, _)| a.task != i) {
            let of = &layout.tasks[other.task];
            if of.priority >= task.priority {
                higher.push((of.period, times(other.count, longest)));
            } else {
                lower = longest.max(lower);
            }
        }
        waits.push(wait(task.deadline, lower, &higher)?);
    }
    Some(waits)
}

/// The waiting of one job for all its requests.
fn remote_blocking(layout: &Layout<'_>, holding: &Holding, i: usize) -> Option<u64> {
    let waits = waits(layout, holding, i)?;
    let each = layout.global_accesses(i).zip(waits).map(|(access, wait)| times(access.count, wait));
    Some(each.fold(0, u64::saturating_add))
}

/// What lower tasks of the core hold up a job with `requests` requests that may suspend it.
fn local_blocking(layout: &Layout<'_>, i: usize, requests: u64) -> u64 {
    let global = layout.lower(i).iter().fold(0_u64, |sum, &l| sum.saturating_add(layout.longest_global(l)));
    times(requests.saturating_add(1), global.saturating_add(layout.local_blocking(i)))
}

pub(super) fn responses(layout: &Layout<'_>) -> Responses {
    let holding = Holding::new(layout);
    let term = |i: usize| {
        let local = local_blocking(layout, i, layout.global_requests(i));
        let delay = remote_blocking(layout, &holding, i).map_or(u64::MAX, |b| b.saturating_add(local));
        Suspending { execution: layout.tasks[i].wcet, delay }
    };
    let mut terms = vec![Suspending::default(); layout.tasks.len()];
    for &i in &layout.order {
        terms[i] = term(i);
        let alone = terms[i].execution.saturating_add(terms[i].delay).saturating_add(layout.tasks[i].jitter);
        // One task without a bound leaves all without.
        if alone > layout.tasks[i].deadline {
            return vec![None; terms.len()];
        }
    }
    suspending_response_times(layout, &terms, |_, _| 0)
}

impl SchedulabilityTest for Mpcp {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "mpcp",
            title: "MPCP, waiting suspended",
            source: "Rajkumar 1990; Lakshmanan, de Niz and Rajkumar 2009; jitter repaired after Chen et al. 2019, \
                     carry-in after Yang, Chen and Huang 2017",
            family: Family::PartitionedFixedPriority,
            assumptions: ASSUMPTIONS,
            exactness: Exactness::Sufficient,
        }
    }

    fn decide(&self, set: &TaskSet) -> Verdict {
        Verdict::from_condition(all_met(&responses(&Layout::new(set))))
    }

    fn response_times(&self, set: &TaskSet) -> Option<Responses> {
        Some(responses(&Layout::new(set)))
    }
}
