//! DPCP: global resources live on cores; agents execute sections there.
//!
//! A job that requests a global resource suspends, and an agent executes the
//! section on the resource's home core, above all normal work there and under the
//! priority ceiling protocol among agents (Rajkumar, Sha, Lehoczky 1988). So a
//! request is delayed by at most one lower section on that core with a ceiling that
//! reaches it, and by the higher requests to any resource of that core. A task is
//! delayed besides by all agents on its own core. Executing a global section is not
//! part of the demand on the task's own core.
//!
//! No section of another task counts twice in a window. All agents on the task's
//! own core do count there, so waiting for one of its resources adds nothing: some
//! agent of that core runs all the while. On another core, a lower task's requests
//! come first at most once for each own request, a higher task's as often as they
//! come within the waits, and neither more often than the window holds them. That
//! depends on response times, so all are solved together, as the least solution.

use super::ASSUMPTIONS;
use super::layout::{Access, Layout};
use super::response::{ByResponses, Responses, Suspending, suspending_least_solution};
use super::window::{jobs, least, times};
use crate::{Exactness, Family, Metadata, TaskSet};

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
        let terms: Vec<Suspending> = (0..layout.tasks.len()).map(|i| agents.terms(i)).collect();
        suspending_least_solution(layout, &terms, |i, w, reach| agents.delay(i, w, reach))
    }
}

/// What agents do on each core.
struct Agents<'a> {
    layout: &'a Layout<'a>,
    /// By core: tasks with global requests that are executed there, and their demand there.
    demand: Vec<Vec<(usize, u64)>>,
    /// By core: sections executed there with their ceilings, longest first.
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
        sections.iter_mut().for_each(|s| s.sort_by_key(|(a, _)| std::cmp::Reverse(a.length)));
        Self { layout, demand, sections, homes }
    }

    /// What one task's agents execute on a core in a window.
    fn executed(&self, (task, need): (usize, u64), window: u64, reach: &[u64]) -> u64 {
        times(jobs(window, reach[task], self.layout.tasks[task].period), need)
    }

    /// Tasks of at least a task's priority, with what their agents need on a core.
    fn higher(&self, i: usize, core: usize) -> impl Iterator<Item = (usize, u64)> {
        let tasks = self.layout.tasks;
        self.demand[core]
            .iter()
            .copied()
            .filter(move |&(h, _)| h != i && tasks[h].priority >= tasks[i].priority)
    }

    /// Sections of lower tasks on a core that keep an agent of a task from starting, longest first.
    fn lower(&self, i: usize, core: usize) -> impl Iterator<Item = &Access> {
        let level = self.layout.tasks[i].priority;
        let tasks = self.layout.tasks;
        let reaching = self.sections[core]
            .iter()
            .filter(move |(a, c)| tasks[a.task].priority < level && *c >= level);
        reaching.map(|(a, _)| a)
    }

    /// The longest time from a request to the end of its section; `None`: beyond the deadline.
    fn request(&self, access: &Access, core: usize, reach: &[u64]) -> Option<u64> {
        let lower = self.lower(access.task, core).next().map_or(0, |a| a.length);
        let once = access.length.saturating_add(lower);
        least(once, self.layout.tasks[access.task].deadline, |b| {
            let higher = self.higher(access.task, core).map(|of| self.executed(of, b, reach));
            higher.fold(once, u64::saturating_add)
        })
    }

    fn terms(&self, i: usize) -> Suspending {
        let own = self.layout.global_accesses(i).map(|a| times(a.count, a.length));
        let agents = own.fold(0, u64::saturating_add);
        let resumes = self.layout.global_requests(i).saturating_add(1);
        let local = times(resumes, self.layout.local_blocking(i));
        let execution = self.layout.tasks[i].wcet.saturating_sub(agents);
        Suspending { execution, delay: agents.saturating_add(local) }
    }

    /// What agents of other tasks add in a window.
    fn delay(&self, i: usize, window: u64, reach: &[u64]) -> u64 {
        let own_core = self.layout.tasks[i].core;
        let mut homes: Vec<usize> =
            self.layout.global_accesses(i).map(|a| self.homes[a.resource]).collect();
        homes.sort_unstable();
        homes.dedup();
        let others = self.demand[own_core].iter().filter(|(x, _)| *x != i);
        let here = others.map(|&of| self.executed(of, window, reach)).fold(0, u64::saturating_add);
        let elsewhere = homes.into_iter().filter(|&core| core != own_core);
        elsewhere.map(|core| self.waiting(i, core, window, reach)).fold(here, u64::saturating_add)
    }

    /// What agents of others execute on another core while this task waits for resources there.
    fn waiting(&self, i: usize, core: usize, window: u64, reach: &[u64]) -> u64 {
        let own = || self.layout.global_accesses(i).filter(|a| self.homes[a.resource] == core);
        let waits: Vec<(u64, Option<u64>)> =
            own().map(|a| (a.count, self.request(a, core, reach))).collect();
        let higher = self.higher(i, core).map(|of| {
            let in_waits = waits.iter().fold(0_u64, |sum, &(count, wait)| {
                let once = wait.map_or(u64::MAX, |wait| self.executed(of, wait, reach));
                sum.saturating_add(times(count, once))
            });
            in_waits.min(self.executed(of, window, reach))
        });
        let mut sum = higher.fold(0, u64::saturating_add);
        let mut left = own().fold(0_u64, |sum, a| sum.saturating_add(a.count));
        for access in self.lower(i, core) {
            let met = left.min(self.executed((access.task, access.count), window, reach));
            left -= met;
            sum = sum.saturating_add(times(met, access.length));
        }
        sum
    }
}

impl ByResponses for Dpcp {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "dpcp",
            title: "DPCP",
            source: "Rajkumar, Sha and Lehoczky 1988; Rajkumar 1991; jitter repaired after Chen et \
                     al. 2019",
            family: Family::PartitionedFixedPriority,
            assumptions: ASSUMPTIONS,
            exactness: Exactness::Sufficient,
        }
    }

    fn response_bounds(&self, set: &TaskSet) -> Responses {
        self.responses(&Layout::new(set))
    }
}
