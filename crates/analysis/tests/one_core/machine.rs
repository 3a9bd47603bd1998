//! One core, one tick at a time, everything decided anew in every tick.
//!
//! Slow on purpose: no queue, no event, nothing is remembered but what each job
//! has executed and which sections it is inside. In each tick the jobs are asked
//! in the order of the policy; the first that needs no resource which it cannot
//! have executes. Who waits for whom follows from that, and with it who inherits
//! what. A released resource is free: waiters compete for it anew.

use fusee_analysis::generation::Random;
use fusee_analysis::{Priority, TaskSet};

use super::program::{self, Tick};

/// The order of jobs, and the effect of sections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Policy {
    /// Fixed priorities; thresholds of the tasks count from the start of a job on.
    FixedPriority,
    /// Fixed priorities, no job is preempted.
    NonPreemptive,
    /// Fixed priorities, sections are not preempted.
    NonPreemptiveSections,
    /// Fixed priorities with inheritance.
    Inheritance,
    /// Fixed priorities with the priority ceiling protocol.
    Ceiling,
    /// Fixed priorities, sections at their ceiling.
    ImmediateCeiling,
    /// Earliest deadline first with the stack resource policy.
    StackResource,
    /// Earliest deadline first, sections are not preempted.
    EdfNonPreemptiveSections,
}

/// The state of one job.
#[derive(Debug, Clone)]
struct Job {
    task: usize,
    arrival: u64,
    release: u64,
    program: Vec<Tick>,
    executed: usize,
    suspended_until: Option<u64>,
}

impl Job {
    /// Returns `true` if the job is not complete. One without ticks must be dispatched once.
    fn open(&self) -> bool {
        self.executed < self.program.len().max(1)
    }

    /// Returns its next tick, if it has one.
    fn next(&self) -> Option<&Tick> {
        self.program.get(self.executed)
    }
}

/// A job's request that a policy turns down, and the job that holds it up.
struct Refused {
    by: usize,
}

pub(crate) struct Machine<'a> {
    set: &'a TaskSet,
    policy: Policy,
    jobs: Vec<Job>,
    now: u64,
    random: &'a mut Random,
}

impl<'a> Machine<'a> {
    /// A machine for jobs (task, arrival, release), in order of arrival for each task.
    pub(crate) fn new(
        set: &'a TaskSet,
        policy: Policy,
        jobs: &[(usize, u64, u64)],
        random: &'a mut Random,
    ) -> Self {
        let job = |&(task, arrival, release): &(usize, u64, u64), random: &mut Random| {
            let program = program::random(set, task, random);
            Job { task, arrival, release, program, executed: 0, suspended_until: None }
        };
        let jobs = jobs.iter().map(|j| job(j, random)).collect();
        Self { set, policy, jobs, now: 0, random }
    }

    /// The largest time from arrival to completion of each task; unfinished jobs count up to the
    /// end.
    pub(crate) fn run(mut self, end: u64) -> Vec<u64> {
        let mut worst = vec![0; self.set.tasks().len()];
        while self.now < end {
            let chosen = self.choose();
            let dispatched = chosen.is_some_and(|job| self.jobs[job].program.is_empty());
            self.now += u64::from(!dispatched);
            let Some(chosen) = chosen else { continue };
            let job = &mut self.jobs[chosen];
            job.executed += 1;
            job.suspended_until = None;
            if !job.open() {
                worst[job.task] = worst[job.task].max(self.now - job.arrival);
            }
        }
        for job in self.jobs.iter().filter(|j| j.release < end && j.open()) {
            worst[job.task] = worst[job.task].max(end - job.arrival);
        }
        worst
    }

    /// Jobs that are released, not finished, and the first of their task.
    fn pending(&self) -> Vec<usize> {
        let open = |j: &Job| j.release <= self.now && j.open();
        let first =
            |i: usize| !self.jobs[..i].iter().any(|j| j.task == self.jobs[i].task && j.open());
        (0..self.jobs.len()).filter(|&i| open(&self.jobs[i]) && first(i)).collect()
    }

    /// The job that executes in this tick.
    fn choose(&mut self) -> Option<usize> {
        let mut ready = Vec::new();
        for i in self.pending() {
            let suspension = self.jobs[i].next().map_or(0, |tick| tick.suspended_before);
            let until = *self.jobs[i].suspended_until.get_or_insert(self.now + suspension);
            if until <= self.now {
                ready.push(i);
            }
        }
        self.random.shuffle(&mut ready);
        // Among equals a started job goes on where that is the policy, else any: tests hold for all
        // ties.
        let goes_on = |i: usize| self.jobs[i].executed > 0 && self.policy != Policy::FixedPriority;
        let threshold = |i: usize| {
            self.set.tasks()[self.jobs[i].task].threshold.is_some() && self.jobs[i].executed > 0
        };
        ready.sort_by_cached_key(|&i| {
            std::cmp::Reverse((self.urgency(i, &mut Vec::new()), goes_on(i) || threshold(i)))
        });
        ready.into_iter().find(|&i| self.refused(i).is_none())
    }

