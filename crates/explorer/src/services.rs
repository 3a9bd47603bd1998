//! Threads that sleep on each other's account, in every interleaving.
//!
//! The kernel is that of [`fusee_kernel::LockServices`], of [`fusee_kernel::CeilingServices`] or of
//! [`fusee_kernel::DeadlineServices`], the same source as on the machine. Beside it stands a ledger
//! of the two services as they are told in the book: who sleeps through which component on whose
//! account, and who has been woken before. It takes each step itself, and what the kernel makes of
//! it is compared; priorities are computed anew from it.

mod ledger;
mod next;
mod rule;
mod search;
mod step;
pub mod systems;
mod world;

pub use ledger::{Asked, Ledger};
pub use rule::{Breach, Checked, Rule};
pub use search::{Report, Violation, explore};
pub use step::Step;
pub use systems::{System, Under};
pub use world::{Serviced, World};
