//! MSRP under fixed priorities, each request charged alone.

use crate::partitioned::ASSUMPTIONS;
use crate::partitioned::contention::Spin;
use crate::partitioned::layout::Layout;
use crate::partitioned::response::{Busy, Responses, busy_all_met, busy_response_times};
use crate::{Exactness, Family, Metadata, SchedulabilityTest, TaskSet, Verdict};

/// C'_i = C_i + sum of N spin; B_i = the longest of the SRP's local term and, over lower local
/// tasks and global resources, section plus spin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MsrpClassic;

fn terms(layout: &Layout<'_>) -> Vec<Busy> {
    let spin = Spin::new(layout);
    let term = |i: usize| Busy {
        demand: layout.tasks[i].wcet.saturating_add(spin.of_job(layout, i)),
        blocking: arrival_blocking(layout, &spin, i),
    };
    (0..layout.tasks.len()).map(term).collect()
}

pub(super) fn responses(layout: &Layout<'_>) -> Responses {
    busy_response_times(layout, &terms(layout))
}

/// Returns `true` if every task has a bound.
pub(super) fn accepts(layout: &Layout<'_>) -> bool {
    busy_all_met(layout, &terms(layout))
}

fn arrival_blocking(layout: &Layout<'_>, spin: &Spin, i: usize) -> u64 {
    let requests = layout.lower(i).iter().flat_map(|&l| layout.global_accesses(l));
    let global = requests.map(|a| a.length.saturating_add(spin.of(a))).max();
    layout.local_blocking(i).max(global.unwrap_or(0))
}

impl SchedulabilityTest for MsrpClassic {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "msrp-classic",
            title: "MSRP, each request charged alone",
            source: "Gai, Lipari and Di Natale 2001",
            family: Family::PartitionedFixedPriority,
            assumptions: ASSUMPTIONS,
            exactness: Exactness::Sufficient,
        }
    }

    fn decide(&self, set: &TaskSet) -> Verdict {
        Verdict::from_condition(accepts(&Layout::new(set)))
    }

    fn response_times(&self, set: &TaskSet) -> Option<Responses> {
        Some(responses(&Layout::new(set)))
    }
}
