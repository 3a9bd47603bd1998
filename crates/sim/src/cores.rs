//! Several cores under one virtual time.
//!
//! Each core has its own kernel; time is the same for all of them, and passes for all that execute.
//! As with one core, the kernel decides everything: whose code a core executes, who is charged for
//! it, and whom it tells to look. What the code does is a [`Code`]'s.
//!
//! What happens at one instant happens in this order, again and again until there is nothing left:
//! paths under way come to their end; cores look where they have been told; code that has executed
//! all that it had to takes its next steps; timers fire. Among cores the lower number comes first.

mod engine;
mod schedule;

pub use engine::{Code, CoresError, Reached, Want, run};
pub use schedule::{Completion, Schedule, Span, Who};
