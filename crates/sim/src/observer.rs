//! Bookkeeping of a run: responses, misses, blocking, preemptions.
//!
//! The observer is told what happens and counts; it decides nothing. All of its
//! memory is taken before the run. Blocking is measured as what it means: time in
//! which a less urgent thread executes while a job is under way. Under fixed priorities
//! that is one of lower base priority. Since that is rare, a bit mask of the jobs under
//! way tells in a word or two whether anybody is affected at all. Under earliest deadline
//! it is one whose job is due later.

use crate::chains::ChainWatch;
use crate::outcome::Reached;
use crate::outcome::{GateOutcome, Outcome, TaskOutcome};
use fusee_kernel::Record;
use fusee_model::{Duration, Policy, System};
use std::collections::VecDeque;

pub(crate) struct Observer {
    tasks: Vec<Watched>,
    gates: Vec<GateOutcome>,
    chains: Vec<ChainWatch>,
    /// Tasks with a job under way, a bit each.
    active: Vec<u64>,
    urgency: Vec<Urgency>,
    busy: u64,
    kernel: u64,
    refused: u64,
    cores: u32,
}

/// The rule that says which tasks of the same core are more urgent than a task.
enum Urgency {
    /// Those of higher base priority, a bit each.
    Above(Vec<u64>),
    /// Tasks whose job under way is due earlier.
    Deadlines,
}

impl Urgency {
    /// Returns the rule for each task.
    fn of(system: &System) -> Vec<Urgency> {
        // Among the threads of one scheduler nobody is, to the kernel.
        let levels: Vec<_> = system.task_ids().map(|(id, _)| system.level(id)).collect();
        let above = system.tasks.iter().zip(&levels).map(|(task, level)| {
            if system.policy_on(task.core) == Policy::EarliestDeadline {
                return Urgency::Deadlines;
            }
            let mut above = vec![0u64; system.tasks.len().div_ceil(64)];
            for (index, other) in system.tasks.iter().enumerate() {
                if other.core == task.core && levels[index] > *level {
                    above[index / 64] |= 1 << (index % 64);
                }
            }
            Urgency::Above(above)
        });
        above.collect()
    }
}

struct Watched {
    deadline: Option<u64>,
    /// Nominal arrivals of released jobs, the one under way first.
    arrivals: VecDeque<u64>,
    /// Execution of less urgent threads during the job under way.
    blocked: u64,
    /// The task's own execution time.
    executed: u64,
    waiting_since: u64,
    /// Since when it waits at a gate between cores for its section to begin.
    asked: Option<u64>,
    core: u32,
    outcome: TaskOutcome,
}

impl Observer {
    pub(crate) fn new(system: &System) -> Observer {
        let words = system.tasks.len().div_ceil(64);
        let tasks = system.tasks.iter().map(|task| {
            let period = task.release.as_ref().map(|r| r.period.value.ns());
            let deadline = task.deadline.map(|d| d.value.ns()).or(period);
            let (arrivals, outcome) = (VecDeque::with_capacity(16), TaskOutcome::default());
            let core = task.core;
            Watched {
                deadline,
                arrivals,
                blocked: 0,
                executed: 0,
                waiting_since: 0,
                asked: None,
                core,
                outcome,
            }
        });
        let tasks = tasks.collect();
        Observer {
            tasks,
            gates: vec![GateOutcome::default(); system.gates.len()],
            chains: system.chains.iter().map(|chain| ChainWatch::of(system, chain)).collect(),
            active: vec![0; words],
            urgency: Urgency::of(system),
            busy: 0,
            kernel: 0,
            refused: 0,
            cores: system.cores(),
        }
    }

    /// Says that the records do not tell of signals.
    pub(crate) fn hide_signals(&mut self) {
        self.chains.iter_mut().for_each(ChainWatch::hide_signals);
    }

    /// A signal, of some task if it is of one, came too early for its task.
    pub(crate) fn deferred(&mut self, task: usize, by: Option<usize>) {
        self.tasks[task].outcome.early += 1;
        self.chains.iter_mut().for_each(|chain| chain.deferred(task, by));
    }

