//! A simulator that moves one tick at a time and works everything out anew.
//!
//! Slow and plain on purpose: no queues, no saved priorities, no kernel of ours.
//! At each tick the effective urgencies are the fixpoint of their definition, and
//! the most urgent thread that is not waiting runs; among equally urgent ones any
//! may run, drawn anew each tick or first come first served. What takes no time and
//! can happen at an instant happens before the releases of that instant.
//!
//! An urgency is a priority, or under earliest deadline the negative of an absolute
//! deadline, which counts from the nominal arrival in some runs and from the release
//! in others. Who asks for a `ceiling` gate is let in when it would run, if then no
//! other holds one with a ceiling at or above its base priority.
//!
//! What only the jobs of the system signal releases a task then, and no sooner than its period
//! after the release before: until then signals wait. Other events come from outside, as densely
//! as that period lets them or less.

mod budgets;

use std::collections::VecDeque;

use fusee_generate::Random;
use fusee_model::derived::Derived;
use fusee_model::{Body, NotificationId, Overrun, Policy, Protocol, Step, System};

/// More urgent than every deadline and every priority.
const TOP: i64 = i64::MAX;
/// Less urgent than all.
const NONE: i64 = i64::MIN;

/// The choices of a run.
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
    Emit(NotificationId),
}

struct Thread {
    base: i64,
    ops: VecDeque<Op>,
    /// Nominal arrivals of the current job and of those behind it, with their urgencies.
    jobs: VecDeque<(u64, i64)>,
    /// Gates, each with the urgency that it has given since it was taken, in order of entry.
    held: Vec<(usize, i64)>,
    waits: Option<usize>,
    budget: Option<u64>,
    suspended: bool,
    /// When it last became ready, for first come first served.
    since: u64,
    nominal: u64,
    release: u64,
    /// The signals of a task that jobs of the system release: those that wait, and until when.
    signals: Option<(u64, u64)>,
    worst: u64,
}

pub(crate) struct Machine<'a> {
    system: &'a System,
    /// The levels to which gates raise their holder.
    ceilings: Vec<i64>,
    /// The deadlines to which gates raise their holder: the time after they are taken.
    floors: Vec<Option<u64>>,
    /// The thresholds of gates that keep others out.
    thresholds: Vec<i64>,
    /// `ceiling` gates that are held, with their holders, in order of entry.
    stack: Vec<(usize, usize)>,
    threads: Vec<Thread>,
    /// Waiters in order of arrival.
    queues: Vec<Vec<usize>>,
    random: Random,
    run: Run,
    clock: u64,
}

/// Returns a task's relative deadline.
fn relative(system: &System, task: usize) -> Option<u64> {
    let task = &system.tasks[task];
    let deadline = task.deadline.or(task.release.as_ref().map(|release| release.period));
    deadline.map(|deadline| deadline.value.ns())
}

/// Returns the longest response time of each task.
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

/// Returns `true` if only jobs of the system signal an event.
fn is_inside(system: &System, event: NotificationId) -> bool {
    system.emitters(event).next().is_some() && !system.has_other_source(event)
}

