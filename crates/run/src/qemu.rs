//! QEMU with a system's memory.
//!
//! Under `-icount shift=0,sleep=off` every instruction takes a nanosecond of the
//! guest's time, waiting takes no time of the host's, and no clock of the host's
//! is looked at: the same image runs the same way everywhere.

use std::process::{ChildStderr, Command};

use fusee_platform::Emulator;

use crate::machine::Machine;
use crate::{Ram, RunError};

/// Starts the machine with this memory and more arguments; `listen` gets what QEMU says itself, and
/// keeps of it what is a complaint.
///
/// # Errors
/// The program can't be started.
pub(crate) fn start(
    machine: Emulator,
    ram: &Ram,
    arguments: &[String],
    listen: impl FnOnce(ChildStderr) -> Vec<u8> + Send + 'static,
) -> Result<Machine, RunError> {
    let size = ram.size();
    let mut command = Command::new(machine.program);
    command
        .args(["-machine", &format!("{},memory-backend=ram", machine.machine), "-bios", "none"])
        .args(["-m", &format!("{}K", size >> 10)])
        .args([
            "-object",
            &format!("memory-backend-file,id=ram,size={size},share=on,mem-path={}", ram.path()),
        ])
        .args(["-display", "none", "-monitor", "none", "-serial", "stdio", "-no-reboot"])
        .args(["-icount", "shift=0,sleep=off"])
        .args(arguments);
    Machine::spawn(command, listen).map_err(|error| RunError::of_start(machine, error))
}

/// Returns QEMU's arguments for the number of cores.
pub(crate) fn with_cores(cores: usize) -> Vec<String> {
    match cores {
        0 | 1 => Vec::new(),
        cores => vec!["-smp".to_owned(), cores.to_string()],
    }
}
