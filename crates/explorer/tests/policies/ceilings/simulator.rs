//! Who runs in each unit of time, from the protocol's definition alone.

use std::collections::{BTreeSet, VecDeque};

use fusee_kernel::{NEVER, Time};

use super::{Drawn, Kinds, Task};
use crate::scripted::{BACKLOG, END, Op, Schedule};

#[derive(Debug, Clone, Default)]
struct Job {
    /// Nominal arrivals, that of the job under way first.
    arrivals: VecDeque<Time>,
    at: usize,
    held: Vec<usize>,
    /// The held gate that is in its way.
    waits: Option<usize>,
    /// Place among equals.
    place: i64,
    slice: Time,
    /// The jobs of lower tasks for which this one has waited.
    waited_for: BTreeSet<(usize, Time)>,
}

pub(crate) struct Simulator<'d> {
    system: &'d Drawn,
    jobs: Vec<Job>,
    effective: Vec<u8>,
    running: Option<usize>,
    front: i64,
    back: i64,
    now: Time,
    most: usize,
}

impl Simulator<'_> {
    /// The schedule, and how often a job waits at most.
    pub(crate) fn run(system: &Drawn) -> (Schedule, usize) {
        let jobs = vec![Job::default(); system.tasks.len()];
        let effective = system.tasks.iter().map(|task| task.priority).collect();
        let (running, front, back, now, most) = (None, 0, 0, 0, 0);
        let mut simulator = Simulator { system, jobs, effective, running, front, back, now, most };
        let mut schedule = Schedule::default();
        while simulator.now < END {
            let mut due = (0..system.tasks.len())
                .filter(|&task| simulator.is_due(task))
                .collect::<VecDeque<_>>();
            loop {
                match simulator.running {
                    Some(task) if simulator.op(task) != Some(Op::Work) => {
                        simulator.step(task, &mut schedule)
                    }
                    _ if !due.is_empty() => {
                        due.pop_front().into_iter().for_each(|task| simulator.release(task))
                    }
                    Some(task) if simulator.jobs[task].slice == 0 => simulator.rotate(task),
                    _ => break,
                }
                simulator.settle();
            }
            schedule.ticks.push(simulator.running);
            if let Some(task) = simulator.running {
                simulator.jobs[task].at += 1;
                let slice = &mut simulator.jobs[task].slice;
                *slice = if *slice == NEVER { NEVER } else { *slice - 1 };
            }
            simulator.now += 1;
        }
        (schedule, simulator.most)
    }

    fn is_due(&self, task: usize) -> bool {
        let Task { period, offset, .. } = self.system.tasks[task];
        self.now >= offset && (self.now - offset).is_multiple_of(period)
    }

    fn op(&self, task: usize) -> Option<Op> {
        self.system.tasks[task].script.get(self.jobs[task].at).copied()
    }

    fn go_back(&mut self, task: usize) {
        self.back += 1;
        self.jobs[task].place = self.back;
    }

    fn go_front(&mut self, task: usize) {
        self.front -= 1;
        self.jobs[task].place = self.front;
    }

    fn release(&mut self, task: usize) {
        let job = &mut self.jobs[task];
        // The job under way does not count among those that wait.
        if job.arrivals.len() <= usize::from(BACKLOG) {
            job.arrivals.push_back(self.now);
        }
        if job.arrivals.len() == 1 {
            self.begin(task);
        }
    }

    fn begin(&mut self, task: usize) {
        self.jobs[task].at = 0;
        self.jobs[task].waited_for.clear();
        self.jobs[task].slice = self.system.slice;
        self.go_back(task);
    }

    fn holder(&self, gate: usize) -> Option<usize> {
        (0..self.jobs.len()).find(|&task| self.jobs[task].held.contains(&gate))
    }

    /// The gate that is in a task's way to another one: that of the highest ceiling which somebody
    /// else holds, the innermost of its holder's.
    fn bar(&self, task: usize, gate: usize) -> Option<usize> {
        if self.system.gates[gate] != Kinds::Ceiling {
            return self.holder(gate).map(|_| gate);
        }
        let own = self.system.tasks[task].priority;
        let others = (0..self.jobs.len()).filter(|&other| other != task);
        let held = others.flat_map(|other| self.jobs[other].held.iter().map(move |&g| (other, g)));
        let ceilings = held.filter(|&(_, gate)| self.system.gates[gate] == Kinds::Ceiling);
        let (holder, highest) = ceilings
            .map(|(other, gate)| (other, self.system.ceiling(gate)))
            .max_by_key(|&(_, ceiling)| ceiling)?;
        let is_ceiling = |gate: &&usize| self.system.gates[**gate] == Kinds::Ceiling;
        let innermost = self.jobs[holder].held.iter().rev().find(is_ceiling).copied();
        if own > highest { None } else { innermost }
    }

    fn step(&mut self, task: usize, schedule: &mut Schedule) {
        match self.op(task) {
            Some(Op::Enter(gate)) => match self.bar(task, gate) {
                None => {
                    self.jobs[task].held.push(gate);
                    self.jobs[task].at += 1;
                }
                Some(bar) => {
                    self.jobs[task].waits = Some(bar);
                    self.count(bar, task);
                    self.go_back(task);
                    self.running = None;
                }
            },
            Some(Op::Leave) => {
                self.jobs[task].at += 1;
                let gate = self.jobs[task].held.pop().expect("a gate");
                self.effective[task] = self.derive()[task];
                self.free(gate);
            }
            Some(Op::Work) => {}
            None => {
                let arrival = self.jobs[task].arrivals.pop_front().expect("a job");
                schedule.completions.push((self.now, task, self.now - arrival));
                self.running = None;
                if !self.jobs[task].arrivals.is_empty() {
                    self.begin(task);
                }
            }
        }
    }

    /// A task waits for the holder of a gate, which counts if that one is lower: equals may wait
    /// for each other often. It asks again at each end of a section within the outermost one.
    fn count(&mut self, gate: usize, task: usize) {
        let tasks = &self.system.tasks;
        let Some(holder) = self.holder(gate) else { return };
        if tasks[holder].priority < tasks[task].priority {
            let since = self.jobs[holder].arrivals[0];
            self.jobs[task].waited_for.insert((holder, since));
        }
        self.most = self.most.max(self.jobs[task].waited_for.len());
    }

    /// A gate is free: the first who waits gets it, or, where it has barred others, each asks anew.
    fn free(&mut self, gate: usize) {
        let waits = |task: &usize| self.jobs[*task].waits == Some(gate);
        let mut waiters: Vec<usize> = (0..self.jobs.len()).filter(waits).collect();
        waiters.sort_by_key(|&task| (u8::MAX - self.effective[task], self.jobs[task].place));
        if self.system.gates[gate] == Kinds::Ceiling {
            for task in waiters {
                self.jobs[task].waits = None;
                self.go_back(task);
            }
        } else if let Some(&next) = waiters.first() {
            self.jobs[next].waits = None;
            self.jobs[next].held.push(gate);
            self.jobs[next].at += 1;
            if self.jobs[next].held.len() > 1 {
                self.go_front(next)
            } else {
                self.go_back(next)
            }
            self.effective[next] = self.derive()[next];
        }
    }

    /// All effective priorities, from nothing.
    fn derive(&self) -> Vec<u8> {
        let mut of: Vec<u8> = self.system.tasks.iter().map(|task| task.priority).collect();
        for _ in 0..of.len() {
            for task in 0..of.len() {
                for &gate in &self.jobs[task].held {
                    let own = if self.system.gates[gate] == Kinds::Fixed { 7 } else { 0 };
                    let waits = |other: &usize| self.jobs[*other].waits == Some(gate);
                    let most = (0..of.len()).filter(waits).map(|other| of[other]).max();
                    of[task] = of[task].max(own).max(most.unwrap_or(0));
                }
            }
        }
        of
    }

    /// Effective priorities take effect, then the highest runs.
    fn settle(&mut self) {
        let derived = self.derive();
        for (task, &priority) in derived.iter().enumerate() {
            if priority != self.effective[task] {
                self.effective[task] = priority;
                match self.jobs[task].waits {
                    // It queues anew, behind its equals there.
                    Some(_) => self.go_back(task),
                    None if self.running != Some(task) => self.go_front(task),
                    None => {}
                }
            }
        }
        let ready = |task: &usize| {
            !self.jobs[*task].arrivals.is_empty() && self.jobs[*task].waits.is_none()
        };
        let rank = |task: &usize| (u8::MAX - self.effective[*task], self.jobs[*task].place);
        let best = (0..self.jobs.len())
            .filter(ready)
            .filter(|&task| self.running != Some(task))
            .min_by_key(rank);
        match (self.running, best) {
            (Some(current), Some(best)) if self.effective[best] > self.effective[current] => {
                self.go_front(current);
                self.running = Some(best);
            }
            (None, best) => self.running = best,
            _ => {}
        }
    }

    fn rotate(&mut self, task: usize) {
        self.jobs[task].slice = self.system.slice;
        let ready = |other: &usize| {
            *other != task
                && !self.jobs[*other].arrivals.is_empty()
                && self.jobs[*other].waits.is_none()
        };
        let equal = (0..self.jobs.len())
            .filter(ready)
            .any(|other| self.effective[other] == self.effective[task]);
        if equal {
            self.go_back(task);
            self.running = None;
        }
    }
}
