//! The schedulers that only choose the next thread.
//!
//! The library `<fusee/ready.h>` with `FixedPriority`, `EarliestDeadline`, `RoundRobin`,
//! `DeferrableServer` and `PriorityServers` over it.

use fusee_kernel::tcaps::{Dispatch, Error, SchedulerEvent};
use fusee_kernel::{AccountIndex, NEVER, ThreadIndex, Time};
use fusee_model::{Algorithm, Scheduler, System, TaskId};

use super::servers::{Servers, worse};
use super::{Answer, Call, clock, dispatch, thread};
use crate::arrivals::Arrivals;

/// Nanoseconds, if a description does not say otherwise (`look`, `quantum`).
const TURN: Time = 1_000_000;

/// The capacity and period of a server, in nanoseconds, if a description does not say otherwise.
const CAPACITY: Time = 1_000_000;
const EVERY: Time = 10_000_000;

/// The point that its code has reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// `fusee_hear`: asks for an event, and waits for it if no thread was ready.
    Hear { idle: bool },
    /// `fusee_run`: dispatches the first.
    Run,
    /// `fusee_run`: has nothing to dispatch it on, and waits until it is given time.
    Starve,
    /// A server has used up its capacity, or all ready threads theirs, and it waits until that is
    /// filled up.
    Spent,
    /// Gives its threads what they have of their own, before all else.
    Begin,
    /// Fills that up, if it is time.
    Fill,
}

/// A thread, as the description has it and as it has been heard of.
#[derive(Debug, Clone, Copy)]
struct Known {
    thread: ThreadIndex,
    priority: u64,
    /// The period with which a clock releases it, if one does.
    period: Option<Time>,
    deadline: Time,
    ready: bool,
    turn: u64,
    released: Time,
    next: Time,
}

/// The time that all threads of a server may use together.
#[derive(Debug, Clone, Copy)]
struct Capacity {
    amount: Time,
    every: Time,
    /// When it is filled up next; none: before the first time.
    filled: Option<Time>,
    /// The time used since it was filled last.
    used: Time,
}

/// A scheduler that chooses among its threads.
#[derive(Debug, Clone)]
pub(crate) struct Chooser {
    algorithm: Algorithm,
    own: ThreadIndex,
    threads: Vec<Known>,
    look: Time,
    quantum: Time,
    capacity: Option<Capacity>,
    servers: Option<Servers>,
    step: Step,
    turn: u64,
    token: u32,
}

impl Chooser {
    pub(crate) fn of(system: &System, scheduler: &Scheduler, arrivals: &[Arrivals]) -> Self {
        let threads = scheduler.threads.iter().map(|own| known(system, own.value, arrivals));
        let threads: Vec<Known> = threads.collect();
        let servers = Servers::of(system, scheduler);
        let said = |name: &str| said((system, scheduler), name, TURN);
        Chooser {
            algorithm: scheduler.algorithm,
            own: thread(scheduler.task),
            look: if looks(&threads, servers.as_ref()) { said("look") } else { NEVER },
            threads,
            quantum: said("quantum"),
            capacity: Capacity::of(system, scheduler),
            servers,
            step: Step::Begin,
            turn: 0,
            token: 0,
        }
    }

    /// Returns its next call.
    pub(crate) fn next(&mut self, now: Time) -> Call {
        self.capacity.iter_mut().for_each(|capacity| capacity.start(now));
        match self.step {
            Step::Hear { .. } => {
                let idle = !self.threads.iter().any(|known| known.ready);
                self.step = Step::Hear { idle };
                Call::Receive(if idle { self.servers_filled() } else { 0 })
            }
            Step::Begin | Step::Fill => {
                if let Some(gift) = self.servers.as_mut().and_then(|servers| servers.give(now)) {
                    return Call::Give(gift);
                }
                let begins = self.step == Step::Begin;
                self.step = if begins { Step::Hear { idle: true } } else { Step::Run };
                self.next(now)
            }
            Step::Run => self.run(now),
            Step::Starve => Call::Receive(NEVER),
            Step::Spent => Call::Receive(self.filled()),
        }
    }

    fn run(&mut self, now: Time) -> Call {
        self.threads.iter_mut().for_each(|known| known.pass(now));
        self.capacity.iter_mut().for_each(|capacity| capacity.fill(now));
        let left = self.capacity.map_or(NEVER, |capacity| capacity.left());
        let Some(first) = self.first().filter(|_| left > 0) else {
            self.step = Step::Spent;
            return self.next(now);
        };
        let until = if self.algorithm == Algorithm::RoundRobin {
            self.put_last(first);
            now.saturating_add(self.quantum)
        } else {
            self.next_release(now).min(self.filled()).min(now.saturating_add(left))
        };
        let first = &self.threads[first];
        let plain = dispatch((self.own, &mut self.token), first.thread, until);
        let Some(servers) = &self.servers else { return Call::Dispatch(plain) };
        let own = if servers.has(first.thread) { first.thread } else { self.own };
        let priority = Some(worse(first.priority));
        Call::Dispatch(Dispatch { account: AccountIndex(own.0), priority, ..plain })
    }

