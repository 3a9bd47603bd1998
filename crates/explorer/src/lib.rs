//! Every interleaving of a small system, checked state by state.
//!
//! The kernel is a pure function of its memory and the next event, so all that can ever happen in a
//! small system can be tried: in each state every system call of the running thread, every release,
//! interrupt, fault, tick of the clock and end of a budget. The search is breadth-first, so the
//! first violation found has a shortest history, which is then told step by step. What is checked
//! ([`check`]) is written anew from the rules and shares no code with the kernel: effective
//! priorities are recomputed as a fixpoint over all threads, order among equals is compared before
//! and after each step.
//!
//! States are compared by a canonical encoding ([`encode`]): times relative to now, epochs only as
//! far as they tell live frames from stale ones, free stacks without their order. Statistics are
//! left out. Encodings are kept whole, not as hashes, so that a complete search is complete.

mod blockings;
pub mod breach;
mod breadth_first;
pub mod check;
pub mod cores;
pub mod drive;
pub mod encode;
mod fast_paths;
mod frames;
mod history;
pub mod ledger;
mod lists;
pub mod locks;
mod longest;
pub mod machine;
pub mod memory;
mod order;
mod origins;
mod parts;
mod policy;
mod rule;
mod search;
pub mod services;
mod step;
pub mod systems;
mod tape;
pub mod tcaps;
mod transition;
pub mod trees;
pub mod words;

pub use fusee_kernel::Store;
pub use history::{History, Violation};
pub use ledger::Ledger;
pub use policy::{Held, Rules};
pub use rule::{Breach, Checked, Rule};
pub use search::{Report, explore};
pub use step::Step;
pub use systems::System;
pub use tape::Tape;
pub use transition::Transition;
