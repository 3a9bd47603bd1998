//! The state at an instant, and a protocol's decisions about it.
//!
//! Which jobs are pending and what is left of them is the [`World`]; what ranks, who may
//! run, and who gets a free resource next is the [`Protocol`]'s, which says nothing else.
//! Nothing of this is shared with the analysis.

use fusee_analysis::TaskSet;

use crate::random::Random;

/// Larger runs first; compared left to right.
pub type Rank = (u64, u64, u64);

/// A remaining step of a job: sections are opened and closed, computing takes ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// So many ticks of a core.
    Compute(u64),
    /// A resource, and whether only to read.
    Lock(usize, bool),
    /// The resource whose section ends.
    Unlock(usize),
    /// So many ticks the job suspends itself.
    Suspend(u64),
}

/// A job that is pending.
#[derive(Debug)]
pub struct Job {
    /// The task of the job.
    pub task: usize,
    /// When it arrived.
    pub arrival: u64,
    /// When it is released: its arrival, or up to the task's jitter later.
    pub release: u64,
    /// When it is due.
    pub deadline: u64,
    /// Steps left, the next one last.
    pub steps: Vec<Step>,
    /// Resources held, the innermost last.
    pub held: Vec<usize>,
    /// The resource it waits for and the number of that request.
    pub waits: Option<(usize, u64)>,
    /// The number of the newest request that it issued.
    pub request: u64,
    /// `true` if that request only reads.
    pub reads: bool,
    /// `true` if it ever ran.
    pub started: bool,
}

/// Everything at an instant.
#[derive(Debug)]
pub struct World<'a> {
    /// The tasks, their cores and resources.
    pub set: &'a TaskSet,
    /// The present time.
    pub time: u64,
    /// Pending jobs; of one task, only the oldest one may run.
    pub jobs: Vec<Job>,
    /// The number of requests that have been issued.
    pub requests: u64,
}

impl World<'_> {
    /// Returns the job that holds a resource.
    pub fn holder(&self, resource: usize) -> Option<usize> {
        self.jobs.iter().position(|j| j.held.contains(&resource))
    }

    /// Returns the jobs that wait for a resource.
    pub fn waiters(&self, resource: usize) -> Vec<usize> {
        (0..self.jobs.len())
            .filter(|&j| self.jobs[j].waits.is_some_and(|(q, _)| q == resource))
            .collect()
    }

    /// Returns the priority of a job's task.
    pub fn priority(&self, job: usize) -> u64 {
        u64::from(self.set.tasks()[self.jobs[job].task].priority)
    }

    /// Returns the core of a job's task.
    pub fn core(&self, job: usize) -> usize {
        self.set.tasks()[self.jobs[job].task].core
    }

    /// Returns the resource that a job is about to request, waits for or holds, if several cores
    /// use it.
    pub fn global_involved(&self, job: usize) -> Option<usize> {
        let job = &self.jobs[job];
        let waits = job.waits.map(|(q, _)| q);
        waits.or(job.held.last().copied()).filter(|&q| self.set.is_global(q))
    }

    /// Returns `true` if an older job of the same task is pending.
    pub fn waits_for_predecessor(&self, job: usize) -> bool {
        self.jobs[..job].iter().any(|j| j.task == self.jobs[job].task)
    }
}

/// A scheduler with its locks.
pub trait Protocol {
    /// Returns the core on which a job competes now.
    fn core(&self, world: &World<'_>, job: usize) -> usize {
        world.core(job)
    }

    /// Returns its rank there; `None`: it cannot run.
    fn rank(&self, world: &World<'_>, job: usize) -> Option<Rank>;

    /// Returns the waiter that gets a free resource now; `None`: none.
    fn next(&self, world: &World<'_>, resource: usize, random: &mut Random) -> Option<usize>;

    /// Returns the job that executes on a core that a job takes: that job itself, unless it waits.
    fn executes(&self, world: &World<'_>, job: usize) -> Option<usize> {
        world.jobs[job].waits.is_none().then_some(job)
    }

    /// Returns `true` if a resource that is held may have further holders.
    fn shares(&self, _world: &World<'_>, _resource: usize) -> bool {
        false
    }

    /// Returns the jobs that gain one tick, given the job that each core takes; those that do not
    /// wait.
    fn gain(&mut self, world: &World<'_>, chosen: &[Option<usize>]) -> Vec<usize> {
        chosen.iter().flatten().filter_map(|&job| self.executes(world, job)).collect()
    }

    /// Returns `true` if the same jobs gain until something happens: a job arrives, computes to the
    /// end of a step or goes on after it has suspended itself.
    fn is_steady(&self) -> bool {
        true
    }

    /// Something happened to a job: its request was issued, granted, or its section ended.
    fn observe(&mut self, _world: &World<'_>, _job: usize) {}
}
