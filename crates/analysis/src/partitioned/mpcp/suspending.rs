//! MPCP with suspension, all terms from fixed points.
//!
//! While a job holds a resource, each other job of its core can run at most one
//! global section of at least that ceiling: afterwards it is back at its normal
//! priority, below. So a section is over W after its grant at the latest. A request
//! waits for one lower section and all higher ones that come meanwhile. Whenever a
//! job resumes, and when it is released, each lower task of its core may have one
//! global section pending that runs first, and one of them may be inside a local
//! section; how often it resumes is limited by what other cores request. For a job that
//! suspends itself there are resumptions without number: all
//! their sections count.

use super::queues::Queues;
use super::refined::refined;
use crate::partitioned::SUSPENDING_ASSUMPTIONS;
use crate::partitioned::contention::longest;
use crate::partitioned::layout::{Access, Layout};
use crate::partitioned::response::{
    Asked, ByResponses, Responses, Suspending, suspending_response_times,
};
use crate::windows::{jobs, times};
use crate::{Exactness, Family, Metadata, Task, TaskSet};

/// R = C + sum of N b + (N + 1) (lower global sections + one local) + interference with jitter R -
/// C; where that has bounds they are made smaller by counting over windows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mpcp;

/// The tasks that can preempt sections, and the lengths of these.
pub(super) struct Holding {
    resources: usize,
    ceilings: Vec<Option<u32>>,
    queues: Queues,
}

/// By core and resource, the highest priority among users on other cores.
fn remote_ceilings(layout: &Layout<'_>) -> Vec<Option<u32>> {
    let mut table = vec![None; layout.cores * layout.resources];
    for resource in 0..layout.resources {
        // The highest core, and the highest of the rest.
        let (mut first, mut second) = ((None, usize::MAX), None);
        for users in layout.users_by_core(resource) {
            let core = users[0].core;
            let ceiling = layout.ceiling(resource, core);
            if ceiling > first.0 {
                second = first.0;
                first = (ceiling, core);
            } else {
                second = second.max(ceiling);
            }
        }
        for core in 0..layout.cores {
            table[core * layout.resources + resource] =
                if core == first.1 { second } else { first.0 };
        }
    }
    table
}

/// The longest section that a task can have met so far, and the longest of any other resource.
#[derive(Debug, Clone, Copy, Default)]
struct Longest {
    length: u64,
    resource: usize,
    second: u64,
}

impl Longest {
    /// The same after a section of a resource that was not met before.
    fn with(self, resource: usize, length: u64) -> Self {
        if length > self.length {
            Longest { length, resource, second: self.length }
        } else {
            Longest { second: self.second.max(length), ..self }
        }
    }

    /// The longest one of a resource other than this.
    fn other_than(self, resource: usize) -> u64 {
        if self.resource == resource { self.second } else { self.length }
    }
}

/// The sections with which the tasks of one core can preempt each other's.
struct Preemption<'a> {
    layout: &'a Layout<'a>,
    /// Global resources with a ceiling on this core, from the highest ceiling to the lowest.
    resources: Vec<(Option<u32>, usize)>,
    /// By resource, the longest section of one task; empty between tasks.
    lengths: Vec<u64>,
}

impl Preemption<'_> {
    /// For each resource, task i's longest section that can preempt one of it, handed to `found`.
    fn of_task(&mut self, i: usize, mut found: impl FnMut(usize, u64)) {
        for access in self.layout.global_accesses(i) {
            self.lengths[access.resource] = self.lengths[access.resource].max(access.length);
        }
        let mut met = Longest { resource: usize::MAX, ..Longest::default() };
        for level in self.resources.chunk_by(|a, b| a.0 == b.0) {
            met = level.iter().fold(met, |met, &(_, q)| met.with(q, self.lengths[q]));
            level.iter().for_each(|&(_, q)| found(q, met.other_than(q)));
        }
        self.layout.global_accesses(i).for_each(|access| self.lengths[access.resource] = 0);
    }
}

impl Holding {
    /// W = L + sum over local tasks of their longest section that can preempt.
    ///
    /// The sums over all tasks of the core are made once for each resource; each user's own part is
    /// taken off.
    pub(super) fn new(layout: &Layout<'_>) -> Self {
        let ceilings = remote_ceilings(layout);
        // By number of the access: first what the task itself would preempt with, then the time
        // from grant to end.
        let mut longest = vec![0_u64; layout.all_users().len()];
        let mut preemption =
            Preemption { layout, resources: Vec::new(), lengths: vec![0; layout.resources] };
        let (mut sums, mut own) = (vec![0_u128; layout.resources], vec![0_u64; layout.resources]);
        for mates in layout.order.chunk_by(|&a, &b| layout.tasks[a].core == layout.tasks[b].core) {
            let core = layout.tasks[mates[0]].core;
            let used = (0..layout.resources)
                .filter(|&q| layout.is_global(q) && layout.ceiling(q, core).is_some());
            preemption.resources.clear();
            preemption.resources.extend(used.map(|q| (ceilings[core * layout.resources + q], q)));
            preemption.resources.sort_unstable_by(|a, b| b.cmp(a));
            sums.fill(0);
            for &i in mates {
                preemption.of_task(i, |q, length| {
                    sums[q] += u128::from(length);
                    own[q] = length;
                });
                layout.global_accesses(i).for_each(|a| longest[a.number] = own[a.resource]);
            }
            for access in mates.iter().flat_map(|&i| layout.global_accesses(i)) {
                let others = sums[access.resource] - u128::from(longest[access.number]);
                longest[access.number] =
                    access.length.saturating_add(u64::try_from(others).unwrap_or(u64::MAX));
            }
        }
        Self { resources: layout.resources, ceilings, queues: Queues::new(layout, &longest) }
    }