    /// A job was released, perhaps by the signal of a task.
    pub(crate) fn released(&mut self, task: usize, (nominal, now): (u64, u64), by: Option<usize>) {
        self.chains.iter_mut().for_each(|chain| chain.released(task, (nominal, now), by));
        self.tasks[task].arrivals.push_back(nominal);
        self.tasks[task].outcome.released += 1;
        self.active[task / 64] |= 1 << (task % 64);
    }

    /// An arrival was dropped before it counted as one.
    pub(crate) fn refused_early(&mut self, task: usize) {
        self.tasks[task].outcome.lost += 1;
        self.tasks[task].outcome.misses += 1;
    }

    /// The release just told of was dropped.
    pub(crate) fn lost(&mut self, task: usize) {
        self.chains.iter_mut().for_each(|chain| chain.lost(task));
        let watched = &mut self.tasks[task];
        watched.arrivals.pop_back();
        watched.outcome.lost += 1;
        watched.outcome.misses += 1;
        if watched.arrivals.is_empty() {
            self.active[task / 64] &= !(1 << (task % 64));
        }
    }

    /// The job under way is over without being complete.
    pub(crate) fn ended(&mut self, task: usize, now: u64) {
        self.chains.iter_mut().for_each(|chain| chain.crashed(task, now));
        let watched = &mut self.tasks[task];
        watched.outcome.crashed += u64::from(watched.arrivals.pop_front().is_some());
        watched.blocked = 0;
        watched.end_execution();
        if watched.arrivals.is_empty() {
            self.active[task / 64] &= !(1 << (task % 64));
        }
    }

    /// The task's thread did what the machine does not let it do.
    pub(crate) fn faulted(&mut self, task: usize) {
        self.tasks[task].outcome.faults += 1;
    }

    /// The job under way is complete.
    pub(crate) fn completed(&mut self, task: usize, now: u64) {
        self.chains.iter_mut().for_each(|chain| chain.completed(task, now));
        let watched = &mut self.tasks[task];
        let Some(nominal) = watched.arrivals.pop_front() else { return };
        watched.end_execution();
        let response = now.saturating_sub(nominal);
        let blocked = std::mem::take(&mut watched.blocked);
        let outcome = &mut watched.outcome;
        outcome.jobs += 1;
        outcome.responses.sum += u128::from(response);
        outcome.responses.histogram.add(response);
        outcome.misses += u64::from(watched.deadline.is_some_and(|deadline| response > deadline));
        outcome.blocking_max = outcome.blocking_max.max(Duration(blocked));
        if outcome.responses.worst.is_none() || response > outcome.responses.longest.ns() {
            outcome.responses.longest = Duration(response);
            outcome.responses.worst = Some((Duration(nominal), Duration(now)));
        }
        if watched.arrivals.is_empty() {
            self.active[task / 64] &= !(1 << (task % 64));
        }
    }

    /// `task` had its core for `time`, and code was executed in it, or it waited there.
    pub(crate) fn passed(&mut self, task: usize, executed: bool, time: u64) {
        if executed {
            self.busy += time;
            let watched = &mut self.tasks[task];
            watched.executed += if watched.arrivals.is_empty() { 0 } else { time };
        }
        let Urgency::Above(above) = &self.urgency[task] else {
            return self.passed_before_due(task, time);
        };
        for (word, above) in above.iter().enumerate() {
            let mut affected = self.active[word] & above;
            while affected != 0 {
                self.tasks[word * 64 + affected.trailing_zeros() as usize].blocked += time;
                affected &= affected - 1;
            }
        }
    }

    /// The same where jobs that are due earlier are more urgent.
    fn passed_before_due(&mut self, task: usize, time: u64) {
        let (own, core) = (self.tasks[task].due(), self.tasks[task].core);
        for other in self.tasks.iter_mut().filter(|other| !other.arrivals.is_empty()) {
            if other.core == core && other.due() < own {
                other.blocked += time;
            }
        }
    }

