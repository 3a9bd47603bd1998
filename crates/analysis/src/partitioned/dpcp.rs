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
//! agent of that core runs all the while. So who requests nothing of other cores never
//! leaves its core, and interferes with its release jitter alone; and of a lower task of
//! that core at most one agent delays whenever the job begins to execute. On another
//! core, a lower task's requests come first at most once for each own request, a higher
//! task's as often as they come within the waits, and neither more often than the window
//! holds them. That depends on response times, so all are solved together, as the least
//! solution.

use super::ASSUMPTIONS;
use super::contention::longest_pending;
use super::layout::{Access, Layout};
use super::response::{Asked, Responses, Suspending, all_met, suspending_least_solution};
use crate::windows::{jobs, least, times};
use crate::{
    Assumption, Exactness, Family, Metadata, OutsideAssumptions, Priority, SchedulabilityTest,
    Task, TaskSet, Verdict,
};

/// The distributed priority ceiling protocol.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Dpcp {
    /// Home core of each resource; `None`: resource q lives on core q modulo the number of cores.
    pub homes: Option<Vec<usize>>,
}

/// Home cores that do not fit a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WrongHomes {
    /// Resources without a home core.
    #[error("the home cores of {named} resources are given; there are {all}")]
    Missing {
        /// The number of resources whose home core is given.
        named: usize,
        /// The number of resources.
        all: usize,
    },
    /// A home core that is none of the set's.
    #[error("the home core of resource {resource} is {core}; there are {cores} cores, from 0")]
    Outside {
        /// The resource in question.
        resource: usize,
        /// Its home core.
        core: usize,
        /// The number of cores.
        cores: usize,
    },
}

impl Dpcp {
    /// Checks that the home cores are cores of this set, one for each of its resources.
    ///
    /// # Errors
    /// The first one that is missing or no core.
    pub fn fits(&self, set: &TaskSet) -> Result<(), WrongHomes> {
        let Some(homes) = &self.homes else { return Ok(()) };
        let (named, all, cores) = (homes.len(), set.resources(), set.cores());
        if named < all {
            return Err(WrongHomes::Missing { named, all });
        }
        let outside = homes.iter().position(|&core| core >= cores);
        outside.map_or(Ok(()), |resource| {
            Err(WrongHomes::Outside { resource, core: homes[resource], cores })
        })
    }

    /// The home core of each resource of a set that the given ones fit.
    fn homes(&self, layout: &Layout<'_>) -> Vec<usize> {
        let in_turn = || (0..layout.resources).map(|q| q % layout.cores.max(1)).collect();
        self.homes.clone().unwrap_or_else(in_turn)
    }

    fn responses(&self, set: &TaskSet, asked: Asked) -> Responses {
        if self.fits(set).is_err() {
            return vec![None; set.tasks().len()];
        }
        let layout = Layout::new(set);
        let agents = Agents::new(&layout, self.homes(&layout));
        let terms: Vec<Suspending> = (0..layout.tasks.len()).map(|i| agents.terms(i)).collect();
        let late = |i: usize| agents.sent(i) > 0;
        suspending_least_solution(&layout, asked, &terms, late, |i, w, reach| {
            agents.delay(i, w, reach)
        })
    }
}

/// The work of agents on each core.
struct Agents<'a> {
    layout: &'a Layout<'a>,
    /// By core: tasks with global requests that are executed there, and their demand there.
    demand: Vec<Vec<(usize, u64)>>,
    /// By core: sections executed there with their ceilings, longest first.
    sections: Vec<Vec<(Access, u32)>>,
    homes: Vec<usize>,
    /// By task, the local sections of lower tasks that reach it.
    local: Vec<Vec<Access>>,
}

impl<'a> Agents<'a> {
    fn new(layout: &'a Layout<'a>, homes: Vec<usize>) -> Self {
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
        let local = (0..layout.tasks.len()).map(|i| layout.local_sections(i)).collect();
        Self { layout, demand, sections, homes, local }
    }

    /// The highest priority among the users of a resource.
    fn ceiling(&self, resource: usize) -> Priority {
        let users = self.layout.users(resource).iter();
        users.map(|a| self.layout.tasks[a.task].priority).max().unwrap_or(0)
    }

    /// Returns the execution of one task's agents on a core in a window.
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