    /// Returns the most urgent thread of those that are ready and have time left, and of these the
    /// one that has been ready for longest.
    fn first(&self) -> Option<usize> {
        let is_spent = |known: &Known| {
            self.servers.as_ref().is_some_and(|servers| servers.is_spent(known.thread))
        };
        let ready = self.threads.iter().enumerate();
        let ready = ready.filter(|(_, known)| known.ready && !is_spent(known));
        let first = ready.min_by_key(|(_, known)| (self.urgency(known), known.turn));
        first.map(|(place, _)| place)
    }

    fn urgency(&self, known: &Known) -> u64 {
        match self.algorithm {
            Algorithm::FixedPriority | Algorithm::DeferrableServer | Algorithm::PriorityServers => {
                known.priority
            }
            Algorithm::EarliestDeadline => known.released.saturating_add(known.deadline),
            _ => 0,
        }
    }

    fn put_last(&mut self, place: usize) {
        self.turn += 1;
        self.threads[place].turn = self.turn;
    }

    /// When the next of those that wait is released, as far as is known.
    fn next_release(&self, now: Time) -> Time {
        let waiting = self.threads.iter().filter(|known| !known.ready);
        let looks = now.saturating_add(self.look);
        let next = waiting.map(|known| if known.period.is_some() { known.next } else { looks });
        next.min().unwrap_or(NEVER)
    }

    /// Takes the answer of the kernel.
    pub(crate) fn hear(&mut self, now: Time, answer: Answer) {
        self.step = match (self.step, answer) {
            (Step::Hear { .. } | Step::Starve | Step::Spent, Answer::Event(event)) => {
                self.note(now, &event);
                Step::Hear { idle: false }
            }
            (Step::Hear { idle }, _) if !idle || self.servers_filled() <= now => Step::Fill,
            (Step::Begin | Step::Fill, _) => self.step,
            (Step::Run, Answer::Refused(Error::Budget)) if self.servers.is_none() => Step::Starve,
            _ => Step::Hear { idle: true },
        };
    }

    /// When its capacity is filled up next, if it has one.
    fn filled(&self) -> Time {
        let capacity = self.capacity.and_then(|capacity| capacity.filled);
        capacity.unwrap_or(NEVER).min(self.servers_filled())
    }

    /// When its threads' own time is filled up next, if they have any.
    fn servers_filled(&self) -> Time {
        self.servers.as_ref().map_or(NEVER, Servers::filled)
    }

    /// Takes note of an event of one thread.
    fn note(&mut self, now: Time, event: &SchedulerEvent) {
        let place = self.threads.iter().position(|known| known.thread == event.thread);
        let Some(place) = place else { return };
        self.capacity.iter_mut().for_each(|capacity| capacity.used += event.cycles);
        self.servers.iter_mut().for_each(|servers| servers.note(event.thread, event.cycles));
        if !self.threads[place].ready && !event.blocked {
            self.put_last(place);
            self.threads[place].released = now;
        }
        self.threads[place].ready = !event.blocked;
    }
}

/// Returns `true` if a scheduler looks for threads that have become ready: those that do not run at
/// once by themselves.
fn looks(threads: &[Known], servers: Option<&Servers>) -> bool {
    let Some(servers) = servers else { return true };
    let own = threads.iter().filter(|known| servers.has(known.thread));
    let best = own.map(|known| known.priority).min().unwrap_or(0);
    let at_once = |known: &Known| servers.has(known.thread) && known.priority <= best;
    threads.iter().any(|known| known.period.is_none() && !at_once(known))
}

/// Returns a time that a description says of a scheduler, or what it is without.
fn said((system, scheduler): (&System, &Scheduler), name: &str, without: Time) -> Time {
    system.scheduling_time(scheduler, name).map_or(without, |time| time.ns())
}

impl Capacity {
    fn of(system: &System, scheduler: &Scheduler) -> Option<Self> {
        (scheduler.algorithm == Algorithm::DeferrableServer).then(|| Capacity {
            amount: said((system, scheduler), "capacity", CAPACITY),
            every: said((system, scheduler), "every", EVERY),
            filled: None,
            used: 0,
        })
    }

    /// Its first time begins when the server runs for the first time.
    fn start(&mut self, now: Time) {
        self.filled.get_or_insert(now.saturating_add(self.every));
    }

    /// Fills it up, if it is time.
    fn fill(&mut self, now: Time) {
        while let Some(filled) = self.filled.filter(|&filled| filled <= now && self.every > 0) {
            self.filled = Some(filled.saturating_add(self.every));
            self.used = 0;
        }
    }

    /// Returns the rest of the capacity. The server's code takes too little for nothing, as
    /// decisions take time; here they take none.
    fn left(&self) -> Time {
        self.amount.saturating_sub(self.used)
    }
}

impl Known {
    /// Brings its releases up to a time.
    fn pass(&mut self, now: Time) {
        let Some(period) = self.period else { return };
        while self.next <= now {
            self.released = self.next;
            self.next = self.next.saturating_add(period);
        }
    }
}

fn known(system: &System, task: TaskId, arrivals: &[Arrivals]) -> Known {
    let described = system.task(task);
    let clock = clock(system, arrivals, task);
    Known {
        thread: thread(task),
        priority: fusee_tables::opinion(described.priority.value),
        period: clock.map(|(_, period)| period),
        deadline: described.deadline.map_or(0, |deadline| deadline.value.ns()),
        ready: false,
        turn: 0,
        released: 0,
        next: clock.map_or(NEVER, |(first, _)| first),
    }
}
