//! FMLP+ with requests counted over the window.
//!
//! What is known (after Brandenburg 2013): a window holds only so many requests of
//! each task, and none delays twice; each own request is delayed by at most one
//! older request of each other task, of the same resource, or of any if the task
//! shares a core with another user that it can keep from going on. A task
//! keeps others from going on only where they do delay: for each own resource, no
//! more often than they hold it in the window.
//!
//! A lower task of the job's own core requests nothing while the job is ready. So a
//! request of it that delays the job, in whatever way, is pending when the job is
//! released or when it resumes, and at each of these instants at most one is; what it
//! requests and gets done while the job waits is newer than what the job waits for. How
//! often the job resumes is limited, too ([`Layout::resumptions`]).
//!
//! If the job suspends itself, there are resumptions without number; then all sections
//! of lower tasks that are pending in the window count, and no limit but that.
//!
//! None of this couples two tasks. For one task, sections have limits of their own
//! (the same resource) and one in common (all else); so taking the longest sections
//! first is optimal, and no solver is needed. How many requests a window holds
//! depends on the response times of the others, so all are solved together.

use std::cell::{OnceCell, RefCell};
use std::ops::Range;

use crate::Task;
use crate::linear::Program;
use crate::partitioned::contention::longest_pending;
use crate::partitioned::layout::{Access, Layout};
use crate::partitioned::response::{Asked, Responses, Suspending, suspending_least_solution};
use crate::windows::{jobs, times};

/// The limit on the delays of a job by one other task.
struct Other {
    task: usize,
    /// With any resource.
    shared: u64,
    /// `true` if that is as often as the job resumes, and the number of resumptions depends on the
    /// window.
    at_resumptions: bool,
    pools: Range<usize>,
    sections: Range<usize>,
    /// By one of its jobs, if nothing but the number of its jobs matters.
    by_one_job: Option<u64>,
}

/// Own requests for one resource, for each of which another task may delay the job once.
#[derive(Clone, Copy)]
struct Pool {
    resource: usize,
    count: u64,
    /// `true` if other users on that task's core let it delay with other resources too, as often as
    /// they delay.
    hosted: bool,
}

/// Sections of another task.
struct Section {
    length: u64,
    /// In each job.
    count: u64,
    /// The pool of its resource, if there is one.
    pool: Option<usize>,
}

/// The longest sections first, each as often as `jobs` and what is left of its pool and of all
/// allow.
fn longest_first(sections: &[Section], jobs: u64, mut shared: u64, left: &mut [u64]) -> u64 {
    let mut sum = 0_u64;
    for section in sections {
        let mut supply = times(jobs, section.count);
        if let Some(pool) = section.pool {
            let used = supply.min(left[pool]);
            left[pool] -= used;
            supply -= used;
            sum = sum.saturating_add(times(used, section.length));
        }
        let used = supply.min(shared);
        shared -= used;
        sum = sum.saturating_add(times(used, section.length));
    }
    sum
}

/// The limits on the tasks that may delay one task.
#[derive(Default)]
struct Limits {
    others: Vec<Other>,
    pools: Vec<Pool>,
    sections: Vec<Section>,
    /// The delay by one job of each; without those for which more than the number of jobs matters.
    by_one_job: u64,
    /// Those who may delay longer in longer windows.
    growing: Vec<usize>,
}

/// The number of times that a task may delay with any resource.
struct Delays {
    shared: u64,
    at_resumptions: bool,
}

/// The requests that limits of all tasks are made from.
struct Requests<'a> {
    layout: &'a Layout<'a>,
    /// For each task, its global requests.
    longest_first: Vec<Vec<Access>>,
    /// By core and resource, how many requests name it.
    on_core: Vec<usize>,
    left: Vec<u64>,
}

impl<'a> Requests<'a> {
    fn new(layout: &'a Layout<'a>) -> Self {
        let mut on_core = vec![0; layout.cores * layout.resources];
        let mut sections = |x: usize| {
            let mut sections: Vec<Access> = layout.global_accesses(x).copied().collect();
            sections.iter().for_each(|a| on_core[a.core * layout.resources + a.resource] += 1);
            sections.sort_unstable_by_key(|a| std::cmp::Reverse(a.length));
            sections
        };
        let longest_first = (0..layout.tasks.len()).map(&mut sections).collect();
        Self { layout, longest_first, on_core, left: Vec::new() }
    }

