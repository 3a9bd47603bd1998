//! A simulator that moves one tick at a time and works everything out anew.
//!
//! Slow and plain on purpose: no queues, no saved priorities, no kernel of ours.
//! At each tick the effective priorities are the fixpoint of their definition, and
//! the most urgent thread that is not waiting runs; among equally urgent ones any
//! may run, drawn anew each tick or first come first served. What takes no time and
//! can happen at an instant happens before the releases of that instant.

use std::collections::VecDeque;

use fusee_generate::Random;
use fusee_model::derived::Derived;
use fusee_model::{Body, Overrun, Protocol, Step, System};

/// How a run goes.
pub(crate) struct Run {
    pub(crate) ticks: u64,
    pub(crate) seed: u64,
    /// All tasks released together and as densely as allowed, always the longest execution.
    pub(crate) dense: bool,
    /// Among equally urgent threads, draw one each tick.
    pub(crate) shuffle: bool,
}

#[derive(Debug, Clone, Copy)]
enum Op {
    Compute(u64),
    Enter(usize),
    Leave(usize),
}

struct Thread {
    base: i32,
    ops: VecDeque<Op>,
    /// Nominal arrivals of the current job and of those behind it.
    jobs: VecDeque<u64>,
    held: Vec<usize>,
    waits: Option<usize>,
    budget: Option<u64>,
    suspended: bool,
    /// When it last became ready, for first come first served.
    since: u64,
    nominal: u64,
    release: u64,
    worst: u64,
}

pub(crate) struct Machine<'a> {
    system: &'a System,
    ceilings: Vec<i32>,
    threads: Vec<Thread>,
    /// Waiters in order of arrival.
    queues: Vec<Vec<usize>>,
    random: Random,
    run: Run,
    clock: u64,
}

/// The longest response time of each task.
pub(crate) fn worst_responses(system: &System, run: Run) -> Vec<u64> {
    let mut machine = Machine::new(system, run);
    for now in 0..machine.run.ticks {
        machine.settle(now);
        machine.release(now);
        if let Some(thread) = machine.settle(now) {
            machine.execute(thread);
        }
    }
    machine.threads.iter().map(|t| t.worst).collect()
}

impl<'a> Machine<'a> {
    fn new(system: &'a System, run: Run) -> Self {
        let derived = Derived::of(system);
        let ceiling = |index: usize| match system.gates[index].protocol.value {
            Protocol::Fixed => derived.gates[index].ceiling.map_or(-1, i32::from),
            _ => -1,
        };
        let mut random = Random::new(run.seed, 0);
        let common = system.tasks.iter().filter_map(|t| t.release.as_ref()).map(|r| r.jitter.value.ns()).max();
        let threads = (system.tasks.iter())
            .map(|task| {
                let release = task.release.as_ref().expect("all tasks here have releases");
                let jitter = release.jitter.value.ns();
                let nominal =
                    if run.dense { common.unwrap_or(0) - jitter } else { random.below(release.period.value.ns()) };
                let late = if run.dense { jitter } else { random.between(0, jitter) };
                Thread {
                    base: i32::from(task.priority.value),
                    ops: VecDeque::new(),
                    jobs: VecDeque::new(),
                    held: Vec::new(),
                    waits: None,
                    budget: None,
                    suspended: false,
                    since: 0,
                    nominal,
                    release: nominal + late,
                    worst: 0,
                }
            })
            .collect();
        let ceilings = (0..system.gates.len()).map(ceiling).collect();
        Self { system, ceilings, threads, queues: vec![Vec::new(); system.gates.len()], random, run, clock: 0 }
    }

    fn release(&mut self, now: u64) {
        for index in 0..self.threads.len() {
            while self.threads[index].release <= now {
                self.release_one(index);
            }
        }
    }

    fn release_one(&mut self, index: usize) {
        let task = &self.system.tasks[index];
        let release = task.release.as_ref().expect("all tasks here have releases");
        let period = release.period.value.ns();
        let sporadic = !self.run.dense && release.kind == fusee_model::ReleaseKind::Sporadic && self.random.chance(50);
        let gap = if sporadic { self.random.between(0, period) } else { 0 };
        let late = if self.run.dense { 0 } else { self.random.between(0, release.jitter.value.ns()) };
        if self.threads[index].jobs.is_empty() {
            self.start(index);
        }
        let thread = &mut self.threads[index];
        thread.jobs.push_back(thread.nominal);
        thread.suspended = false;
        thread.budget = (task.budget.as_ref()).filter(|b| b.overrun == Overrun::Suspend).map(|b| b.amount.value.ns());
        thread.nominal += period + gap;
        thread.release = thread.release.max(thread.nominal + late);
    }

    fn start(&mut self, index: usize) {
        let mut ops = VecDeque::new();
        self.unfold(&self.system.tasks[index].body, &mut ops);
        self.clock += 1;
        let thread = &mut self.threads[index];
        thread.ops = ops;
        thread.since = self.clock;
    }

    fn unfold(&mut self, body: &Body, ops: &mut VecDeque<Op>) {
        for step in &body.steps {
            match *step {
                Step::Compute { best, worst } => {
                    let time = if self.run.dense { worst.ns() } else { self.random.between(best.ns(), worst.ns()) };
                    ops.push_back(Op::Compute(time));
                }
                Step::Invoke { gate, method, .. } => {
                    let described = &self.system.gates[gate.index()];
                    let method = method.unwrap_or_else(|| self.random.below(described.methods.len() as u64) as usize);
                    let exclusive = described.protocol.value.is_exclusive() && !described.direct;
                    ops.extend(exclusive.then_some(Op::Enter(gate.index())));
                    self.unfold(&described.methods[method].body, ops);
                    ops.extend(exclusive.then_some(Op::Leave(gate.index())));
                }
                Step::Emit(_) | Step::Wait(_) => {}
            }
        }
    }

