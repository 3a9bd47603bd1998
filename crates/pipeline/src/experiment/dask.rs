//! Handing an experiment's chunks to a Dask cluster.
//!
//! The cluster is a matter of the Python package: its workers call the same
//! functions as the threads here, and it writes to the same log. So this only has
//! to find an interpreter that has the package, and to wait for it.

use std::path::PathBuf;
use std::process::Command;

use super::{Asked, Subject, log_path};

/// The variable that names the interpreter.
const VARIABLE: &str = "FUSEE_PYTHON";

/// Does all open chunks on the cluster.
///
/// # Errors
/// There is no interpreter with the package, or it failed.
pub fn work(asked: &Asked, address: &str, subject: &Subject) -> Result<(), String> {
    let python = std::env::var_os(VARIABLE).map_or_else(|| PathBuf::from("python3"), PathBuf::from);
    let mut command = Command::new(&python);
    command
        .args(["-m", "fusee.dask"])
        .arg(&asked.experiment)
        .arg("--log")
        .arg(log_path(&subject.folder));
    command.args(["--cluster", address, "--workers", &subject.workers.to_string()]);
    if let Some(share) = asked.sample {
        command.args(["--sample", &share.to_string()]);
    }
    // Standard output belongs to the results.
    command.stdout(std::io::stderr());
    let hint = format!(
        "Dask is driven by the Python package: `pip install .` in Fusee's folder, or name its \
         interpreter in {VARIABLE}"
    );
    let status = command
        .status()
        .map_err(|error| format!("`{}` does not start: {error}; {hint}", python.display()))?;
    match status.code() {
        Some(0) => Ok(()),
        _ => Err(format!("`{} -m fusee.dask` failed ({status}); {hint}", python.display())),
    }
}