    fn limits(&mut self, i: usize) -> Limits {
        let layout = self.layout;
        let mut limits = Limits::default();
        let resumes = layout.global_requests(i);
        // Each task has a job in any window.
        let always = layout.resumptions(i, |_| 1) == resumes;
        for x in 0..layout.tasks.len() {
            let (own, other) = (&layout.tasks[i], &layout.tasks[x]);
            let before = (limits.pools.len(), limits.sections.len());
            let mut delays = Delays { shared: 0, at_resumptions: false };
            if own.core != other.core {
                delays.shared = self.add_remote(&mut limits, i, x);
            } else if other.priority < own.priority && own.suspension == 0 {
                let any = |a: &Access| Section { length: a.length, count: a.count, pool: None };
                limits.sections.extend(self.longest_first[x].iter().map(any));
                delays = Delays { shared: resumes.saturating_add(1), at_resumptions: !always };
            }
            if limits.sections.len() > before.1 {
                self.end(&mut limits, before, x, delays);
            } else {
                limits.pools.truncate(before.0);
            }
        }
        limits
    }

    /// Pools and sections of a task on another core; how often it may delay with any resource.
    fn add_remote(&self, limits: &mut Limits, i: usize, x: usize) -> u64 {
        let sections = &self.longest_first[x];
        if sections.is_empty() {
            return 0;
        }
        let on_core = &self.on_core[sections[0].core * self.layout.resources..];
        let first_pool = limits.pools.len();
        let (mut shared, mut any) = (0_u64, false);
        for own in self.layout.global_accesses(i) {
            let of_x = sections.iter().filter(|a| a.resource == own.resource).count();
            let hosted = on_core[own.resource] > of_x;
            any |= hosted;
            // One user delays once at least.
            if hosted && own.count == 1 {
                shared = shared.saturating_add(own.count);
                continue;
            }
            // A job may have requests of several lengths for one resource.
            match limits.pools[first_pool..].iter_mut().find(|p| p.resource == own.resource) {
                Some(pool) => pool.count = pool.count.saturating_add(own.count),
                None => {
                    limits.pools.push(Pool { resource: own.resource, count: own.count, hosted })
                }
            }
        }
        let pools = &limits.pools[first_pool..];
        for section in sections {
            let pool = pools.iter().position(|p| p.resource == section.resource);
            if any || pool.is_some() {
                limits.sections.push(Section {
                    length: section.length,
                    count: section.count,
                    pool,
                });
            }
        }
        shared
    }

    /// Assigns the limits added last to a task.
    fn end(
        &mut self,
        limits: &mut Limits,
        before: (usize, usize),
        task: usize,
        Delays { shared, at_resumptions }: Delays,
    ) {
        let (pools, sections) = (before.0..limits.pools.len(), before.1..limits.sections.len());
        let own = &limits.pools[pools.clone()];
        let mut by = |jobs| {
            self.left.clear();
            self.left.extend(own.iter().map(|p| p.count));
            longest_first(&limits.sections[sections.clone()], jobs, shared, &mut self.left)
        };
        let only_jobs = !at_resumptions && !own.iter().any(|p| p.hosted);
        let by_one_job = only_jobs.then(|| by(1));
        if by_one_job.is_none_or(|once| once < by(u64::MAX)) {
            limits.growing.push(limits.others.len());
        }
        limits.by_one_job = limits.by_one_job.saturating_add(by_one_job.unwrap_or(0));
        limits.others.push(Other { task, shared, at_resumptions, pools, sections, by_one_job });
    }
}

/// Jobs of another task that are pending some time in a window.
fn pending(layout: &Layout<'_>, task: usize, window: u64, reach: &[u64]) -> u64 {
    jobs(window, reach[task], layout.tasks[task].period)
}

/// Returns the number of delays of a pool's requests by a task with other resources: as often as
/// others of its core do with this one.
fn indirectly(layout: &Layout<'_>, x: usize, pool: &Pool, window: u64, reach: &[u64]) -> u64 {
    if !pool.hosted {
        return 0;
    }
    let core = layout.tasks[x].core;
    let users = layout.users(pool.resource).iter().filter(|u| u.core == core && u.task != x);
    let each =
        users.map(|u| pool.count.min(times(pending(layout, u.task, window, reach), u.count)));
    each.fold(0, u64::saturating_add).min(pool.count)
}

/// A set with the limits of each task.
pub(super) struct Counted<'a> {
    layout: &'a Layout<'a>,
    /// The requests that limits are made from, once some are asked for.
    requests: OnceCell<RefCell<Requests<'a>>>,
    limits: Vec<OnceCell<Limits>>,
    /// The sections of lower tasks on local resources, one whenever a task begins to execute.
    local: Vec<Vec<Access>>,
    /// Room for what is left of pools.
    left: RefCell<Vec<u64>>,
}

