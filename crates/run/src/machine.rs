//! Starting a machine on the host, waiting for it, ending it.
//!
//! A machine powers itself off at the end of its time; a limit on the host's time
//! catches a kernel that does not come to it. It is in the host program's process
//! group, so that Ctrl-C on a terminal ends both; and whatever else ends the host
//! program ends the machine with it, where `setpriv` (util-linux) can ask the
//! host's kernel for that.

use std::ffi::OsStr;
use std::io::{self, Read};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// A running machine; it is ended with this value.
#[derive(Debug)]
pub(crate) struct Machine {
    child: Child,
    serial: Option<JoinHandle<Vec<u8>>>,
    complaints: Option<JoinHandle<Vec<u8>>>,
}

/// The end of a machine's run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ended {
    /// Its exit status; `None` when a signal ended it.
    pub(crate) code: Option<i32>,
    /// The output of the serial port.
    pub(crate) serial: Vec<u8>,
    /// The complaints of the host's program itself.
    pub(crate) complaints: String,
}

/// Returns a command that ends when its parent does, as far as the host can do that.
fn bound(command: Command) -> io::Result<Command> {
    let program = command.get_program().to_owned();
    if !is_there(&program) {
        return Err(io::Error::from(io::ErrorKind::NotFound));
    }
    if !is_there(OsStr::new("setpriv")) {
        return Ok(command);
    }
    let mut bound = Command::new("setpriv");
    bound.args(["--pdeathsig", "KILL", "--"]).arg(program).args(command.get_args());
    Ok(bound)
}

/// Returns `true` if it is a file, or the path leads to a program of that name.
fn is_there(name: &OsStr) -> bool {
    std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join(name).is_file()))
}

/// The time between two looks while a machine runs.
const GLANCE: Duration = Duration::from_millis(2);

impl Machine {
    /// Starts the machine that a command runs; `listen` gets what the host's program says itself,
    /// and keeps of it what is a complaint.
    ///
    /// # Errors
    /// The program can't be started.
    pub(crate) fn spawn(
        command: Command,
        listen: impl FnOnce(ChildStderr) -> Vec<u8> + Send + 'static,
    ) -> io::Result<Machine> {
        let mut command = bound(command)?;
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let serial = child.stdout.take().map(|stdout| thread::spawn(move || collect(stdout)));
        let complaints = child.stderr.take().map(|stderr| thread::spawn(move || listen(stderr)));
        Ok(Machine { child, serial, complaints })
    }

    /// Waits until the machine is off; nothing if that takes longer than `limit`.
    ///
    /// # Errors
    /// The host says nothing about the process.
    pub(crate) fn wait(mut self, limit: Option<Duration>) -> io::Result<Option<Ended>> {
        let start = Instant::now();
        let code = loop {
            if let Some(status) = self.child.try_wait()? {
                break status.code();
            }
            if limit.is_some_and(|limit| start.elapsed() > limit) {
                return Ok(None);
            }
            thread::sleep(GLANCE);
        };
        let all = |thread: &mut Option<JoinHandle<_>>| {
            thread.take().and_then(|t| t.join().ok()).unwrap_or_default()
        };
        let (serial, complaints) = (all(&mut self.serial), all(&mut self.complaints));
        Ok(Some(Ended {
            code,
            serial,
            complaints: String::from_utf8_lossy(&complaints).trim().to_owned(),
        }))
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        // After a regular end both fail, and there is nothing else to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Everything that a stream says.
pub(crate) fn collect(mut stream: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    // What came before an error is still worth showing.
    let _ = stream.read_to_end(&mut bytes);
    bytes
}
