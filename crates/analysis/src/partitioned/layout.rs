//! A task set as the multi-core tests read it: flat tables, made once.
//!
//! Tests for locks ask the same questions again and again: which tasks of the
//! core are above, who uses this resource on which core, is it local. [`Layout`]
//! answers each from a flat table. Requests are taken at the outermost level; the
//! tests that know nesting walk the set's sections themselves.

use std::ops::Range;

use crate::windows::{jobs, times};
use crate::{Priority, Request, Task, TaskSet};

/// One kind of request of one task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Access {
    /// The task that requests.
    pub(crate) task: usize,
    /// The resource that it requests.
    pub(crate) resource: usize,
    /// The number of requests in a job.
    pub(crate) count: u64,
    /// The longest section.
    pub(crate) length: u64,
    /// `true` if it only reads.
    pub(crate) reads: bool,
    /// The core of the task.
    pub(crate) core: usize,
    /// Its place among the accesses of all tasks, task by task.
    pub(crate) number: usize,
}

/// Positions of tasks core by core, from the highest to the lowest priority.
fn order(tasks: &[Task]) -> Vec<usize> {
    /// Positions take the low bits of a key, core and priority the rest; one number sorts faster
    /// than three.
    const POSITION: u32 = 20;
    if tasks.len() >> POSITION > 0 {
        let mut order: Vec<usize> = (0..tasks.len()).collect();
        order.sort_unstable_by_key(|&i| (tasks[i].core, std::cmp::Reverse(tasks[i].priority), i));
        return order;
    }
    let level = |t: &Task| (t.core as u64) << 32 | u64::from(!t.priority);
    let mut keys: Vec<u64> = tasks.iter().zip(0..).map(|(t, i)| level(t) << POSITION | i).collect();
    keys.sort_unstable();
    keys.into_iter().map(|key| (key & ((1 << POSITION) - 1)) as usize).collect()
}

/// A window of a task's level, with a bound on each task's response time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LevelWindow<'a> {
    pub(crate) layout: &'a Layout<'a>,
    pub(crate) task: usize,
    pub(crate) length: u64,
    pub(crate) reach: &'a [u64],
}

impl LevelWindow<'_> {
    /// The core that it is on.
    pub(crate) fn core(&self) -> usize {
        self.layout.tasks[self.task].core
    }

    /// Jobs of a task of the core that are released in it.
    pub(crate) fn releases(&self, j: usize) -> u64 {
        self.layout.releases(self.task, j, self.length)
    }

    /// Requests of a user of another core that are pending some time in a part of it.
    pub(crate) fn pending(&self, a: &Access, length: u64) -> u64 {
        times(jobs(length, self.reach[a.task], self.layout.tasks[a.task].period), a.count)
    }
}

/// A task set in tables.
#[derive(Debug)]
pub(crate) struct Layout<'a> {
    pub(crate) tasks: &'a [Task],
    pub(crate) cores: usize,
    pub(crate) resources: usize,
    /// The requests by task.
    accesses: Vec<Access>,
    accesses_of: Vec<Range<usize>>,
    /// By resource, then core, then longest first.
    users: Vec<Access>,
    users_of: Vec<Range<usize>>,
    global: Vec<bool>,
    /// By core and resource: the highest priority among the users.
    ceilings: Vec<Option<Priority>>,
    /// For each task, the others of its core with at least its priority, and the lower ones.
    neighbours: Vec<usize>,
    neighbours_of: Vec<Range<usize>>,
    /// The start of the lower ones.
    middle_of: Vec<usize>,
    /// Tasks core by core, from the highest to the lowest priority.
    pub(crate) order: Vec<usize>,
}

impl<'a> Layout<'a> {
    /// Reads a set; requests that never happen are left out.
    pub(crate) fn new(set: &'a TaskSet) -> Self {
        let tasks = set.tasks();
        let mut layout = Layout {
            tasks,
            cores: set.cores(),
            resources: set.resources(),
            accesses: Vec::with_capacity(4 * tasks.len()),
            accesses_of: Vec::with_capacity(tasks.len()),
            users: Vec::new(),
            users_of: Vec::with_capacity(set.resources()),
            global: Vec::with_capacity(set.resources()),
            ceilings: vec![None; set.cores() * set.resources()],
            neighbours: Vec::with_capacity(8 * tasks.len()),
            neighbours_of: Vec::new(),
            middle_of: vec![0; tasks.len()],
            order: order(tasks),
        };
        layout.read_accesses(set);
        layout.sort_users();
        layout.find_neighbours();
        layout
    }

    fn read_accesses(&mut self, set: &TaskSet) {
        for (task, row) in self.tasks.iter().enumerate() {
            let start = self.accesses.len();
            let requests = set.requests(task).iter().filter(|r| r.count > 0);
            let access = |(place, r): (usize, &Request)| Access {
                task,
                resource: r.resource,
                count: r.count,
                length: r.length,
                reads: r.reads,
                core: row.core,
                number: start + place,
            };
            self.accesses.extend(requests.enumerate().map(access));
            self.accesses_of.push(start..self.accesses.len());
        }
    }