impl<'a> Counted<'a> {
    pub(super) fn new(layout: &'a Layout<'a>) -> Self {
        let tasks = layout.tasks.len();
        let local = (0..tasks).map(|i| layout.local_sections(i)).collect();
        let limits = (0..tasks).map(|_| OnceCell::new()).collect();
        Self { layout, requests: OnceCell::new(), limits, local, left: RefCell::default() }
    }

    /// The limits of a task.
    fn limits(&self, i: usize) -> &Limits {
        self.limits[i].get_or_init(|| {
            let requests = || RefCell::new(Requests::new(self.layout));
            self.requests.get_or_init(requests).borrow_mut().limits(i)
        })
    }

    /// Returns the number of times that a task begins to execute in a window: at its release, and
    /// when it resumes.
    fn begins(&self, i: usize, window: u64, reach: &[u64]) -> u64 {
        let pending = |j: usize| pending(self.layout, j, window, reach);
        self.layout.resumptions(i, pending).saturating_add(1)
    }

    /// Returns the number of times that a task may delay another with any resource, without those
    /// that are counted elsewhere.
    fn shared(&self, i: usize, other: &Other, window: u64, reach: &[u64]) -> u64 {
        match other.at_resumptions {
            true => self.begins(i, window, reach),
            false => other.shared,
        }
    }

    /// Returns the delay of a task by others in a window that is not empty.
    pub(super) fn delay(&self, i: usize, window: u64, reach: &[u64]) -> u64 {
        let limits = self.limits(i);
        let mut left = self.left.borrow_mut();
        let mut sum = limits.by_one_job;
        for other in limits.growing.iter().map(|&place| &limits.others[place]) {
            let jobs = pending(self.layout, other.task, window, reach);
            if jobs == 1 && other.by_one_job.is_some() {
                continue;
            }
            let mut shared = self.shared(i, other, window, reach);
            left.clear();
            for pool in &limits.pools[other.pools.clone()] {
                let any = indirectly(self.layout, other.task, pool, window, reach);
                shared = shared.saturating_add(any);
                left.push(pool.count - any);
            }
            let all =
                longest_first(&limits.sections[other.sections.clone()], jobs, shared, &mut left);
            sum = sum.saturating_add(all.saturating_sub(other.by_one_job.unwrap_or(0)));
        }
        sum
    }

    /// The limits of a task as a linear program; [`delay`](Self::delay) is its optimum.
    pub(super) fn program(&self, i: usize, window: u64, reach: &[u64]) -> Program {
        let mut program = Program::default();
        let limits = self.limits(i);
        for other in &limits.others {
            let (pools, sections) =
                (&limits.pools[other.pools.clone()], &limits.sections[other.sections.clone()]);
            let jobs = pending(self.layout, other.task, window, reach);
            let any: Vec<u64> = pools
                .iter()
                .map(|pool| indirectly(self.layout, other.task, pool, window, reach))
                .collect();
            let mut shared = Vec::new();
            let mut same: Vec<Vec<(usize, i64)>> = vec![Vec::new(); pools.len()];
            for section in sections {
                let supply = times(jobs, section.count);
                let variable = program.variable(section.length, supply);
                shared.push((variable, 1));
                let mut ways = vec![(variable, 1)];
                if let Some(pool) = section.pool {
                    let own = program.variable(section.length, supply);
                    same[pool].push((own, 1));
                    ways.push((own, 1));
                }
                program.at_most(ways, supply);
            }
            program.at_most(
                shared,
                any.iter().fold(self.shared(i, other, window, reach), |sum, any| {
                    sum.saturating_add(*any)
                }),
            );
            for ((terms, pool), any) in same.into_iter().zip(pools).zip(any) {
                program.at_most(terms, pool.count - any);
            }
        }
        program
    }

    pub(super) fn responses(&self, asked: Asked) -> Responses {
        let layout = self.layout;
        let term = |i: usize| {
            let Task { wcet, suspension, .. } = layout.tasks[i];
            Suspending { execution: wcet, delay: suspension }
        };
        let terms: Vec<Suspending> = (0..layout.tasks.len()).map(term).collect();
        let late = |i: usize| layout.may_suspend(i);
        suspending_least_solution(layout, asked, &terms, late, |i, w, reach| {
            self.waiting(i, w, reach)
        })
    }

    /// Returns the delay of a task by others, those with local resources included.
    pub(super) fn waiting(&self, i: usize, window: u64, reach: &[u64]) -> u64 {
        let layout = self.layout;
        let below = match layout.tasks[i].suspension {
            0 if self.local[i].is_empty() => 0,
            0 => {
                let begins = self.begins(i, window, reach);
                longest_pending(layout, &self.local[i], begins, (window, reach))
            }
            _ => layout.sections_below(i, |l| pending(layout, l, window, reach)),
        };
        self.delay(i, window, reach).saturating_add(below)
    }
}