    /// Sections that a job is inside: it has executed a tick of them and will execute another one.
    fn held(&self, job: usize) -> Vec<usize> {
        let job = &self.jobs[job];
        let (Some(last), Some(next)) = (job.executed.checked_sub(1), job.program.get(job.executed))
        else {
            return Vec::new();
        };
        let before = &job.program[last].inside;
        next.inside.iter().filter(|s| before.contains(s)).map(|s| s.resource).collect()
    }

    /// Resources that a job must get before its next tick.
    fn wanted(&self, job: usize) -> Vec<usize> {
        let held = self.held(job);
        let Some(next) = self.jobs[job].next() else { return Vec::new() };
        next.inside.iter().map(|s| s.resource).filter(|q| !held.contains(q)).collect()
    }

    fn others(&self, job: usize) -> impl Iterator<Item = usize> {
        (0..self.jobs.len()).filter(move |&other| other != job)
    }

    /// Returns the urgency of a job; larger is served earlier.
    fn urgency(&self, job: usize, seen: &mut Vec<usize>) -> u64 {
        let (own, task) = (&self.jobs[job], &self.set.tasks()[self.jobs[job].task]);
        let base = u64::from(task.priority);
        let ceiling = |q: usize| u64::from(self.set.ceiling(q, 0).unwrap_or(0));
        let held = self.held(job);
        let top = u64::MAX;
        match self.policy {
            Policy::FixedPriority if own.executed > 0 => u64::from(task.effective_threshold()),
            Policy::FixedPriority => base,
            Policy::NonPreemptive => {
                if own.executed > 0 {
                    top
                } else {
                    base
                }
            }
            Policy::NonPreemptiveSections => {
                if held.is_empty() {
                    base
                } else {
                    top
                }
            }
            Policy::ImmediateCeiling => held.into_iter().map(ceiling).fold(base, u64::max),
            Policy::Inheritance | Policy::Ceiling => {
                seen.push(job);
                let waiters = self.waiting_for(job, seen);
                waiters.into_iter().map(|w| self.urgency(w, seen)).fold(base, u64::max)
            }
            Policy::EdfNonPreemptiveSections if !held.is_empty() => top,
            Policy::StackResource | Policy::EdfNonPreemptiveSections => {
                top - 1 - (own.arrival + task.deadline)
            }
        }
    }

    /// The jobs that a job holds up, except those already looked at.
    fn waiting_for(&self, job: usize, seen: &[usize]) -> Vec<usize> {
        let pending = self.pending();
        let waits = |&w: &usize| {
            w != job && !seen.contains(&w) && self.refused(w).is_some_and(|r| r.by == job)
        };
        pending.into_iter().filter(waits).collect()
    }

    /// Returns the reason for which a job cannot execute its next tick now.
    fn refused(&self, job: usize) -> Option<Refused> {
        let wanted = self.wanted(job);
        let holder = |q: usize| self.others(job).find(|&other| self.held(other).contains(&q));
        if let Some(by) = wanted.iter().find_map(|&q| holder(q)) {
            return Some(Refused { by });
        }
        match self.policy {
            Policy::Ceiling if !wanted.is_empty() => self.below_ceiling(job),
            Policy::StackResource if self.jobs[job].executed == 0 => self.below_system_level(job),
            _ => None,
        }
    }

    /// The priority ceiling protocol: a request needs a priority above all ceilings of what others
    /// hold.
    fn below_ceiling(&self, job: usize) -> Option<Refused> {
        let own = self.set.tasks()[self.jobs[job].task].priority;
        let ceilings = self
            .others(job)
            .flat_map(|other| self.held(other).into_iter().map(move |q| (q, other)));
        let highest = ceilings.max_by_key(|&(q, other)| (self.set.ceiling(q, 0), other));
        highest
            .filter(|&(q, _)| self.set.ceiling(q, 0) >= Some(own as Priority))
            .map(|(_, by)| Refused { by })
    }

    /// The stack resource policy: a job starts only if its deadline is shorter than that of any
    /// user of what is held.
    fn below_system_level(&self, job: usize) -> Option<Refused> {
        let own = self.set.tasks()[self.jobs[job].task].deadline;
        let shortest = |q: usize| self.set.users(q).map(|(_, t)| t.deadline).min();
        self.others(job)
            .find(|&other| {
                self.held(other).into_iter().any(|q| shortest(q).is_some_and(|d| own >= d))
            })
            .map(|by| Refused { by })
    }
}
