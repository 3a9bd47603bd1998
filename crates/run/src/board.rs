//! The Verilog of real cores with a system's memory.
//!
//! The board shares the memory's file, as QEMU does, and writes back what its caches
//! hold before it ends. Nothing of the host's decides what happens when: the same image
//! runs the same way everywhere, cycle by cycle.

use std::path::Path;

use fusee_platform::Board;
use fusee_rtl::{NoBoard, Rocket};

use crate::machine::{Machine, collect};
use crate::{Ram, RunError};

/// Starts the board with this memory; the first time on a host, it is built before.
///
/// # Errors
/// It can't be built or started.
pub(crate) fn start(about: Board, ram: &Ram) -> Result<Machine, RunError> {
    let board = Rocket::build(&fusee_rtl::cache()).map_err(|error| match error {
        NoBoard::Missing(missing) => RunError::NoVerilog { why: missing.to_string() },
        NoBoard::Build(build) => RunError::Emulator { complaint: build.to_string() },
    })?;
    let command = board.command(Path::new(&ram.path()), about.memory_latency);
    Ok(Machine::spawn(command, collect)?)
}
