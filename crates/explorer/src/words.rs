//! Mutexes that are words until a thread waits, in every interleaving.
//!
//! What a thread does without the kernel is taken apart as far as another can come between: a load
//! that reserves the word, and a store that succeeds if the reservation still stands, or else a
//! call. The kernel is that of [`fusee_kernel::MutexWords`], of [`fusee_kernel::CeilingWords`] or
//! of [`fusee_kernel::DeadlineWords`], the same source as on the machine. A ledger beside it knows
//! who believes to hold what; all rules are computed anew from that and from the state.

mod check;
mod encode;
mod ledger;
mod mixed;
mod next;
mod rule;
mod search;
mod step;
mod system;
pub mod systems;
mod take;
mod world;

pub use rule::{Breach, Checked, Rule};
pub use search::{Report, Violation, explore};
pub use step::Step;
pub use system::{Conduct, System, Under, Weakness};
pub use world::{Worded, World};
