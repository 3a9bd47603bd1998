//! Programs that a test writes and then runs.
//!
//! Nobody can run a file that is open for writing anywhere. A process that another
//! test starts meanwhile has it open, too, until it has become what it is to be. So
//! no test starts a process while another one writes a program.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes a program.
pub(crate) fn write(path: &Path, text: &str) {
    let _alone = alone();
    fs::write(path, text).expect("a file");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("permissions");
}

/// Runs a program to its end.
pub(crate) fn output(command: &mut Command) -> Output {
    let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let started = {
        let _alone = alone();
        command.spawn().expect("it runs")
    };
    started.wait_with_output().expect("it ends")
}