impl<'a> Machine<'a> {
    fn new(system: &'a System, run: Run) -> Self {
        let derived = Derived::of(system);
        let deadlines = system.policy_on(0) == Policy::EarliestDeadline;
        let given = |index: usize| derived.gates[index].ceiling.map_or(NONE, i64::from);
        let ceiling = |index: usize| match system.gates[index].protocol.value {
            Protocol::Fixed => given(index),
            Protocol::Srp if !deadlines => given(index),
            Protocol::NonPreemptive => TOP,
            _ => NONE,
        };
        let threshold = |index: usize| match system.gates[index].protocol.value {
            Protocol::Ceiling => given(index),
            _ => NONE,
        };
        let floor = |index: usize| match system.gates[index].protocol.value {
            Protocol::Srp if deadlines => derived.gates[index]
                .tasks
                .iter()
                .filter_map(|task| relative(system, task.index()))
                .min(),
            _ => None,
        };
        let mut random = Random::new(run.seed, 0);
        let common = system
            .tasks
            .iter()
            .filter_map(|t| t.release.as_ref())
            .map(|r| r.jitter.value.ns())
            .max();
        let threads = (system.tasks.iter())
            .map(|task| {
                let release = task.release.as_ref().expect("all tasks here have releases");
                let jitter = release.jitter.value.ns();
                let nominal = if run.dense {
                    common.unwrap_or(0) - jitter
                } else {
                    random.below(release.period.value.ns())
                };
                let late = if run.dense { jitter } else { random.between(0, jitter) };
                let signals = task.release_event().filter(|&event| is_inside(system, event));
                let signals = signals.map(|_| (0, 0));
                Thread {
                    base: if deadlines { NONE } else { i64::from(task.priority.value) },
                    ops: VecDeque::new(),
                    jobs: VecDeque::new(),
                    held: Vec::new(),
                    waits: None,
                    budget: None,
                    suspended: false,
                    since: 0,
                    nominal,
                    release: if signals.is_some() { u64::MAX } else { nominal + late },
                    signals,
                    worst: 0,
                }
            })
            .collect();
        let all = 0..system.gates.len();
        Self {
            system,
            ceilings: all.clone().map(ceiling).collect(),
            thresholds: all.clone().map(threshold).collect(),
            floors: all.clone().map(floor).collect(),
            stack: Vec::new(),
            threads,
            queues: all.map(|_| Vec::new()).collect(),
            random,
            run,
            clock: 0,
        }
    }

    fn release(&mut self, now: u64) {
        for index in 0..self.threads.len() {
            while self.threads[index].release <= now {
                self.release_one(index, now);
            }
        }
    }

    /// Releases who waits for the event, now or as soon as it may be released again.
    fn signal(&mut self, event: NotificationId, now: u64) {
        for index in 0..self.threads.len() {
            let thread = &mut self.threads[index];
            let Some((waiting, earliest)) = &mut thread.signals else { continue };
            if self.system.tasks[index].release_event() != Some(event) {
                continue;
            }
            *waiting += 1;
            thread.release = now.max(*earliest);
            if *waiting == 1 && thread.release == now {
                self.release_one(index, now);
            }
        }
    }

    fn urgency(&self, index: usize, nominal: u64, now: u64) -> i64 {
        match self.system.policy_on(0) {
            Policy::FixedPriority => i64::from(self.system.tasks[index].priority.value),
            Policy::EarliestDeadline => {
                let from = if self.run.seed.is_multiple_of(2) { nominal } else { now };
                -i64::try_from(from + relative(self.system, index).unwrap_or(0))
                    .expect("small times")
            }
        }
    }

    fn release_one(&mut self, index: usize, now: u64) {
        let task = &self.system.tasks[index];
        let release = task.release.as_ref().expect("all tasks here have releases");
        let period = release.period.value.ns();
        let sporadic = !self.run.dense
            && release.kind == fusee_model::ReleaseKind::Sporadic
            && self.random.chance(50);
        let gap = if sporadic { self.random.between(0, period) } else { 0 };
        let late =
            if self.run.dense { 0 } else { self.random.between(0, release.jitter.value.ns()) };
        let thread = &mut self.threads[index];
        if thread.signals.is_some() {
            thread.nominal = now;
        }
        let nominal = thread.nominal;
        let urgency = self.urgency(index, nominal, now);
        let idle = self.threads[index].jobs.is_empty();
        self.threads[index].jobs.push_back((nominal, urgency));
        if idle {
            self.start(index);
        }
        let thread = &mut self.threads[index];
        thread.suspended = false;
        thread.budget = (task.budget.as_ref())
            .filter(|b| b.overrun == Overrun::Suspend)
            .map(|b| b.amount.value.ns());
        thread.nominal += period + gap;
        if let Some((waiting, earliest)) = &mut thread.signals {
            (*waiting, *earliest) = (*waiting - 1, now + period);
            thread.release = if *waiting > 0 { *earliest } else { u64::MAX };
        } else {
            thread.release = thread.release.max(thread.nominal + late);
        }
    }

