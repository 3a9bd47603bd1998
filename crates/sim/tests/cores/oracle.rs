//! The protocols in unit steps, from their definitions.
//!
//! In each tick the jobs' urgencies and who executes each section are worked out from nothing but
//! who has asked where, in which order. There is no presence, no look, no answer and no activation:
//! whoever has asked is in a list, and the first owns.

use std::collections::VecDeque;

use fusee_model::{Policy, Protocol};

use super::drawn::{Drawn, Op};

/// An urgency above all others.
const TOP: u64 = 1 << 40;
/// Above everything without a section.
const BOOST: u64 = 1 << 30;
/// The urgency of a deadline at time 0.
const NOW: u64 = 1 << 20;

/// Releases that may wait.
const BACKLOG: usize = 16;

/// The thread that each core charges in a tick, and the one whose code it executes.
pub(crate) type Tick = Vec<Option<(usize, Option<usize>)>>;

/// A schedule by the oracle.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Schedule {
    /// Tick by tick.
    pub(crate) ticks: Vec<Tick>,
    /// When which task's job ended, and its response time.
    pub(crate) ends: Vec<(u64, usize, u64)>,
}

#[derive(Debug, Clone, Default)]
struct Job {
    arrivals: VecDeque<u64>,
    at: usize,
    /// Ticks done of the present work.
    done: u64,
    /// The global gate at which it has asked.
    asked: Option<usize>,
    /// The ceiling of the local gate that it is in.
    local: u64,
    /// Its place among equals.
    place: i64,
}

pub(crate) struct Oracle<'d> {
    system: &'d Drawn,
    jobs: Vec<Job>,
    /// The threads that have asked, the owner first.
    queues: Vec<Vec<usize>>,
    /// The core that executes each section.
    executing: Vec<Option<usize>>,
    running: Vec<Option<usize>>,
    front: i64,
    back: i64,
    now: u64,
    /// Ticks in which a core executed the section of another's task.
    pub(crate) helped: u64,
    schedule: Schedule,
}

impl<'d> Oracle<'d> {
    pub(crate) fn run(system: &'d Drawn, end: u64) -> (Schedule, u64) {
        let tasks = system.tasks.len();
        let mut oracle = Oracle {
            system,
            jobs: vec![Job::default(); tasks],
            queues: vec![Vec::new(); system.gates],
            executing: vec![None; system.gates],
            running: vec![None; system.cores],
            front: 0,
            back: 0,
            now: 0,
            helped: 0,
            schedule: Schedule::default(),
        };
        while oracle.now < end {
            let mut due: VecDeque<_> = (0..tasks).filter(|&task| oracle.is_due(task)).collect();
            due.make_contiguous().sort_by_key(|&task| system.tasks[task].core);
            loop {
                oracle.settle();
                let zero = (0..system.cores).find(|&core| oracle.steps(core));
                match zero {
                    Some(core) => oracle.step(core),
                    None if due.is_empty() => break,
                    // All that are due come before any code goes on.
                    None => {
                        for task in due.drain(..) {
                            oracle.release(task);
                            oracle.settle();
                        }
                    }
                }
            }
            oracle.tick();
        }
        (oracle.schedule, oracle.helped)
    }

    fn is_due(&self, task: usize) -> bool {
        let task = &self.system.tasks[task];
        self.now >= task.offset && (self.now - task.offset).is_multiple_of(task.period)
    }

    fn op(&self, task: usize) -> Option<Op> {
        self.system.tasks[task].script.get(self.jobs[task].at).copied()
    }

    /// Returns the thread whose code a core executes.
    fn executes(&self, core: usize) -> Option<usize> {
        let task = self.running[core]?;
        match self.jobs[task].asked {
            None => Some(task),
            Some(gate) if self.executing[gate] == Some(core) => Some(self.queues[gate][0]),
            Some(_) => None,
        }
    }

    /// Returns `true` if the code that a core executes has an operation that takes no time.
    fn steps(&self, core: usize) -> bool {
        self.executes(core).is_some_and(|task| !matches!(self.op(task), Some(Op::Work(_))))
    }

    fn step(&mut self, core: usize) {
        let task = self.executes(core).expect("somebody");
        let op = self.op(task);
        self.jobs[task].at += 1;
        match op {
            Some(Op::Ask(gate)) => {
                self.jobs[task].asked = Some(gate);
                let mut place = self.queues[gate].len();
                if self.system.protocol == Protocol::Mpcp {
                    let rank = |task: usize| self.system.tasks[task].priority;
                    while place > 1 && rank(self.queues[gate][place - 1]) < rank(task) {
                        place -= 1;
                    }
                }
                self.queues[gate].insert(place, task);
            }
            Some(Op::Enter) => self.jobs[task].local = self.floor(core),
            Some(Op::Leave) if self.jobs[task].asked.is_none() => {
                self.jobs[task].local = 0;
                self.go_front(task);
            }
            Some(Op::Leave) => self.come_back(core, task),
            Some(Op::Work(_)) => {}
            None => {
                let arrival = self.jobs[task].arrivals.pop_front().expect("a job");
                self.schedule.ends.push((self.now, task, self.now - arrival));
                self.jobs[task].at = 0;
                self.running[core] = None;
                self.go_back(task);
            }
        }
    }

