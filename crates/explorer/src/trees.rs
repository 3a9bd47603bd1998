//! A kernel with schedulers, every interleaving, checked state by state.
//!
//! What schedulers decide and what a kernel does with gates, budgets and interrupts is explored
//! each for itself; here it is both at once, in the order in which a machine and the simulator
//! have it: an event, and then both agree. What is checked is worked out from who waits for whom,
//! who was told what, and sums of time ([`Ledger`]), and shares no code with the kernel.

mod calls;
mod check;
mod encode;
mod ledger;
mod mutexes;
mod order;
mod policy;
mod rule;
mod search;
mod seen;
mod sleepers;
mod step;
mod system;
pub mod systems;
mod take;
mod taken;
mod world;

pub use ledger::Ledger;
pub use policy::TreePolicy;
pub use rule::{Breach, Checked, Rule};
pub use search::{Report, Violation, explore};
pub use seen::Seen;
pub use step::Step;
pub use system::{Policy, System, Tries};
pub use world::World;
