//! The VexRiscv core on its board.

use std::path::{Path, PathBuf};

use crate::build::{BuildError, Core, built};
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
    bench: include_str!("../bench/vexriscv.cpp"),
    optimisation: "-O2",
    defines: &[],
};

/// A board that is built.
#[derive(Debug, Clone)]
pub struct Board {
    pub(crate) program: PathBuf,
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
}
