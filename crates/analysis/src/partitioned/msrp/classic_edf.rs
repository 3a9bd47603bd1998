//! MSRP under EDF, each request charged alone.

use crate::partitioned::EDF_ASSUMPTIONS;
use crate::partitioned::contention::Spin;
use crate::partitioned::demand::{demand_bound, fits};
use crate::partitioned::layout::Layout;
use crate::windows::{jobs, least, times};
use crate::{Exactness, Family, Metadata, SchedulabilityTest, Task, TaskSet, Verdict};

/// dbf'(t) + B(t) <= t with C' = C + sum of N spin, B(t) over local tasks with D > t: local
/// sections whose resource a task with D <= t uses too, global sections with their spin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MsrpClassicEdf;

/// A section that can block: while t < `from_deadline`, and once t >= `ceiling`.
struct Blocker {
    from_deadline: u64,
    ceiling: u64,
    length: u64,
}

fn blockers(layout: &Layout<'_>, spin: &Spin, tasks: &[usize]) -> Vec<Blocker> {
    let accesses = tasks.iter().flat_map(|&i| layout.accesses(i));
    let blocker = |a: &crate::partitioned::layout::Access| {
        let from_deadline = layout.tasks[a.task].deadline;
        if layout.is_global(a.resource) {
            let length = a.length.saturating_add(spin.of(a));
            return Blocker { from_deadline, ceiling: 0, length };
        }
        Blocker { from_deadline, ceiling: layout.shortest_deadline(a.resource), length: a.length }
    };
    accesses.map(blocker).collect()
}

fn core_fits(layout: &Layout<'_>, spin: &Spin, core: usize) -> bool {
    let tasks: Vec<usize> =
        (0..layout.tasks.len()).filter(|&i| layout.tasks[i].core == core).collect();
    let needs: Vec<(&Task, u64)> = tasks
        .iter()
        .map(|&i| (&layout.tasks[i], layout.tasks[i].wcet.saturating_add(spin.of_job(layout, i))))
        .collect();
    let Some(shortest) = needs.iter().map(|(t, _)| t.deadline).min() else { return true };
    let blockers = blockers(layout, spin, &tasks);
    let busy = |limit, blocking| {
        least(1, limit, |w| {
            needs.iter().fold(blocking, |sum, (t, need)| {
                sum.saturating_add(times(jobs(w, 0, t.period), *need))
            })
        })
    };
    // Nothing blocks an interval as long as the longest deadline; beyond it the plain busy period
    // is a horizon, which ends at full load too. The busy period with the longest blocking is one
    // as well, and often the shorter one.
    let longest_deadline = needs.iter().map(|(t, _)| t.deadline).max().unwrap_or(0);
    let longest_blocking = blockers.iter().map(|b| b.length).max().unwrap_or(0);
    let Some(plain) = busy(u64::MAX, 0) else { return false };
    let horizon = plain.max(longest_deadline);
    let horizon = busy(horizon, longest_blocking).unwrap_or(horizon);
    fits(shortest, horizon, |t| {
        let active = blockers.iter().filter(|b| b.from_deadline > t && b.ceiling <= t);
        let blocking = active.map(|b| b.length).max().unwrap_or(0);
        demand_bound(t, needs.iter().copied()).saturating_add(blocking)
    })
}

pub(super) fn accepts(layout: &Layout<'_>) -> bool {
    let spin = Spin::new(layout);
    (0..layout.cores).all(|core| core_fits(layout, &spin, core))
}

impl SchedulabilityTest for MsrpClassicEdf {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "msrp-classic-edf",
            title: "MSRP under EDF, each request charged alone",
            source: "Gai, Lipari and Di Natale 2001; Baruah 2006 (blocking over deadlines beyond \
                     the interval)",
            family: Family::PartitionedEarliestDeadline,
            assumptions: EDF_ASSUMPTIONS,
            exactness: Exactness::Sufficient,
        }
    }

    fn decide(&self, set: &TaskSet) -> Verdict {
        Verdict::from_condition(accepts(&Layout::new(set)))
    }
}
