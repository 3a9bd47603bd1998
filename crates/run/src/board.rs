//! The Verilog of real cores with a system's memory.
//!
//! The board shares the memory's file, as QEMU does, and writes back what its caches
//! hold before it ends, if they hold anything that is not there. Nothing of the host's
//! decides what happens when: the same image runs the same way everywhere, cycle by
//! cycle.

use std::path::Path;

use fusee_platform::{Board, Verilog};
use fusee_rtl::{NoBoard, Rocket, VexRiscv};

use crate::machine::{Machine, collect};
use crate::{Ram, RunError};

/// Starts the board with this memory; the first time on a host, it is built before.
///
/// # Errors
/// It can't be built or started.
pub(crate) fn start(about: Board, ram: &Ram) -> Result<Machine, RunError> {
    let (folder, memory) = (fusee_rtl::cache(), ram.path());
    let (memory, latency) = (Path::new(&memory), about.memory_latency);
    let command = match about.cores {
        Verilog::Rocket => Rocket::build(&folder).map(|board| board.command(memory, latency)),
        Verilog::VexRiscv => VexRiscv::build(&folder).map(|board| board.command(memory, latency)),
    };
    let command = command.map_err(|error| match error {
        NoBoard::Missing(missing) => RunError::NoVerilog { why: missing.to_string() },
        NoBoard::Build(build) => RunError::Emulator { complaint: build.to_string() },
    })?;
    Ok(Machine::spawn(command, collect)?)
}
