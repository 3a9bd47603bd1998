//! Every interleaving of several cores, checked state by state.
//!
//! Each core takes its events as the one-core explorer does it: every call that its code may make,
//! every release, fault, tick and end of a budget. Between them, and between the sections of one
//! path, every other core may step; looks are on their way for as long as it takes, arrive in any
//! order, and in some systems come for nothing. What is checked ([`check`]) is written from the
//! rules and shares no code with the kernel; beside each history a [`Diary`] keeps who has asked in
//! which order, and how each section has ended.

mod asked;
pub mod check;
mod diary;
mod encode;
mod history;
mod jobs;
mod kept;
mod mail;
mod mutexes;
mod posts;
mod restarts;
mod rule;
mod search;
mod sleepers;
mod step;
mod system;
pub mod systems;

pub use diary::Diary;
pub use rule::{Breach, Checked, Rule};
pub use search::{Report, Violation, explore};
pub use step::Step;
pub use system::{Core, EventKind, EventOf, Part, System, Task};