    fn start(&mut self, index: usize) {
        let mut ops = VecDeque::new();
        self.unfold(&self.system.tasks[index].body, &mut ops);
        self.clock += 1;
        let thread = &mut self.threads[index];
        thread.ops = ops;
        thread.since = self.clock;
        thread.base = thread.jobs.front().map_or(thread.base, |job| job.1);
    }

    fn unfold(&mut self, body: &Body, ops: &mut VecDeque<Op>) {
        for step in &body.steps {
            match *step {
                Step::Compute { best, worst } => {
                    let time = if self.run.dense {
                        worst.ns()
                    } else {
                        self.random.between(best.ns(), worst.ns())
                    };
                    ops.push_back(Op::Compute(time));
                }
                Step::Invoke { gate, method, .. } => {
                    let described = &self.system.gates[gate.index()];
                    let method = method.unwrap_or_else(|| {
                        self.random.below(described.methods.len() as u64) as usize
                    });
                    let exclusive = described.protocol.value.is_exclusive() && !described.direct;
                    ops.extend(exclusive.then_some(Op::Enter(gate.index())));
                    self.unfold(&described.methods[method].body, ops);
                    ops.extend(exclusive.then_some(Op::Leave(gate.index())));
                }
                Step::Emit(event) => ops.push_back(Op::Emit(event)),
                Step::Wait(_) => {}
            }
        }
    }

    fn holder(&self, gate: usize) -> Option<usize> {
        self.threads.iter().position(|t| t.held.iter().any(|held| held.0 == gate))
    }

    /// Returns the `ceiling` gate that a thread waits for.
    fn asks(&self, thread: usize) -> Option<usize> {
        self.threads[thread].waits.filter(|&gate| self.is_ceiling(gate))
    }

    fn is_ceiling(&self, gate: usize) -> bool {
        self.system.gates[gate].protocol.value == Protocol::Ceiling
    }

    /// Returns `true` if a thread may enter a `ceiling` gate now.
    fn may_enter(&self, thread: usize) -> bool {
        let is_top = self.stack.last().is_none_or(|&(_, holder)| holder == thread);
        let highest =
            self.stack.iter().map(|&(gate, _)| self.thresholds[gate]).max().unwrap_or(NONE);
        is_top || self.threads[thread].base > highest
    }

