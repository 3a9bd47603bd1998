//! Who runs in each unit of time, from the rules alone.

use std::collections::VecDeque;

use fusee_kernel::{NEVER, Protocol, Time};

use super::{Drawn, Task, shortest};
use crate::scripted::{BACKLOG, END, Op, Schedule};

#[derive(Debug, Clone, Default)]
struct Job {
    /// Nominal arrivals, that of the job under way first.
    arrivals: VecDeque<Time>,
    at: usize,
    /// Gates held, and the deadline that each brings by itself.
    held: Vec<(usize, Time)>,
    waits: Option<usize>,
    /// Place among equals, in the ready queue or at a gate.
    place: i64,
    slice: Time,
}

pub(crate) struct Simulator<'d> {
    system: &'d Drawn,
    jobs: Vec<Job>,
    effective: Vec<Time>,
    running: Option<usize>,
    front: i64,
    back: i64,
    now: Time,
    blocked: bool,
}

impl Simulator<'_> {
    pub(crate) fn run(system: &Drawn) -> (Schedule, bool) {
        let jobs = vec![Job::default(); system.tasks.len()];
        let effective = vec![NEVER; jobs.len()];
        let mut simulator = Simulator {
            system,
            jobs,
            effective,
            running: None,
            front: 0,
            back: 0,
            now: 0,
            blocked: false,
        };
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
        (schedule, simulator.blocked)
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
        self.jobs[task].slice = self.system.slice;
        self.effective[task] = self.base(task);
        self.go_back(task);
    }

    fn base(&self, task: usize) -> Time {
        self.jobs[task]
            .arrivals
            .front()
            .map_or(NEVER, |at| at.saturating_add(self.system.tasks[task].deadline))
    }

    fn holder(&self, gate: usize) -> Option<usize> {
        (0..self.jobs.len()).find(|&task| self.jobs[task].held.iter().any(|held| held.0 == gate))
    }

    fn take(&mut self, task: usize, gate: usize) {
        let own = match self.system.gates[gate] {
            Protocol::Srp { .. } => self.now.saturating_add(shortest(&self.system.tasks, gate)),
            Protocol::NonPreemptive => 0,
            _ => NEVER,
        };
        self.jobs[task].held.push((gate, own));
        self.jobs[task].at += 1;
    }

    fn step(&mut self, task: usize, schedule: &mut Schedule) {
        match self.op(task) {
            Some(Op::Enter(gate)) if self.holder(gate).is_none() => self.take(task, gate),
            Some(Op::Enter(gate)) => {
                self.blocked = true;
                self.jobs[task].waits = Some(gate);
                self.go_back(task);
                self.running = None;
            }
            Some(Op::Leave) => {
                self.jobs[task].at += 1;
                let gate = self.jobs[task].held.pop().expect("a gate").0;
                self.hand_on(gate);
            }
            Some(Op::Work) => {}
            None => {
                let arrival = self.jobs[task].arrivals.pop_front().expect("a job");
                schedule.completions.push((self.now, task, self.now - arrival));
                self.running = None;
                self.effective[task] = NEVER;
                if !self.jobs[task].arrivals.is_empty() {
                    self.begin(task);
                }
            }
        }
    }

    fn hand_on(&mut self, gate: usize) {
        let waiters = (0..self.jobs.len()).filter(|&task| self.jobs[task].waits == Some(gate));
        let fifo = self.system.gates[gate] == Protocol::Fifo;
        let rank =
            |&task: &usize| (if fifo { 0 } else { self.effective[task] }, self.jobs[task].place);
        if let Some(next) = waiters.min_by_key(rank) {
            self.jobs[next].waits = None;
            self.take(next, gate);
            if self.jobs[next].held.len() > 1 {
                self.go_front(next)
            } else {
                self.go_back(next)
            }
            self.effective[next] = self.derive()[next];
        }
    }

    /// All effective deadlines, from nothing.
    fn derive(&self) -> Vec<Time> {
        let active = |task: usize| !self.jobs[task].arrivals.is_empty();
        let mut of: Vec<Time> = (0..self.jobs.len()).map(|task| self.base(task)).collect();
        for _ in 0..of.len() {
            for task in 0..of.len() {
                for &(gate, own) in &self.jobs[task].held {
                    let inherits = self.system.gates[gate] != Protocol::Fifo;
                    let waits = |other: &usize| {
                        inherits && active(*other) && self.jobs[*other].waits == Some(gate)
                    };
                    let most =
                        (0..of.len()).filter(waits).map(|other| of[other]).min().unwrap_or(NEVER);
                    of[task] = of[task].min(own).min(most);
                }
            }
        }
        of
    }

    /// Effective deadlines take effect, then the earliest runs.
    fn settle(&mut self) {
        let derived = self.derive();
        for (task, &deadline) in derived.iter().enumerate() {
            if deadline != self.effective[task] {
                self.effective[task] = deadline;
                match self.jobs[task].waits {
                    // It queues anew, behind its equals there.
                    Some(gate) if self.system.gates[gate] != Protocol::Fifo => self.go_back(task),
                    Some(_) => {}
                    None if self.running != Some(task) => self.go_front(task),
                    None => {}
                }
            }
        }
        let ready = |task: &usize| {
            !self.jobs[*task].arrivals.is_empty() && self.jobs[*task].waits.is_none()
        };
        let rank = |task: &usize| (self.effective[*task], self.jobs[*task].place);
        let best = (0..self.jobs.len())
            .filter(ready)
            .filter(|&task| self.running != Some(task))
            .min_by_key(rank);
        match (self.running, best) {
            (Some(current), Some(best)) if self.effective[best] < self.effective[current] => {
                self.go_front(current);
                self.running = Some(best);
            }
            (None, best) => self.running = best,
            _ => {}
        }
    }

    fn rotate(&mut self, task: usize) {
        self.jobs[task].slice = self.system.slice;
        let floor = |gate: usize| {
            matches!(self.system.gates[gate], Protocol::Srp { .. } | Protocol::NonPreemptive)
        };
        let pinned = self.jobs[task].held.iter().any(|held| floor(held.0));
        let ready = |other: &usize| {
            *other != task
                && !self.jobs[*other].arrivals.is_empty()
                && self.jobs[*other].waits.is_none()
        };
        let equal = (0..self.jobs.len())
            .filter(ready)
            .any(|other| self.effective[other] == self.effective[task]);
        if equal && !pinned {
            self.go_back(task);
            self.running = None;
        }
    }
}