    fn holder(&self, gate: usize) -> Option<usize> {
        self.threads.iter().position(|t| t.held.contains(&gate))
    }

    /// Effective priorities: the least fixpoint of max(base, ceilings held, whoever waits for a gate held).
    fn priorities(&self) -> Vec<i32> {
        let ceiling = |t: &Thread| t.held.iter().map(|&g| self.ceilings[g]).max().unwrap_or(-1);
        let mut levels: Vec<i32> = self.threads.iter().map(|t| t.base.max(ceiling(t))).collect();
        loop {
            let before = levels.clone();
            for (waiter, thread) in self.threads.iter().enumerate() {
                let Some(gate) = thread.waits else { continue };
                if let Some(holder) = self.holder(gate)
                    && self.system.gates[gate].protocol.value != Protocol::Fifo
                {
                    levels[holder] = levels[holder].max(levels[waiter]);
                }
            }
            if levels == before {
                return levels;
            }
        }
    }

    /// Lets the chosen thread do what takes no time, until one computes.
    fn settle(&mut self, now: u64) -> Option<usize> {
        loop {
            let thread = self.choose()?;
            self.operate(thread, now);
            let chosen = &self.threads[thread];
            if chosen.waits.is_none() && matches!(chosen.ops.front(), Some(Op::Compute(1..))) && self.is_choice(thread)
            {
                return Some(thread);
            }
        }
    }

    fn is_ready(&self, thread: &Thread) -> bool {
        !thread.jobs.is_empty() && thread.waits.is_none() && !thread.suspended
    }

    fn is_choice(&self, thread: usize) -> bool {
        let levels = self.priorities();
        let most = (0..self.threads.len()).filter(|&t| self.is_ready(&self.threads[t])).map(|t| levels[t]).max();
        self.is_ready(&self.threads[thread]) && most == Some(levels[thread])
    }

    fn choose(&mut self) -> Option<usize> {
        let ready: Vec<usize> = (0..self.threads.len()).filter(|&t| self.is_choice(t)).collect();
        if self.run.shuffle {
            return self.random.pick(&ready).copied();
        }
        ready.into_iter().min_by_key(|&t| self.threads[t].since)
    }

    /// Operations without duration at the front of a thread's job.
    fn operate(&mut self, index: usize, now: u64) {
        loop {
            let thread = &mut self.threads[index];
            if thread.jobs.is_empty() || thread.waits.is_some() || thread.suspended {
                return;
            }
            if !self.is_choice(index) {
                return;
            }
            let thread = &mut self.threads[index];
            match thread.ops.front().copied() {
                Some(Op::Compute(0)) => {
                    thread.ops.pop_front();
                }
                Some(Op::Compute(_)) => return,
                Some(Op::Enter(gate)) => self.enter(index, gate),
                Some(Op::Leave(gate)) => self.leave(index, gate),
                None => return self.complete(index, now),
            }
        }
    }

    fn enter(&mut self, index: usize, gate: usize) {
        if self.holder(gate).is_some() {
            self.threads[index].waits = Some(gate);
            self.queues[gate].push(index);
        } else {
            self.threads[index].held.push(gate);
            self.threads[index].ops.pop_front();
        }
    }

    fn leave(&mut self, index: usize, gate: usize) {
        self.threads[index].ops.pop_front();
        let levels = self.priorities();
        self.threads[index].held.retain(|&g| g != gate);
        let fifo = self.system.gates[gate].protocol.value == Protocol::Fifo;
        let urgency =
            |(place, &waiter): (usize, &usize)| (if fifo { 0 } else { levels[waiter] }, std::cmp::Reverse(place));
        let Some(place) = self.queues[gate].iter().enumerate().max_by_key(|&e| urgency(e)).map(|(place, _)| place)
        else {
            return;
        };
        let next = self.queues[gate].remove(place);
        self.clock += 1;
        let thread = &mut self.threads[next];
        thread.waits = None;
        thread.held.push(gate);
        thread.ops.pop_front();
        thread.since = self.clock;
    }

    fn complete(&mut self, index: usize, now: u64) {
        let thread = &mut self.threads[index];
        if let Some(nominal) = thread.jobs.pop_front() {
            thread.worst = thread.worst.max(now - nominal);
        }
        if !thread.jobs.is_empty() {
            self.start(index);
            self.suspend_without_budget(index);
        }
    }

    /// A budget is for all execution between two releases, also for a job that was released before the last one.
    fn suspend_without_budget(&mut self, index: usize) {
        let thread = &mut self.threads[index];
        let more = thread.ops.iter().any(|op| matches!(op, Op::Compute(1..)));
        thread.suspended = thread.budget == Some(0) && more;
    }

    fn execute(&mut self, index: usize) {
        let thread = &mut self.threads[index];
        if let Some(Op::Compute(left)) = thread.ops.front_mut() {
            *left -= 1;
        }
        if let Some(budget) = &mut thread.budget {
            *budget = budget.saturating_sub(1);
        }
        self.suspend_without_budget(index);
    }
}