    /// Buckets by resource, each sorted. They are filled core by core, so that only users on one
    /// core are left to sort.
    fn sort_users(&mut self) {
        let mut ends = vec![0_usize; self.resources];
        self.accesses.iter().for_each(|a| ends[a.resource] += 1);
        let mut start = 0;
        for end in &mut ends {
            let count = *end;
            self.users_of.push(start..start + count);
            *end = start;
            start += count;
        }
        self.users.clone_from(&self.accesses);
        for &task in &self.order {
            for access in &self.accesses[self.accesses_of[task].clone()] {
                self.users[ends[access.resource]] = *access;
                ends[access.resource] += 1;
            }
        }
        for (resource, range) in self.users_of.iter().enumerate() {
            let mut cores = 0;
            for users in self.users[range.clone()].chunk_by_mut(|a, b| a.core == b.core) {
                users.sort_unstable_by_key(|a| (std::cmp::Reverse(a.length), a.task));
                let highest = users.iter().map(|a| self.tasks[a.task].priority).max();
                self.ceilings[users[0].core * self.resources + resource] = highest;
                cores += 1;
            }
            self.global.push(cores > 1);
        }
    }

    fn find_neighbours(&mut self) {
        let mut starts = vec![0..0; self.tasks.len()];
        for mates in self.order.chunk_by(|&a, &b| self.tasks[a].core == self.tasks[b].core) {
            for &i in mates {
                let level = self.tasks[i].priority;
                let split = mates.partition_point(|&j| self.tasks[j].priority >= level);
                let start = self.neighbours.len();
                self.neighbours.extend(mates[..split].iter().copied().filter(|&j| j != i));
                let middle = self.neighbours.len();
                self.neighbours.extend_from_slice(&mates[split..]);
                starts[i] = start..self.neighbours.len();
                self.middle_of[i] = middle;
            }
        }
        self.neighbours_of = starts;
    }

    /// Returns the requests of a task.
    pub(crate) fn accesses(&self, task: usize) -> &[Access] {
        &self.accesses[self.accesses_of[task].clone()]
    }

    /// Iterates over the requests of a task for resources that other cores use too.
    pub(crate) fn global_accesses(&self, task: usize) -> impl Iterator<Item = &Access> + Clone {
        self.accesses(task).iter().filter(|a| self.global[a.resource])
    }

    /// Returns `true` if jobs of a task may wait suspended: they request a global resource.
    pub(crate) fn waits_suspended(&self, task: usize) -> bool {
        self.global_accesses(task).next().is_some()
    }

    /// Returns `true` if jobs of a task may be suspended: they wait for a resource, or suspend
    /// themselves.
    pub(crate) fn may_suspend(&self, task: usize) -> bool {
        self.tasks[task].suspension > 0 || self.waits_suspended(task)
    }

    /// Returns the execution of the lower local tasks above a task with all their sections, their
    /// jobs being counted by `pending`: global ones, and local ones whose ceiling reaches it.
    pub(crate) fn sections_below(&self, task: usize, pending: impl Fn(usize) -> u64) -> u64 {
        let (level, core) = (self.tasks[task].priority, self.tasks[task].core);
        let reaches =
            |a: &&Access| self.global[a.resource] || self.ceiling(a.resource, core) >= Some(level);
        let of = |l: usize| {
            let sections = self.accesses(l).iter().filter(reaches);
            let of_job =
                sections.fold(0_u64, |sum, a| sum.saturating_add(times(a.count, a.length)));
            times(pending(l), of_job)
        };
        self.lower(task).iter().fold(0, |sum, &l| sum.saturating_add(of(l)))
    }

    /// Returns the number of requests for global resources in each job.
    pub(crate) fn global_requests(&self, task: usize) -> u64 {
        self.global_accesses(task).fold(0, |sum, a| sum.saturating_add(a.count))
    }

    /// Returns the number of times that a job can resume after it has waited suspended; `pending`:
    /// the number of jobs of a task that can be pending with it.
    ///
    /// Who requests a resource executes at a normal priority, so no other job of its core holds
    /// one, all of which are boosted. It is suspended if a job of another core holds what it
    /// wants, and that job's request is over before it resumes: so each time it takes another one.
    pub(crate) fn resumptions(&self, task: usize, pending: impl Fn(usize) -> u64) -> u64 {
        let mut sum = 0_u64;
        let own = self.accesses(task);
        for (place, access) in own.iter().enumerate().filter(|(_, a)| self.global[a.resource]) {
            let same = |a: &&Access| a.resource == access.resource;
            if own[..place].iter().any(|a| same(&a)) {
                continue;
            }
            let wanted = own.iter().filter(same).fold(0_u64, |sum, a| sum.saturating_add(a.count));
            let mut met = 0_u64;
            for other in self.users(access.resource).iter().filter(|a| a.core != access.core) {
                if met >= wanted {
                    break;
                }
                met = met.saturating_add(times(pending(other.task), other.count));
            }
            sum = sum.saturating_add(met.min(wanted));
        }
        sum
    }

