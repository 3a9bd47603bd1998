//! Where the core's Verilog is.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The environment's variable that names the file.
const VARIABLE: &str = "FUSEE_VEXRISCV";
/// The core's file in the package.
const FILE: &str = "VexRiscv_Linux.v";

/// The Verilog is nowhere.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the core's Verilog is not there: install it with `pip install \
     pythondata-cpu-vexriscv==1.0.1.post407`, or name the file {FILE} in the variable {VARIABLE}"
)]
pub struct Missing;

/// Finds the Verilog of the VexRiscv core.
///
/// In the file that `FUSEE_VEXRISCV` names, else in the package of the Python in
/// `.venv` of the current directory or one above it, else in that of `python3`.
///
/// # Errors
/// [`Missing`].
pub fn find() -> Result<PathBuf, Missing> {
    if let Some(file) = std::env::var_os(VARIABLE) {
        return Some(PathBuf::from(file)).filter(|file| file.is_file()).ok_or(Missing);
    }
    let here = std::env::current_dir().unwrap_or_default();
    let own = here
        .ancestors()
        .map(|folder| folder.join(".venv/bin/python"))
        .filter(|python| python.is_file());
    let mut pythons = own.chain([PathBuf::from("python3")]);
    pythons.find_map(|python| in_package(&python)).ok_or(Missing)
}

fn in_package(python: &Path) -> Option<PathBuf> {
    let script = "import pythondata_cpu_vexriscv as package; print(package.data_location)";
    let output = Command::new(python).args(["-c", script]).stdin(Stdio::null()).output().ok()?;
    let folder = String::from_utf8(output.stdout).ok()?;
    let file = Path::new(folder.trim()).join(FILE);
    (output.status.success() && file.is_file()).then_some(file)
}
