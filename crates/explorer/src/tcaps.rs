//! Every interleaving of schedulers that share time, checked state by state.
//!
//! In each state every scheduler tries what it may and what it may not: dispatches, delegations,
//! transfers, waits; threads wait and fault, interrupts come, time passes and budgets end. What is
//! checked is written from the rules over sets, sums and histories and shares no code with the
//! kernel: a [`View`] reads the state into maps, and a [`Ledger`] beside each history has what was
//! received, given and used, who was told what, and in which order time was delegated.

pub mod attack;
mod check;
mod control;
pub mod drive;
mod encode;
mod history;
mod ledger;
mod legal;
mod moves;
mod rule;
mod search;
mod step;
mod system;
pub mod systems;
mod view;
mod world;

pub use ledger::Ledger;
pub use rule::{Breach, Checked, Rule};
pub use search::{Report, Violation, explore};
pub use step::{Found, Step};
pub use system::{System, Tries};
pub use view::{Held, Opinions, View};
pub use world::World;