    /// The owner's section has ended on a core.
    fn come_back(&mut self, core: usize, owner: usize) {
        let gate = self.jobs[owner].asked.take().expect("a gate");
        self.queues[gate].remove(0);
        self.go_front(owner);
        self.executing[gate] = None;
        let Some(&next) = self.queues[gate].first() else { return };
        if self.system.protocol == Protocol::Mpcp {
            // It has its turn now, behind whoever has the same urgency.
            self.go_back(next);
        }
        let helper = self.system.tasks[owner].core != core;
        let own = self.system.tasks[next].core == core;
        if helper && (own || !self.is_chosen(next)) {
            self.executing[gate] = Some(core);
        }
    }

    fn is_chosen(&self, task: usize) -> bool {
        self.running[self.system.tasks[task].core] == Some(task)
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
        if self.jobs[task].arrivals.len() <= BACKLOG {
            self.jobs[task].arrivals.push_back(self.now);
        }
        if self.jobs[task].arrivals.len() == 1 {
            self.go_back(task);
        }
    }

    /// Returns the urgency that the local gate of a core gives to a thread that enters it now.
    fn floor(&self, core: usize) -> u64 {
        match self.system.locals[core] {
            Protocol::Fixed => self.system.local_ceiling(core),
            Protocol::Srp => NOW - (self.now + self.system.shortest(core)),
            _ => TOP,
        }
    }

    /// Returns the urgency of a task with a job outside any gate.
    fn base(&self, task: usize) -> u64 {
        match self.system.policies[self.system.tasks[task].core] {
            Policy::FixedPriority => self.system.tasks[task].priority,
            Policy::EarliestDeadline => {
                NOW - (self.jobs[task].arrivals[0] + self.system.tasks[task].deadline)
            }
        }
    }

    /// Returns the urgency of a task on its core; none: it cannot run.
    fn rank(&self, task: usize) -> Option<u64> {
        let job = &self.jobs[task];
        if job.arrivals.is_empty() {
            return None;
        }
        let (core, base) = (self.system.tasks[task].core, self.base(task));
        let Some(gate) = job.asked else { return Some(base.max(job.local)) };
        match self.system.protocol {
            Protocol::Msrp => Some(TOP),
            Protocol::Mrsp => Some(base.max(job.local).max(self.system.ceiling(gate, core))),
            Protocol::Mpcp if self.queues[gate][0] == task => {
                Some(BOOST + self.system.highest(gate, |other| other != core))
            }
            Protocol::Mpcp => None,
            local => panic!("{local:?} is not between cores"),
        }
    }

    /// The most urgent runs on each core; each section is executed where it was, or else by the
    /// first who can.
    fn settle(&mut self) {
        for core in 0..self.system.cores {
            let here = |&task: &usize| self.system.tasks[task].core == core;
            let key = |task: usize| Some((self.rank(task)?, -self.jobs[task].place));
            let ready =
                (0..self.jobs.len()).filter(here).filter(|&task| Some(task) != self.running[core]);
            let best = ready.filter_map(|task| Some((key(task)?, task))).max();
            let current = self.running[core].and_then(|task| Some((self.rank(task)?, task)));
            self.running[core] = match (current, best) {
                (Some((level, task)), Some(((other, _), next))) if other > level => {
                    self.go_front(task);
                    Some(next)
                }
                (Some((_, task)), _) => Some(task),
                (None, best) => best.map(|(_, task)| task),
            };
        }
        for gate in 0..self.queues.len() {
            let queue = self.queues[gate].clone();
            let on = |core: usize| queue.iter().any(|&task| self.running[core] == Some(task));
            let stays = self.executing[gate].filter(|&core| on(core));
            let many = if self.system.protocol == Protocol::Mrsp { queue.len() } else { 1 };
            let first = queue.iter().take(many).find(|&&task| self.is_chosen(task));
            self.executing[gate] = stays.or(first.map(|&task| self.system.tasks[task].core));
        }
    }

    fn tick(&mut self) {
        let mut tick = Vec::new();
        for core in 0..self.system.cores {
            let executes = self.executes(core);
            tick.push(self.running[core].map(|charged| (charged, executes)));
            let Some(task) = executes else { continue };
            self.helped += u64::from(self.system.tasks[task].core != core);
            self.jobs[task].done += 1;
            if self.op(task) == Some(Op::Work(self.jobs[task].done)) {
                self.jobs[task].at += 1;
                self.jobs[task].done = 0;
            }
        }
        self.schedule.ticks.push(tick);
        self.now += 1;
    }
}
