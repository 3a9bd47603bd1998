//! The layer between the kernel's decisions and any machine.
//!
//! The kernel crate decides; an architecture's crate saves registers and sets timers. This crate
//! does what is neither: the system's tables as they come from the image are decoded into memory
//! ([`System::new`]), records are kept ([`Recorder`]), the end of a run and of its start are
//! watched ([`Watch`]). An architecture provides memory ([`Memory`]) and calls.
#![no_std]
#![forbid(unsafe_code)]

mod decode;
#[cfg(feature = "cores")]
mod globals;
mod memory;
mod policy;
mod recorder;
mod restarts;
#[cfg(feature = "schedulers")]
mod scheduler_calls;
mod stack;
mod system;
#[cfg(feature = "schedulers")]
mod trees;
mod watch;
#[cfg(feature = "mutex-words")]
mod words;

pub use decode::Refusal;
#[cfg(feature = "cores")]
pub use globals::Globals;
pub use memory::{Memory, OutOfMemory};
pub use policy::{POLICY, Policy};
pub use recorder::{RECORD_WORDS, RESULT_WORDS, Recorder, ResultWords};
pub use restarts::Piece;
#[cfg(feature = "cores")]
pub use restarts::SharedRestart;
#[cfg(feature = "schedulers")]
pub use scheduler_calls::{Answer, SchedulerCall};
pub use stack::Stack;
pub use system::{Listening, System};
pub use watch::{Verdict, Watch};
#[cfg(feature = "mutex-words")]
pub use words::UserWords;
