//! The ready threads, and the first of them.
//!
//! With it a scheduler is a number for each thread, the lower the more urgent, and a loop:
//!
//! ```ignore
//! let mut ready = Ready::new(OWN, &THREADS);
//! loop {
//!     ready.hear();
//!     let until = ready.next_release(NEVER);
//!     if let Some(first) = ready.first(|thread| thread.known.priority.into()) {
//!         ready.run(first, until);
//!     }
//! }
//! ```

use super::{Dispatched, Event, NEVER, Refused, dispatch, receive};
use crate::now;

/// A thread with what has been heard of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thread {
    /// The description's data of the thread.
    pub known: Dispatched,
    /// `true` if it has something to do.
    pub ready: bool,
    /// The order in which threads have become ready: the earlier, the lower.
    pub turn: u64,
    /// Its last release; without a period: when it became ready.
    pub released: u64,
    /// Its next release; without a period: never.
    pub next: u64,
    /// The time that it has run, in nanoseconds.
    pub ran: u64,
}

impl Thread {
    fn new(known: Dispatched) -> Self {
        let next = if known.period == 0 { NEVER } else { known.first };
        Self { known, ready: false, turn: 0, released: 0, next, ran: 0 }
    }

    /// Brings its releases up to a time.
    fn pass(&mut self, now: u64) {
        while self.next <= now {
            self.released = self.next;
            self.next = self.next.saturating_add(self.known.period);
        }
    }
}

/// A scheduler's threads.
#[derive(Debug, Clone)]
pub struct Ready<const N: usize> {
    own: u16,
    threads: [Thread; N],
    turns: u64,
}

impl<const N: usize> Ready<N> {
    /// Returns the queue of the scheduler with this account, with no thread ready yet.
    pub fn new(own: u16, threads: &[Dispatched; N]) -> Self {
        Self { own, threads: threads.map(Thread::new), turns: 0 }
    }

    /// All of them, in the order of the description.
    pub fn threads(&self) -> &[Thread; N] {
        &self.threads
    }

    /// Hears all events, and waits until a thread is ready.
    pub fn hear(&mut self) {
        self.hear_until(NEVER);
    }

    /// The same, but waits until a time at the longest.
    ///
    /// A release that is not heard of yet must not be taken for past: the timer may be a tick late.
    /// So releases are brought up to a time before the last question: what was due then is known
    /// now, or refuses the next dispatch.
    pub fn hear_until(&mut self, until: u64) {
        let asked = loop {
            let before = now();
            let idle = self.threads.iter().all(|thread| !thread.ready);
            match receive(if idle { until } else { 0 }) {
                Some(event) => self.note(event),
                None if idle && (until == NEVER || before < until) => {}
                None => break before,
            }
        };
        for thread in &mut self.threads {
            thread.pass(asked);
        }
    }

    /// Takes note of an event of one thread.
    pub fn note(&mut self, event: Event) {
        let Self { threads, turns, .. } = self;
        let own = threads.iter_mut().filter(|thread| thread.known.thread == event.thread);
        for thread in own {
            if !thread.ready && !event.waits {
                *turns = turns.wrapping_add(1);
                (thread.turn, thread.released) = (*turns, now());
            }
            thread.ready = !event.waits;
            thread.ran = thread.ran.wrapping_add(event.ran);
        }
    }

    /// Returns the number of the first thread: of those that are ready the most urgent one, and of
    /// these the one that has been ready for the longest time. `None`: no thread is ready.
    pub fn first(&self, urgency: impl Fn(&Thread) -> u64) -> Option<u16> {
        let ready = self.threads.iter().filter(|thread| thread.ready);
        ready.min_by_key(|thread| (urgency(thread), thread.turn)).map(|thread| thread.known.thread)
    }

    /// A thread is behind all others that are as urgent.
    pub fn to_back(&mut self, number: u16) {
        self.turns = self.turns.wrapping_add(1);
        let turn = self.turns;
        let own = self.threads.iter_mut().filter(|thread| thread.known.thread == number);
        own.for_each(|thread| thread.turn = turn);
    }

    /// When the next one of those that wait is released; at the latest after so long, if one of
    /// them has no period: nothing but an event says then that it is ready.
    pub fn next_release(&self, look: u64) -> u64 {
        let looks = now().saturating_add(look);
        let waiting = self.threads.iter().filter(|thread| !thread.ready);
        let next = waiting.map(|thread| if thread.known.period == 0 { looks } else { thread.next });
        next.min().unwrap_or(NEVER)
    }

    /// Runs a thread until it waits, or until a time. If there is no time to run on, this waits
    /// until time is given.
    pub fn run(&mut self, number: u16, until: u64) {
        if dispatch(number, self.own, until) == Err(Refused::NO_BUDGET)
            && let Some(event) = receive(NEVER)
        {
            self.note(event);
        }
    }
}
