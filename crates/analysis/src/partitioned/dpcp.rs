//! DPCP: global resources live on cores; agents execute sections there.
//!
//! A job that requests a global resource suspends, and an agent executes the
//! section on the resource's home core, above all normal work there and under the
//! priority ceiling protocol among agents (Rajkumar, Sha, Lehoczky 1988). So a
//! request is delayed by at most one lower section on that core with a ceiling that
//! reaches it, and by the higher requests to any resource of that core. A task is
//! delayed besides by all agents on its own core. Executing a global section is not
//! part of the demand on the task's own core.

use super::ASSUMPTIONS;
use super::layout::{Access, Layout};
use super::response::{Responses, Suspending, all_met, suspending_response_times};
use super::window::{jobs, least, times};
use crate::{Exactness, Family, Metadata, SchedulabilityTest, TaskSet, Verdict};

/// The distributed priority ceiling protocol.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Dpcp {
    /// Home core of each resource; a resource without an entry lives on the core of its number
    /// modulo the number of cores, and so does one whose entry is no core.
    pub homes: Vec<usize>,
}

impl Dpcp {
    /// The home core of a resource.
    pub fn home(&self, resource: usize, cores: usize) -> usize {
        let cores = cores.max(1);
        self.homes.get(resource).copied().filter(|&core| core < cores).unwrap_or(resource % cores)
    }

    fn responses(&self, layout: &Layout<'_>) -> Responses {
        let agents = Agents::new(layout, |q| self.home(q, layout.cores));
        let terms: Option<Vec<Suspending>> = (0..layout.tasks.len()).map(|i| agents.terms(i)).collect();
        match terms {
            Some(terms) => suspending_response_times(layout, &terms, |i, w| agents.on_core_of(i, w)),
            None => vec![None; layout.tasks.len()],
        }
    }
}

/// What agents do on each core.
struct Agents<'a> {
    layout: &'a Layout<'a>,
    /// By core: tasks with global requests that are executed there, and their demand there.
    demand: Vec<Vec<(usize, u64)>>,
    /// By core: sections executed there with their ceilings.
    sections: Vec<Vec<(Access, u32)>>,
    homes: Vec<usize>,
}

impl<'a> Agents<'a> {
    fn new(layout: &'a Layout<'a>, home: impl Fn(usize) -> usize) -> Self {
        let homes: Vec<usize> = (0..layout.resources).map(home).collect();
        let mut demand: Vec<Vec<(usize, u64)>> = vec![Vec::new(); layout.cores];
        let mut sections = vec![Vec::new(); layout.cores];
        for i in 0..layout.tasks.len() {
            for access in layout.global_accesses(i) {
                let core = homes[access.resource];
                let need = times(access.count, access.length);
                match demand[core].last_mut() {
                    Some((task, sum)) if *task == i => *sum = sum.saturating_add(need),
                    _ => demand[core].push((i, need)),
                }
                let users = layout.users(access.resource).iter();
                let ceiling = users.map(|a| layout.tasks[a.task].priority).max().unwrap_or(0);
                sections[core].push((*access, ceiling));
            }
        }
        Self { layout, demand, sections, homes }
    }

    /// The longest time from a request to the end of its section.
    fn request(&self, access: &Access) -> Option<u64> {
        let task = &self.layout.tasks[access.task];
        let core = self.homes[access.resource];
        let lower = self.sections[core]
            .iter()
            .filter(|(a, ceiling)| self.layout.tasks[a.task].priority < task.priority && *ceiling >= task.priority);
        let once = access.length.saturating_add(lower.map(|(a, _)| a.length).max().unwrap_or(0));
        let tasks = self.layout.tasks;
        let higher =
            || self.demand[core].iter().filter(|(h, _)| *h != access.task && tasks[*h].priority >= task.priority);
        least(once, task.deadline, |b| {
            higher().fold(once, |sum, &(h, need)| {
                sum.saturating_add(times(jobs(b, tasks[h].deadline, tasks[h].period), need))
            })
        })
    }

    fn terms(&self, i: usize) -> Option<Suspending> {
        let mut elsewhere = 0_u64;
        let mut waiting = 0_u64;
        for access in self.layout.global_accesses(i) {
            elsewhere = elsewhere.saturating_add(times(access.count, access.length));
            waiting = waiting.saturating_add(times(access.count, self.request(access)?));
        }
        let resumes = self.layout.global_requests(i).saturating_add(1);
        let local = times(resumes, self.layout.local_blocking(i));
        let execution = self.layout.tasks[i].wcet.saturating_sub(elsewhere);
        Some(Suspending { execution, delay: waiting.saturating_add(local) })
    }

    /// What the agents of other tasks execute on the core of a task in a window.
    fn on_core_of(&self, i: usize, window: u64) -> u64 {
        let others = self.demand[self.layout.tasks[i].core].iter().filter(|(x, _)| *x != i);
        others.fold(0, |sum: u64, &(x, need)| {
            let task = &self.layout.tasks[x];
            sum.saturating_add(times(jobs(window, task.deadline, task.period), need))
        })
    }
}

impl SchedulabilityTest for Dpcp {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "dpcp",
            title: "DPCP",
            source: "Rajkumar, Sha and Lehoczky 1988; Rajkumar 1991; jitter repaired after Chen et al. 2019",
            family: Family::PartitionedFixedPriority,
            assumptions: ASSUMPTIONS,
            exactness: Exactness::Sufficient,
        }
    }

    fn decide(&self, set: &TaskSet) -> Verdict {
        Verdict::from_condition(all_met(&self.responses(&Layout::new(set))))
    }

    fn response_times(&self, set: &TaskSet) -> Option<Responses> {
        Some(self.responses(&Layout::new(set)))
    }
}