    /// The longest time from a request to the start of its section, and to its end, which only
    /// agents above the resource's ceiling put off; `None`: beyond the deadline.
    fn request(&self, access: &Access, core: usize, reach: &[u64]) -> Option<(u64, u64)> {
        let (tasks, deadline) = (self.layout.tasks, self.layout.tasks[access.task].deadline);
        let lower = self.lower(access.task, core).next().map_or(0, |a| a.length);
        let higher = || self.higher(access.task, core);
        let start = least(lower, deadline, |b| {
            higher().map(|of| self.executed(of, b, reach)).fold(lower, u64::saturating_add)
        })?;
        let ceiling = self.ceiling(access.resource);
        let once = start.saturating_add(access.length);
        let end = least(once, deadline, |b| {
            let above = higher().filter(|&(h, _)| tasks[h].priority > ceiling);
            let more =
                above.map(|of| self.executed(of, b, reach) - self.executed(of, start, reach));
            more.fold(once, u64::saturating_add)
        })?;
        Some((start, end))
    }

    /// Returns the number of requests of a job that go to other cores.
    fn sent(&self, i: usize) -> u64 {
        let home = self.layout.tasks[i].core;
        let sent = self.layout.global_accesses(i).filter(|a| self.homes[a.resource] != home);
        sent.fold(0, |sum, a| sum.saturating_add(a.count))
    }

    /// Returns the execution of agents of a lower task of the same core there: one whenever the job
    /// begins to execute, since the task requests nothing while the job is ready.
    fn of_lower(&self, (x, need): (usize, u64), i: usize, window: u64, reach: &[u64]) -> u64 {
        let Task { core, period, .. } = self.layout.tasks[x];
        let here = self.sections[core].iter().filter(|(a, _)| a.task == x);
        let (mut left, mut sum) = (self.sent(i).saturating_add(1), 0_u64);
        for (access, _) in here {
            let met = left.min(times(jobs(window, reach[x], period), access.count));
            left -= met;
            sum = sum.saturating_add(times(met, access.length));
        }
        sum.min(self.executed((x, need), window, reach))
    }

    fn terms(&self, i: usize) -> Suspending {
        let own = self.layout.global_accesses(i).map(|a| times(a.count, a.length));
        let agents = own.fold(0, u64::saturating_add);
        let execution = self.layout.tasks[i].wcet.saturating_sub(agents);
        Suspending { execution, delay: agents }
    }

    /// Returns the delay by agents of other tasks in a window.
    fn delay(&self, i: usize, window: u64, reach: &[u64]) -> u64 {
        let own_core = self.layout.tasks[i].core;
        let mut homes: Vec<usize> =
            self.layout.global_accesses(i).map(|a| self.homes[a.resource]).collect();
        homes.sort_unstable();
        homes.dedup();
        let others = self.demand[own_core].iter().filter(|(x, _)| *x != i);
        let tasks = self.layout.tasks;
        let of = |&of: &(usize, u64)| match &tasks[of.0] {
            x if x.core == own_core && x.priority < tasks[i].priority => {
                self.of_lower(of, i, window, reach)
            }
            _ => self.executed(of, window, reach),
        };
        let here = others.map(of).fold(0, u64::saturating_add);
        let begins = self.sent(i).saturating_add(1);
        let local = longest_pending(self.layout, &self.local[i], begins, (window, reach));
        let here = here.saturating_add(local);
        let elsewhere = homes.into_iter().filter(|&core| core != own_core);
        elsewhere.map(|core| self.waiting(i, core, window, reach)).fold(here, u64::saturating_add)
    }

    /// Returns the execution of others' agents on another core while this task waits for resources
    /// there.
    fn waiting(&self, i: usize, core: usize, window: u64, reach: &[u64]) -> u64 {
        let own = || self.layout.global_accesses(i).filter(|a| self.homes[a.resource] == core);
        let waits: Vec<(&Access, Option<(u64, u64)>)> =
            own().map(|a| (a, self.request(a, core, reach))).collect();
        let higher = self.higher(i, core).map(|of| {
            let in_waits = waits.iter().fold(0_u64, |sum, &(access, wait)| {
                let count = access.count;
                let stays = self.layout.tasks[of.0].priority > self.ceiling(access.resource);
                let until = wait.map(|(start, end)| if stays { end } else { start });
                let once = until.map_or(u64::MAX, |until| self.executed(of, until, reach));
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

impl SchedulabilityTest for Dpcp {
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

    fn decide(&self, set: &TaskSet) -> Verdict {
        Verdict::from_condition(all_met(&self.responses(set, Asked::Verdict)))
    }

    fn response_times(&self, set: &TaskSet) -> Option<Responses> {
        Some(self.responses(set, Asked::Bounds))
    }

    fn covers(&self, set: &TaskSet) -> Result<(), OutsideAssumptions> {
        let about = self.metadata();
        about.covers(set)?;
        let assumption = Assumption::HomeCores;
        let wrong = |_| OutsideAssumptions { test: about.name, assumption, task: 0 };
        self.fits(set).map_err(wrong)
    }
}
