//! CMake and Ninja as processes: their environment and their time.

use super::rules;
use crate::failure::{self, Failure};
use fusee_diagnostics::Diagnostic;
use std::ffi::OsStr;
use std::fs::File;
use std::io::ErrorKind;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The programs that a project of CMake's needs, and the packages that bring them.
const PROGRAMS: [(&str, &str); 3] = [
    ("cmake", "cmake"),
    ("ninja", "ninja-build"),
    ("riscv64-unknown-elf-gcc", "gcc-riscv64-unknown-elf"),
];

/// The longest time that a process may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limit(pub(crate) Duration);

impl Limit {
    /// The limit for reading a project's files.
    pub(crate) const CONFIGURE: Self = Self(Duration::from_secs(60));
    /// The limit for making its sources and headers.
    pub(crate) const GENERATE: Self = Self(Duration::from_secs(300));
}

/// The end of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    Well,
    Badly,
    /// It was ended, for it took longer than this.
    Late(Limit),
}

/// A process that has ended, with what it wrote.
#[derive(Debug)]
pub(super) struct Said {
    pub(super) how: Ended,
    pub(super) text: String,
}

/// Returns the path of a program, by the environment's `PATH`.
pub(super) fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// Checks that all programs are there that a project of CMake's needs.
pub(super) fn installed() -> Result<(), Failure> {
    let missing: Vec<_> = PROGRAMS.iter().filter(|(name, _)| program(name).is_none()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let names: Vec<String> = missing.iter().map(|(name, _)| format!("`{name}`")).collect();
    let packages: Vec<&str> = missing.iter().map(|(_, package)| *package).collect();
    let verb = if names.len() == 1 { "is" } else { "are" };
    let message = format!("{} {verb} not installed", names.join(" and "));
    Err(vec![
        Diagnostic::error(rules::NO_CMAKE, message)
            .with_note("the project's CMakeLists.txt says what its components are made of")
            .with_note(format!(
                "install it: sudo apt-get install -y --no-install-recommends {}",
                packages.join(" ")
            )),
    ])
}

/// Lets CMake read a project's files.
pub(super) fn cmake(scratch: &Path, project: &Path, limit: Limit) -> Result<Said, Failure> {
    let mut command = Command::new("cmake");
    command.args(["-G", "Ninja", "-Wno-dev", "--fresh"]);
    command.arg("-C").arg(scratch.join("shims/variables.cmake"));
    command.arg("-S").arg(project).arg("-B").arg(scratch);
    run(command, scratch, limit)
}

/// Lets Ninja make what CMake has rules for.
pub(super) fn ninja(scratch: &Path, targets: &[String], limit: Limit) -> Result<Said, Failure> {
    let mut command = Command::new("ninja");
    command.arg("-C").arg(scratch).args(targets);
    run(command, scratch, limit)
}

/// Runs a program to its end or the limit's; what it starts ends with it.
///
/// It has no environment but the path: whoever builds decides nothing by theirs. Proxies that lead
/// nowhere keep it from the network.
fn run(mut command: Command, scratch: &Path, limit: Limit) -> Result<Said, Failure> {
    let log = scratch.join("log");
    let failed = |error| failure::file(&log, &error);
    let out = File::create(&log).map_err(failed)?;
    let errors = out.try_clone().map_err(failed)?;
    let nowhere = "http://127.0.0.1:9";
    command
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", scratch)
        .env("LC_ALL", "C")
        .env("GIT_ALLOW_PROTOCOL", "file")
        .envs(["http_proxy", "https_proxy", "ftp_proxy", "ALL_PROXY"].map(|name| (name, nowhere)))
        .current_dir(scratch)
        .stdin(Stdio::null())
        .stdout(out)
        .stderr(errors)
        .process_group(0);
    let name = command.get_program().to_owned();
    let mut child = command.spawn().map_err(|error| not_run(&name, &error))?;
    let ended = wait(&mut child, limit).map_err(|error| not_run(&name, &error))?;
    let how = match ended {
        None => Ended::Late(limit),
        Some(status) if status.success() => Ended::Well,
        Some(_) => Ended::Badly,
    };
    let bytes = std::fs::read(&log).map_err(failed)?;
    Ok(Said { how, text: String::from_utf8_lossy(&bytes).into_owned() })
}

/// Waits for the end; `None` if it had to be brought about.
fn wait(child: &mut Child, limit: Limit) -> std::io::Result<Option<ExitStatus>> {
    let began = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if began.elapsed() > limit.0 {
            let group = format!("-{}", child.id());
            let killed = Command::new("kill").args(["-KILL", "--", &group]).status();
            if !killed.is_ok_and(|status| status.success()) {
                child.kill()?;
            }
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

fn not_run(program: &OsStr, error: &std::io::Error) -> Failure {
    let program = program.to_string_lossy();
    let what = match error.kind() {
        ErrorKind::NotFound => format!("`{program}` is not installed"),
        _ => format!("cannot run `{program}`: {error}"),
    };
    vec![Diagnostic::error(rules::NO_CMAKE, what)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_does_not_end_is_ended_with_all_that_it_started() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut command = Command::new("sh");
        command.args(["-c", "echo begun; sleep 1000 & echo $! >inner; wait"]);
        let began = Instant::now();
        let limit = Limit(Duration::from_millis(300));
        let said = run(command, folder.path(), limit).expect("it runs");
        assert_eq!(said.how, Ended::Late(limit));
        assert_eq!(said.text, "begun\n");
        assert!(began.elapsed() < Duration::from_secs(100));
        let inner = std::fs::read_to_string(folder.path().join("inner")).expect("a number");
        let gone = || !Path::new("/proc").join(inner.trim()).join("exe").exists();
        assert!((0..200).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            gone()
        }));
    }

    #[test]
    fn the_environment_decides_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut command = Command::new("sh");
        command.args(["-c", "echo ${CARGO_MANIFEST_DIR-none} $http_proxy $HOME"]);
        let said = run(command, folder.path(), Limit::CONFIGURE).expect("it runs");
        assert_eq!(said.how, Ended::Well);
        assert_eq!(said.text, format!("none http://127.0.0.1:9 {}\n", folder.path().display()));
    }
}
