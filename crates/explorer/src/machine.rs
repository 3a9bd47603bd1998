//! A machine on paper, which the portable trap flow drives.
//!
//! The other searches ask the kernel's decisions one by one. Here a trap arrives as on a processor:
//! a vector saves registers, `fusee_trap_flow` asks the kernel, sets the timer and leaves by one of
//! its ways out, and the thread that goes on looks at what it finds. So the flow that boots is
//! explored. The rules are those of one core; the answers are read from the way out and the
//! registers, and not from the kernel: [`Rule::Registers`](crate::Rule::Registers) says what a
//! thread must find there.
//!
//! Registers are numbers that tell where they come from ([`registers`]). As on a processor, what an
//! interrupted thread has in its other registers is kept where its next deeper frame will be, so
//! that a value which is read too late is another one.

mod encode;
mod found;
mod history;
mod paper;
mod registers;
mod search;
mod state;
mod step;
pub mod systems;

pub use search::{Report, explore};
pub use state::State;
