//! One step of a history.

use std::fmt;

use fusee_kernel::{Event, GateIndex, ThreadIndex};

/// A step of the exploration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The running thread looks at the word of the mutex in a slot, to lock it.
    LookToLock(u16),
    /// Likewise, to unlock it.
    LookToUnlock(u16),
    /// The running thread does what follows: it stores, or calls the kernel.
    GoOn,
    /// The running thread writes anything to a word.
    Write(GateIndex, u32),
    /// The kernel handles an event.
    Event(Event),
    /// A thread gets another base priority.
    Reprioritise(ThreadIndex, u8),
    /// One tick passes and nothing happens.
    Tick,
}

impl fmt::Display for Step {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::LookToLock(slot) => write!(out, "looks at the word in slot {slot} to lock it"),
            Step::LookToUnlock(slot) => {
                write!(out, "looks at the word in slot {slot} to unlock it")
            }
            Step::GoOn => write!(out, "stores, or calls"),
            Step::Write(mutex, word) => write!(out, "writes {word:#x} to the word of M{}", mutex.0),
            Step::Event(event) => write!(out, "{event:?}"),
            Step::Reprioritise(thread, priority) => {
                write!(out, "T{} gets base priority {priority}", thread.0)
            }
            Step::Tick => write!(out, "a tick passes"),
        }
    }
}
