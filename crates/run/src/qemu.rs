//! Starting QEMU, waiting for it, ending it.
//!
//! Under `-icount shift=0,sleep=off` every instruction takes a nanosecond of the
//! guest's time, waiting takes no time of the host's, and no clock of the host's
//! is looked at: the same image runs the same way everywhere. The guest powers
//! itself off at the end of its time; a limit on the host's time catches a kernel
//! that does not come to it. QEMU is in the host program's process group, so
//! that Ctrl-C on a terminal ends both; and whatever else ends the host program ends
//! QEMU with it, where `setpriv` (util-linux) can ask the host's kernel for that.

use std::io::{self, Read};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use fusee_platform::Emulator;

use crate::Ram;

/// A running QEMU; it is ended with this value.
#[derive(Debug)]
pub(crate) struct Qemu {
    child: Child,
    serial: Option<JoinHandle<Vec<u8>>>,
    complaints: Option<JoinHandle<Vec<u8>>>,
}

/// How QEMU ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ended {
    /// Its exit status; `None` when a signal ended it.
    pub(crate) code: Option<i32>,
    /// What the guest sent through the serial port.
    pub(crate) serial: Vec<u8>,
    /// What QEMU itself complained about.
    pub(crate) complaints: String,
}

/// A command that runs a program which ends when its parent does, as far as the host can do that.
fn program(name: &str) -> io::Result<Command> {
    if !is_there(name) {
        return Err(io::Error::from(io::ErrorKind::NotFound));
    }
    if !is_there("setpriv") {
        return Ok(Command::new(name));
    }
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "KILL", "--", name]);
    Ok(command)
}

/// Whether the path leads to a program of that name.
fn is_there(name: &str) -> bool {
    std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join(name).is_file()))
}

/// How long to look away while QEMU runs.
const GLANCE: Duration = Duration::from_millis(2);

impl Qemu {
    /// Starts the machine with this memory; with a port, it waits there for a debugger.
    ///
    /// # Errors
    /// The program can't be started.
    pub(crate) fn start(machine: Emulator, ram: &Ram, debugger: Option<u16>) -> io::Result<Qemu> {
        let wait = debugger
            .map(|port| ["-S".to_owned(), "-gdb".to_owned(), format!("tcp:127.0.0.1:{port}")]);
        Self::start_with(machine, ram, wait.as_ref().map_or(&[][..], |wait| wait), collect)
    }

    /// Starts the machine with more arguments; `listen` gets what QEMU says itself, and keeps of it
    /// what is a complaint.
    ///
    /// # Errors
    /// The program can't be started.
    pub(crate) fn start_with(
        machine: Emulator,
        ram: &Ram,
        arguments: &[String],
        listen: impl FnOnce(ChildStderr) -> Vec<u8> + Send + 'static,
    ) -> io::Result<Qemu> {
        let size = ram.size();
        let mut command = program(machine.program)?;
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
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let serial = child.stdout.take().map(|stdout| thread::spawn(move || collect(stdout)));
        let complaints = child.stderr.take().map(|stderr| thread::spawn(move || listen(stderr)));
        Ok(Qemu { child, serial, complaints })
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

impl Drop for Qemu {
    fn drop(&mut self) {
        // After a regular end both fail, and there is nothing else to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn collect(mut stream: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    // What came before an error is still worth showing.
    let _ = stream.read_to_end(&mut bytes);
    bytes
}