    /// The kernel took `time`.
    pub(crate) fn in_kernel(&mut self, time: u64) {
        self.kernel = self.kernel.saturating_add(time);
    }

    /// The kernel refused something that `task` asked for.
    pub(crate) fn refused(&mut self, task: usize) {
        self.refused += 1;
        self.tasks[task].outcome.refused += 1;
    }

    /// A job lost the core although it could go on.
    pub(crate) fn preempted(&mut self, task: usize) {
        self.tasks[task].outcome.preemptions += 1;
    }

    /// A budget ended before its job.
    pub(crate) fn overrun(&mut self, task: usize) {
        self.tasks[task].outcome.overruns += 1;
    }

    /// `task` invokes `gate`.
    pub(crate) fn invoked(&mut self, gate: usize) {
        self.gates[gate].invocations += 1;
    }

    /// ... and has to wait.
    pub(crate) fn waits(&mut self, task: usize, gate: usize, now: u64) {
        self.gates[gate].contended += 1;
        self.tasks[task].waiting_since = now;
    }

    /// ... and has got it.
    pub(crate) fn acquired(&mut self, task: usize, gate: usize, now: u64) {
        let waited = Duration(now - self.tasks[task].waiting_since);
        self.gates[gate].longest_wait = self.gates[gate].longest_wait.max(waited);
    }

    /// `task` has asked at a gate between cores and has to wait.
    pub(crate) fn waits_between_cores(&mut self, task: usize, gate: usize, now: u64) {
        self.gates[gate].contended += 1;
        self.tasks[task].asked = Some(now);
    }

    /// Some core executes the section of `task`, for the first time or again.
    pub(crate) fn has_turn(&mut self, task: usize, gate: usize, now: u64) {
        if let Some(asked) = self.tasks[task].asked.take() {
            let longest = &mut self.gates[gate].longest_wait;
            *longest = Duration(now - asked).max(*longest);
        }
    }

    /// The result of a run.
    pub(crate) fn finish(self, reached: Reached, records: Vec<Record>) -> Outcome {
        let now = reached.now;
        let tasks = self.tasks.into_iter().map(|watched| {
            let end = reached.cores.get(watched.core as usize).copied();
            watched.finish(end.unwrap_or(now))
        });
        Outcome {
            tasks: tasks.collect(),
            gates: self.gates,
            chains: self.chains.into_iter().map(|chain| chain.finish(now)).collect(),
            events: reached.events,
            refused: self.refused,
            elapsed: Duration(now),
            busy: Duration(self.busy),
            kernel: Duration(self.kernel),
            cut_short: reached.cut_short,
            cores: self.cores,
            records,
        }
    }
}

impl Watched {
    /// When the job under way is due; without one, or without deadline, never.
    fn due(&self) -> u64 {
        let due = self
            .arrivals
            .front()
            .zip(self.deadline)
            .and_then(|(&nominal, span)| nominal.checked_add(span));
        due.unwrap_or(u64::MAX)
    }

    /// The job under way executes no more.
    fn end_execution(&mut self) {
        let executed = Duration(std::mem::take(&mut self.executed));
        self.outcome.execution_max = self.outcome.execution_max.max(executed);
    }

    /// Jobs that are still under way count as misses if their deadline has passed.
    fn finish(mut self, now: u64) -> TaskOutcome {
        self.end_execution();
        let age = |nominal: u64| now.saturating_sub(nominal);
        let late = self
            .arrivals
            .iter()
            .filter(|&&nominal| self.deadline.is_some_and(|d| age(nominal) > d));
        let late = late.count() as u64;
        let mut outcome = self.outcome;
        outcome.misses += late;
        outcome.unfinished = self.arrivals.len() as u64;
        outcome.oldest = Duration(self.arrivals.front().map_or(0, |&nominal| age(nominal)));
        outcome
    }
}
