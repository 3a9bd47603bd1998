//! The threads inside each gate, in debug builds: a second look at the kernel.
//!
//! A kernel that lets two threads into an exclusive gate, or switches to a thread
//! that waits, would show plausible response times. Debug builds, and so all
//! tests, follow the records and stop at the first such contradiction.

use fusee_kernel::{Kind, Record};
use fusee_model::{Gate, Protocol, System};

/// Holders of exclusive gates, and the waiting threads.
#[derive(Debug, Clone)]
pub(crate) struct Exclusion {
    /// The threads inside each gate.
    gates: Vec<Inside>,
    /// Gates between cores, by protocol: the thread whose core executes the section is inside.
    globals: Vec<Option<Protocol>>,
    /// Mutexes that pass no gate.
    words: Vec<bool>,
    /// Threads that wait at a gate or for a notification.
    waiting: Vec<bool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// Any number of threads.
    Anybody,
    Nobody,
    Thread(usize),
}

impl Exclusion {
    /// Before anything has happened.
    pub(crate) fn new(system: &System) -> Exclusion {
        let inside = |gate: &Gate| {
            if gate.protocol.value.is_exclusive() { Inside::Nobody } else { Inside::Anybody }
        };
        let global = |gate: &Gate| Some(gate.protocol.value).filter(|value| value.is_global());
        let has_words = system.mutex_words().next().is_some();
        Exclusion {
            gates: system.gates.iter().map(inside).collect(),
            globals: system.gates.iter().map(global).collect(),
            words: system
                .gate_ids()
                .map(|(id, _)| has_words && system.mutex(id).is_some())
                .collect(),
            waiting: vec![false; system.tasks.len()],
        }
    }

    /// Follows a record.
    pub(crate) fn hear(&mut self, record: &Record) {
        let (thread, object, now) = (record.thread.at(), usize::from(record.object), record.time);
        match record.kind {
            Kind::Enter => {
                self.pass(object, Inside::Nobody, Inside::Thread(thread), now);
                self.waiting[thread] = false;
            }
            // Whose section has ended comes back.
            Kind::Return if self.globals[object].is_some() => {}
            Kind::Return => self.pass(object, Inside::Thread(thread), Inside::Nobody, now),
            Kind::Block | Kind::Wait => self.waiting[thread] = true,
            Kind::Ask => {
                let suspends = self.globals[object].is_some_and(Protocol::suspends);
                self.waiting[thread] = suspends && record.value > 0;
            }
            Kind::Wake | Kind::Turn | Kind::Retry => self.waiting[thread] = false,
            Kind::Take => self.pass(object, Inside::Nobody, Inside::Thread(thread), now),
            Kind::LayDown | Kind::Finish => {
                self.pass(object, Inside::Thread(thread), Inside::Nobody, now);
            }
            Kind::Complete => {
                let held = self.gates.contains(&Inside::Thread(thread));
                debug_assert!(!held, "thread {thread} ends its job inside a gate at {now}");
            }
            Kind::Switch => {
                let waits = record.thread.is_some() && self.waiting[thread];
                debug_assert!(!waits, "thread {thread} runs while it waits, at {now}");
            }
            Kind::Release | Kind::Queue | Kind::Lose | Kind::Defer | Kind::Miss => {}
            // Who gets a word enters nothing.
            Kind::HandOver if self.words[object] => {
                let owner = record.value as usize;
                self.pass(object, Inside::Thread(owner), Inside::Thread(thread), now);
                self.waiting[thread] = false;
            }
            Kind::HandOver | Kind::Boost | Kind::Signal => {}
            Kind::Post | Kind::Throttle => {}
            Kind::Fault | Kind::Abort => {}
            Kind::Overrun | Kind::Suspend | Kind::Lend | Kind::Rotate => {}
        }
    }

    /// A thread locks a mutex that passes no gate.
    pub(crate) fn locks(&mut self, thread: usize, gate: usize) {
        if cfg!(debug_assertions) {
            self.pass(gate, Inside::Nobody, Inside::Thread(thread), 0);
        }
    }

    /// A thread unlocks one without waiting threads.
    pub(crate) fn unlocks(&mut self, thread: usize, gate: usize) {
        if cfg!(debug_assertions) {
            self.pass(gate, Inside::Thread(thread), Inside::Nobody, 0);
        }
    }

    fn pass(&mut self, gate: usize, before: Inside, after: Inside, now: u64) {
        let inside = &mut self.gates[gate];
        if *inside != Inside::Anybody {
            debug_assert_eq!(*inside, before, "gate {gate} at {now}");
            *inside = after;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fusee_generate::{Mix, case};
    use fusee_kernel::ThreadIndex;
    use fusee_model::Protocol;

    fn record(kind: Kind, thread: u16, object: u16) -> Record {
        Record { time: 0, kind, thread: ThreadIndex(thread), object, value: 0 }
    }

    fn exclusion() -> Exclusion {
        let mix = Mix {
            tasks: (2, 2),
            gates: (1, 1),
            protocols: &[(Protocol::Inherited, 1)],
            ..Mix::default()
        };
        Exclusion::new(&case(&mix, 1, 1).system)
    }

    #[test]
    #[should_panic(expected = "gate 0")]
    fn two_threads_in_an_exclusive_gate_are_noticed() {
        let mut exclusion = exclusion();
        exclusion.hear(&record(Kind::Enter, 0, 0));
        exclusion.hear(&record(Kind::Enter, 1, 0));
    }

    #[test]
    #[should_panic(expected = "runs while it waits")]
    fn a_waiting_thread_that_runs_is_noticed() {
        let mut exclusion = exclusion();
        exclusion.hear(&record(Kind::Block, 1, 0));
        exclusion.hear(&record(Kind::Switch, 1, u16::MAX));
    }
}
