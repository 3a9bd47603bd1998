//! The parts that tests of several crates share; only they depend on it.
//!
//! Each module gives one thing and knows nothing of the others' purposes. What a single
//! test needs stays beside that test: a module comes here when a second one asks for it.

pub mod book;
pub mod boots;
mod campaign;
pub mod corpus;
pub mod descriptions;
mod drawn;
mod folder;
pub mod images;
pub mod interpreter;
pub mod large_kernel;
mod number;
mod parallel;
pub mod programs;
mod random;
pub mod sums;
pub mod systems;
mod times;
mod tool;
pub mod verilog;

pub use campaign::{Campaign, Held};
pub use drawn::Drawn;
pub use folder::{copy, folder, workspace, write_project};
pub use number::{given, given_or};
pub use parallel::side_by_side;
pub use random::Draw;
pub use times::with_times;
pub use tool::{Tool, beginning, document, printed, row};

/// Explorations keep millions of small states: a third of some was asking for memory.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;
