//! The VexRiscv core on its board.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::build::{BuildError, Core, built};
use crate::rocket::{NoBoard, looking_at};
use crate::verilog::{Missing, Package};

static PACKAGE: Package = Package {
    requirement: "pythondata-cpu-vexriscv==1.0.1.post407",
    module: "pythondata_cpu_vexriscv",
    variable: "FUSEE_VEXRISCV",
    named: "the file VexRiscv_Linux.v",
};

/// The core's file in the package.
const FILE: &str = "VexRiscv_Linux.v";

const CORE: Core = Core {
    name: "vexriscv",
    top: "VexRiscv",
    bench: concat!(
        include_str!("../bench/ends.h"),
        include_str!("../bench/shared_memory.h"),
        include_str!("../bench/vexriscv_core.h"),
        include_str!("../bench/vexriscv.cpp"),
        include_str!("../bench/vexriscv_system.cpp"),
        include_str!("../bench/vexriscv_boards.cpp")
    ),
    optimisation: "-O2",
    defines: &[],
    seen: &[],
};

/// A board for programs, built.
#[derive(Debug, Clone)]
pub struct Board {
    program: PathBuf,
}

/// Finds the Verilog of the VexRiscv core.
///
/// In the file that `FUSEE_VEXRISCV` names, else in the package of the Python in
/// `.venv` of the current directory or one above it, else in that of `python3`.
///
/// # Errors
/// [`Missing`].
pub fn find() -> Result<PathBuf, Missing> {
    // The variable names the file itself.
    let file =
        |place: &Path| vec![if place.is_dir() { place.join(FILE) } else { place.to_owned() }];
    Ok(PACKAGE.find(file)?.swap_remove(0))
}

impl Board {
    /// Builds the board for the core in `verilog`, in a folder of its own below `folder`.
    ///
    /// What was built there before from the same sources is used again.
    ///
    /// # Errors
    /// [`BuildError`] where a tool is missing or fails.
    pub fn build(verilog: &Path, folder: &Path) -> Result<Self, BuildError> {
        Ok(Self { program: built(&CORE, &[verilog.to_owned()], folder)? })
    }

    /// Returns the command that runs a program; its further words are the caller's to add.
    pub(crate) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.arg("program").arg(program);
        command
    }
}

/// A board for systems, with a memory that the host shares: built.
#[derive(Debug, Clone)]
pub struct VexRiscv {
    program: PathBuf,
}

impl VexRiscv {
    /// Finds the Verilog as [`find`] does, and builds the board, in a folder of its own below
    /// `folder`. What was built there before from the same sources is used again.
    ///
    /// # Errors
    /// [`NoBoard`] where the Verilog or a tool is missing, or a tool fails.
    pub fn build(folder: &Path) -> Result<Self, NoBoard> {
        Ok(Self { program: built(&CORE, &[find()?], folder)? })
    }

    /// Returns the command that runs what is in a memory, which begins at 0x80000000, until it
    /// switches the machine off. What it sends over the serial line comes on standard output.
    pub fn command(&self, memory: &Path, latency: u32) -> Command {
        let mut command = Command::new(&self.program);
        command.arg("system").arg(memory).args([latency.to_string(), u64::MAX.to_string()]);
        command
    }

    /// The same; on standard error it says which instructions of these addresses the core retires,
    /// when, and when it takes a trap ([`Seen`](crate::Seen)).
    pub fn watching(&self, memory: &Path, latency: u32, code: &[Range<u64>]) -> Command {
        looking_at(self.command(memory, latency), code)
    }
}
