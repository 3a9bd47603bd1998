//! MPCP with suspension, all terms from fixed points.
//!
//! While a job holds a resource, each other job of its core can run at most one
//! global section of at least that ceiling: afterwards it is back at its normal
//! priority, below. So a section is over W after its grant at the latest. A request
//! waits for one lower section and all higher ones that come meanwhile. Whenever a
//! job resumes, and when it is released, each lower task of its core may have one
//! global section pending that runs first, and one of them may be inside a local
//! section.

use super::{contenders, wait};
use crate::partitioned::ASSUMPTIONS;
use crate::partitioned::layout::{Access, Layout};
use crate::partitioned::response::{Responses, Suspending, all_met, suspending_response_times};
use crate::partitioned::window::times;
use crate::{Exactness, Family, Metadata, SchedulabilityTest, TaskSet, Verdict};

/// R = C + sum of N b + (N + 1) (lower global sections + one local) + interference with jitter R - C.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mpcp;

/// The remote ceilings of all global sections, by core.
struct Ceilings {
    resources: usize,
    /// By core and resource.
    table: Vec<Option<u32>>,
}

impl Ceilings {
    fn new(layout: &Layout<'_>) -> Self {
        let cell = |k: usize| layout.remote_ceiling(k % layout.resources, k / layout.resources);
        let table = (0..layout.resources * layout.cores).map(cell).collect();
        Self { resources: layout.resources, table }
    }

    fn of(&self, access: &Access) -> Option<u32> {
        self.table[access.core * self.resources + access.resource]
    }
}

/// W: from the grant of a section to its end.
fn holding_time(layout: &Layout<'_>, ceilings: &Ceilings, access: &Access) -> u64 {
    let ceiling = ceilings.of(access);
    let longest = |u: usize| {
        let sections = layout.global_accesses(u).filter(|v| v.resource != access.resource);
        sections.filter(|v| ceilings.of(v) >= ceiling).map(|v| v.length).max().unwrap_or(0)
    };
    layout.mates(access.task).iter().fold(access.length, |sum, &u| sum.saturating_add(longest(u)))
}

/// The waiting of one job for all its requests; `None`: longer than its deadline.
fn remote_blocking(layout: &Layout<'_>, ceilings: &Ceilings, i: usize) -> Option<u64> {
    let mut sum = 0_u64;
    for access in layout.global_accesses(i) {
        let (higher, lower) = contenders(layout, access);
        let lower = lower.map(|a| holding_time(layout, ceilings, a)).max().unwrap_or(0);
        let needs = higher.map(|a| (a.task, times(a.count, holding_time(layout, ceilings, a))));
        let longest = wait(layout, i, lower, &needs.collect::<Vec<_>>())?;
        sum = sum.saturating_add(times(access.count, longest));
    }
    Some(sum)
}

/// What lower tasks of the core hold up a job with `requests` requests that may suspend it.
fn local_blocking(layout: &Layout<'_>, i: usize, requests: u64) -> u64 {
    let global = layout.lower(i).iter().fold(0_u64, |sum, &l| sum.saturating_add(layout.longest_global(l)));
    times(requests.saturating_add(1), global.saturating_add(layout.local_blocking(i)))
}

fn responses(layout: &Layout<'_>) -> Responses {
    let ceilings = Ceilings::new(layout);
    let term = |i: usize| {
        let local = local_blocking(layout, i, layout.global_requests(i));
        let delay = remote_blocking(layout, &ceilings, i).map_or(u64::MAX, |b| b.saturating_add(local));
        Suspending { execution: layout.tasks[i].wcet, delay }
    };
    let terms: Vec<Suspending> = (0..layout.tasks.len()).map(term).collect();
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