    /// The longest wait for an access if jobs of others are pending for so long; `None`: longer
    /// than its task's deadline.
    pub(super) fn wait(&self, layout: &Layout<'_>, access: &Access, reach: &[u64]) -> Option<u64> {
        self.queues.wait_within(layout, access, reach)
    }

    /// The time from the grant of an access to its end, at most.
    pub(super) fn held(&self, access: &Access) -> u64 {
        self.queues.longest(access)
    }

    /// The priority above all normal ones at which a core executes sections of a resource.
    pub(super) fn ceiling(&self, core: usize, resource: usize) -> Option<u32> {
        self.ceilings[core * self.resources + resource]
    }
}

/// A set whose response times are sought, and tasks of it that may miss their deadlines.
struct Search<'a> {
    layout: &'a Layout<'a>,
    holding: Holding,
    /// By task, its global sections, the longest first.
    sections: Vec<Vec<Access>>,
    late: Vec<bool>,
}

impl Search<'_> {
    /// Returns the time for which one job waits for all its requests; `None`: longer than its
    /// deadline, or for a task that may be late.
    fn remote_blocking(&self, i: usize) -> Option<u64> {
        let Self { layout, late, .. } = self;
        let level = layout.tasks[i].priority;
        let first = |a: &Access| a.task != i && layout.tasks[a.task].priority >= level;
        layout.global_accesses(i).try_fold(0_u64, |sum, access| {
            if layout.users(access.resource).iter().any(|a| late[a.task] && first(a)) {
                return None;
            }
            let wait = self.holding.queues.wait(layout, access)?;
            Some(sum.saturating_add(times(access.count, wait)))
        })
    }

    /// Returns the time for which lower tasks of the core hold up a job each time that it begins to
    /// execute, no section twice.
    fn local_blocking(&self, i: usize) -> u64 {
        let layout = self.layout;
        let begins = layout.resumptions(i, |j| self.pending(i, j)).saturating_add(1);
        let supply = |a: &Access| times(self.pending(i, a.task), a.count);
        let local = longest(&layout.local_sections(i), begins, supply).total;
        layout.lower(i).iter().fold(local, |sum, &l| {
            sum.saturating_add(longest(&self.sections[l], begins, supply).total)
        })
    }

    /// Returns the number of jobs of a task that are pending between the release and the deadline
    /// of another one's job.
    fn pending(&self, i: usize, other: usize) -> u64 {
        let Task { deadline, period, .. } = self.layout.tasks[other];
        let own = &self.layout.tasks[i];
        let reach = if self.late[other] { u64::MAX } else { deadline };
        jobs(own.deadline.saturating_add(own.beyond()), reach, period)
    }

    /// Returns the delay of a job that suspends itself: that time, and in whatever pieces it comes,
    /// all sections of lower tasks that are pending before its deadline.
    fn with_suspension(&self, i: usize) -> u64 {
        let below = self.layout.sections_below(i, |l| self.pending(i, l));
        self.layout.tasks[i].suspension.saturating_add(below)
    }

    fn term(&self, i: usize) -> Suspending {
        let local = match self.layout.tasks[i].suspension {
            0 => self.local_blocking(i),
            _ => self.with_suspension(i),
        };
        let delay = self.remote_blocking(i).map_or(u64::MAX, |b| b.saturating_add(local));
        Suspending { execution: self.layout.tasks[i].wcet, delay }
    }

    /// Bounds if no task but those marked as late misses its deadline.
    fn responses(&self, asked: Asked) -> Responses {
        let tasks = self.layout.tasks;
        let mut terms = vec![Suspending::default(); tasks.len()];
        for &i in &self.layout.order {
            terms[i] = self.term(i);
            let alone = terms[i].execution.saturating_add(terms[i].delay);
            let alone = alone.saturating_add(tasks[i].jitter);
            if asked == Asked::Verdict && alone > tasks[i].deadline {
                return vec![None; terms.len()];
            }
        }
        suspending_response_times(self.layout, &terms, &self.late)
    }
}

/// Returns the bounds of all tasks whose bound does not rest on a task without one.
///
/// Whether there are bounds is a matter of the sums; where there are, windows make them smaller.
pub(super) fn responses(layout: &Layout<'_>, asked: Asked) -> Responses {
    let tasks = layout.tasks.len();
    let by_length = |i: usize| {
        let mut sections: Vec<Access> = layout.global_accesses(i).copied().collect();
        sections.sort_unstable_by_key(|a| std::cmp::Reverse(a.length));
        sections
    };
    let mut search = Search {
        layout,
        holding: Holding::new(layout),
        sections: (0..tasks).map(by_length).collect(),
        late: vec![false; tasks],
    };
    loop {
        let found = search.responses(asked);
        let late: Vec<bool> = found.iter().map(Option::is_none).collect();
        if asked == Asked::Verdict {
            return found;
        }
        if late == search.late {
            return refined(layout, &search.holding, &search.sections, found);
        }
        search.late = late;
    }
}

impl ByResponses for Mpcp {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "mpcp",
            title: "MPCP, waiting suspended",
            source: "Rajkumar 1990; Lakshmanan, de Niz and Rajkumar 2009; jitter repaired after \
                     Chen et al. 2019, carry-in after Yang, Chen and Huang 2017",
            family: Family::PartitionedFixedPriority,
            assumptions: SUSPENDING_ASSUMPTIONS,
            exactness: Exactness::Sufficient,
        }
    }

    fn response_bounds(&self, set: &TaskSet, asked: Asked) -> Responses {
        responses(&Layout::new(set), asked)
    }
}