    /// Effective urgencies: the least fixpoint of max(base, what gates held give, whoever waits for
    /// a gate held).
    fn priorities(&self) -> Vec<i64> {
        let ceiling = |t: &Thread| t.held.iter().map(|&(_, given)| given).max().unwrap_or(NONE);
        let mut levels: Vec<i64> = self.threads.iter().map(|t| t.base.max(ceiling(t))).collect();
        loop {
            let before = levels.clone();
            for (waiter, thread) in self.threads.iter().enumerate() {
                let Some(gate) = thread.waits else { continue };
                if self.is_ceiling(gate) {
                    if let Some(&(_, holder)) =
                        self.stack.last().filter(|_| !self.may_enter(waiter))
                    {
                        levels[holder] = levels[holder].max(levels[waiter]);
                    }
                } else if let Some(holder) = self.holder(gate)
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
            if chosen.waits.is_none()
                && matches!(chosen.ops.front(), Some(Op::Compute(1..)))
                && self.is_choice(thread)
            {
                return Some(thread);
            }
        }
    }

    fn is_ready(&self, index: usize) -> bool {
        let thread = &self.threads[index];
        let waits =
            thread.waits.is_some() && !self.asks(index).is_some_and(|_| self.may_enter(index));
        !thread.jobs.is_empty() && !waits && (!thread.suspended || self.lender(index).is_some())
    }

    /// Returns the thread for whose way out another one waits.
    fn awaited(&self, waiter: usize) -> Option<usize> {
        let gate = self.threads[waiter].waits?;
        match self.is_ceiling(gate) {
            true => self.stack.last().filter(|_| !self.may_enter(waiter)).map(|held| held.1),
            false => self.holder(gate),
        }
    }

    /// Returns the thread that pays for another one inside of gates that has nothing left: the most
    /// urgent of those that wait for it, directly or not, and have something.
    fn lender(&self, holder: usize) -> Option<usize> {
        if self.threads[holder].held.is_empty() {
            return None;
        }
        let waits = |&waiter: &usize| {
            let all = std::iter::successors(self.awaited(waiter), |&next| self.awaited(next));
            all.take(self.threads.len()).any(|next| next == holder)
        };
        let levels = self.priorities();
        let able = (0..self.threads.len()).filter(|&t| self.threads[t].budget != Some(0));
        able.filter(waits).max_by_key(|&t| (levels[t], std::cmp::Reverse(t)))
    }

    fn is_choice(&self, thread: usize) -> bool {
        let levels = self.priorities();
        let most = (0..self.threads.len()).filter(|&t| self.is_ready(t)).map(|t| levels[t]).max();
        self.is_ready(thread) && most == Some(levels[thread])
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
            if !self.is_choice(index) {
                return;
            }
            if self.asks(index).is_some() {
                self.threads[index].waits = None;
            }
            let thread = &mut self.threads[index];
            match thread.ops.front().copied() {
                Some(Op::Compute(0)) => {
                    thread.ops.pop_front();
                }
                Some(Op::Compute(_)) => return,
                Some(Op::Enter(gate)) => self.enter(index, gate, now),
                Some(Op::Leave(gate)) => self.leave(index, gate, now),
                Some(Op::Emit(event)) => {
                    thread.ops.pop_front();
                    self.signal(event, now);
                }
                None => return self.complete(index, now),
            }
        }
    }

    /// Returns the urgency that a gate gives to the thread that takes it.
    fn given(&self, gate: usize, now: u64) -> i64 {
        let floor = self.floors[gate]
            .map_or(NONE, |after| -i64::try_from(now + after).expect("small times"));
        self.ceilings[gate].max(floor)
    }

    fn enter(&mut self, index: usize, gate: usize, now: u64) {
        if self.is_ceiling(gate) && !self.may_enter(index) {
            self.threads[index].waits = Some(gate);
        } else if let Some(holder) = self.holder(gate) {
            assert!(
                !self.is_ceiling(gate),
                "thread {index} may enter {gate}, which {holder} holds"
            );
            self.threads[index].waits = Some(gate);
            self.queues[gate].push(index);
        } else {
            let given = self.given(gate, now);
            self.threads[index].held.push((gate, given));
            self.threads[index].ops.pop_front();
            if self.is_ceiling(gate) {
                self.stack.push((gate, index));
            }
        }
    }

    fn leave(&mut self, index: usize, gate: usize, now: u64) {
        self.threads[index].ops.pop_front();
        let levels = self.priorities();
        self.threads[index].held.retain(|held| held.0 != gate);
        self.stack.retain(|held| held.0 != gate);
        let fifo = self.system.gates[gate].protocol.value == Protocol::Fifo;
        let urgency = |(place, &waiter): (usize, &usize)| {
            (if fifo { NONE } else { levels[waiter] }, std::cmp::Reverse(place))
        };
        let Some(place) = self.queues[gate]
            .iter()
            .enumerate()
            .max_by_key(|&e| urgency(e))
            .map(|(place, _)| place)
        else {
            return;
        };
        let next = self.queues[gate].remove(place);
        let given = self.given(gate, now);
        self.clock += 1;
        let thread = &mut self.threads[next];
        thread.waits = None;
        thread.held.push((gate, given));
        thread.ops.pop_front();
        thread.since = self.clock;
    }

    fn complete(&mut self, index: usize, now: u64) {
        let thread = &mut self.threads[index];
        if let Some((nominal, _)) = thread.jobs.pop_front() {
            thread.worst = thread.worst.max(now - nominal);
        }
        if !thread.jobs.is_empty() {
            self.start(index);
            self.suspend_without_budget(index);
        } else {
            self.threads[index].suspended = false;
        }
    }
}