    /// Returns the range of a resource's users in [`all_users`](Self::all_users).
    pub(crate) fn users_range(&self, resource: usize) -> Range<usize> {
        self.users_of[resource].clone()
    }

    /// The users of all resources, resource by resource.
    pub(crate) fn all_users(&self) -> &[Access] {
        &self.users
    }

    /// Returns the users of a resource: by core, longest section first.
    pub(crate) fn users(&self, resource: usize) -> &[Access] {
        &self.users[self.users_of[resource].clone()]
    }

    /// Iterates over the users of a resource, one slice for each core that has users.
    pub(crate) fn users_by_core(&self, resource: usize) -> impl Iterator<Item = &[Access]> {
        self.users(resource).chunk_by(|a, b| a.core == b.core)
    }

    /// By core, and by global resource that it uses, its users there.
    pub(crate) fn global_users_of_cores(&self) -> Vec<Vec<Vec<&Access>>> {
        let mut of_cores: Vec<Vec<Vec<&Access>>> = vec![Vec::new(); self.cores];
        for resource in (0..self.resources).filter(|&q| self.is_global(q)) {
            for users in self.users_by_core(resource) {
                of_cores[users[0].core].push(users.iter().collect());
            }
        }
        of_cores
    }

    /// Returns `true` if several cores use a resource.
    pub(crate) fn is_global(&self, resource: usize) -> bool {
        self.global[resource]
    }

    /// The other tasks of the core with at least the priority of a task, highest first.
    pub(crate) fn higher(&self, task: usize) -> &[usize] {
        &self.neighbours[self.neighbours_of[task].start..self.middle_of[task]]
    }

    /// Jobs of a task of the core that are released in a window of a task's level, which starts
    /// when the last earlier job of the level ends: one of its own, and all of a higher one.
    #[inline]
    pub(crate) fn releases(&self, level: usize, task: usize, window: u64) -> u64 {
        let Task { jitter, period, .. } = self.tasks[task];
        if level == task { 1 } else { jobs(window, jitter, period) }
    }

    /// Returns the execution of these jobs, of the task itself and of all higher ones.
    #[inline]
    pub(crate) fn execution(&self, level: usize, window: u64) -> u64 {
        self.higher(level).iter().fold(self.tasks[level].wcet, |sum, &h| {
            sum.saturating_add(times(self.releases(level, h, window), self.tasks[h].wcet))
        })
    }

    /// The tasks of the core with a lower priority than a task, highest first.
    pub(crate) fn lower(&self, task: usize) -> &[usize] {
        &self.neighbours[self.middle_of[task]..self.neighbours_of[task].end]
    }

    /// All other tasks of the core of a task.
    pub(crate) fn mates(&self, task: usize) -> &[usize] {
        &self.neighbours[self.neighbours_of[task].clone()]
    }

    /// The highest priority among the users of a resource on one core.
    pub(crate) fn ceiling(&self, resource: usize, core: usize) -> Option<Priority> {
        self.ceilings[core * self.resources + resource]
    }

    /// The shortest deadline among the users of a resource.
    pub(crate) fn shortest_deadline(&self, resource: usize) -> u64 {
        self.users(resource).iter().map(|a| self.tasks[a.task].deadline).min().unwrap_or(u64::MAX)
    }

    /// The sections of lower local tasks on local resources whose ceiling reaches a task.
    fn reaching(&self, task: usize) -> impl Iterator<Item = &Access> {
        let Task { priority, core, .. } = self.tasks[task];
        let sections = self.lower(task).iter().flat_map(|&l| self.accesses(l));
        let local = sections.filter(|a| !self.global[a.resource]);
        local.filter(move |a| self.ceiling(a.resource, core) >= Some(priority))
    }

    /// The longest section of lower local tasks on a local resource whose ceiling reaches a task.
    pub(crate) fn local_blocking(&self, task: usize) -> u64 {
        self.reaching(task).map(|a| a.length).max().unwrap_or(0)
    }

    /// All of these sections, the longest first.
    ///
    /// One of them can be held each time that a job of the task begins to execute. It is at its
    /// ceiling then, and over before the job goes on; so none counts twice, and a window has no
    /// more of them than lower jobs that are pending in it make.
    pub(crate) fn local_sections(&self, task: usize) -> Vec<Access> {
        let mut sections: Vec<Access> = self.reaching(task).copied().collect();
        sections.sort_unstable_by_key(|a| std::cmp::Reverse(a.length));
        sections
    }

    /// The longest section of a task on a global resource.
    pub(crate) fn longest_global(&self, task: usize) -> u64 {
        self.global_accesses(task).map(|a| a.length).max().unwrap_or(0)
    }
}
