//! Random systems against their bounds.
//!
//! The first thing that must hold is that no bound is ever broken. Nobody proves
//! that for a program of some thousand lines, so it is attacked: systems that
//! mix everything the kernel has are drawn by seed and index, analyzed, and run
//! under releases that aim at the worst case. Every response time of every job is
//! held against its task's bound. A violation is shrunk and printed; then the
//! kernel, the simulator or the analysis is wrong, and each of them has been.

mod campaign;
mod describe;
mod description;
pub mod hostile;
mod judge;
mod ledger;
mod scenarios;
mod shrink;
mod tally;

pub use campaign::{Campaign, Findings};
pub use describe::describe;
pub use description::{description, read, read_again, refusing_rule};
pub use judge::{Attack, Judgement, Violation, attack, judge};
pub use scenarios::{Effort, scenarios};
pub use shrink::shrink;
pub use tally::Tally;
