//! MSRP: spin in FIFO order without preemption; local resources by the SRP.
//!
//! A job that requests a resource of several cores becomes non-preemptive, spins
//! until its turn, and stays non-preemptive to the end of its section. The
//! classic analysis charges every request the longest section of every other core
//! (Gai, Lipari, Di Natale 2001). The holistic one counts which requests fit into
//! a window at all, so no request of another core is charged twice; its bounds
//! are never above the classic ones.

mod classic;
mod classic_edf;
mod holistic;
mod holistic_edf;
mod program;

pub use classic::MsrpClassic;
pub use classic_edf::MsrpClassicEdf;
pub use holistic::{MsrpHolistic, fifo_spin_delay};
pub use holistic_edf::{MsrpHolisticEdf, fifo_spin_delay_edf};
pub use program::{fifo_spin_program, fifo_spin_program_edf};
