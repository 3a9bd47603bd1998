//! One step of a history.

use fusee_kernel::{Event, ThreadIndex};

/// A step of the exploration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The kernel handles an event.
    Event(Event),
    /// A thread gets another base priority.
    Reprioritise(ThreadIndex, u8),
    /// One tick passes and nothing happens.
    Tick,
}
