//! The longest time for which a section is held, and its priority.

use super::queues::Queues;
use crate::partitioned::layout::{Access, Layout};

/// The tasks that can preempt sections, and the lengths of these.
pub(super) struct Holding {
    resources: usize,
    ceilings: Vec<Option<u32>>,
    pub(super) queues: Queues,
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
