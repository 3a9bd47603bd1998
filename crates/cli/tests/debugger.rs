//! A debugger stops a component where it wants, and Ctrl-C ends everything.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
const FOLDER: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/debugger");
/// The other test's.
const ALONE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/debugger-alone");

/// Longer than this, nothing takes on the slowest machine.
const PATIENCE: Duration = Duration::from_secs(300);

fn build_in(folder: &str) {
    let arguments = ["build", "examples/hello/hello.camkes", "-o", folder];
    let built =
        Command::new(env!("CARGO_BIN_EXE_fusee")).current_dir(ROOT).args(arguments).output();
    let built = built.expect("fusee starts");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
}

/// A process with its group, ended with this value.
struct Machine(Child);

impl Machine {
    /// Sends the whole group a signal, as a terminal does; whether there was anybody.
    fn signal(&self, signal: &str) -> bool {
        let group = format!("-{}", self.0.id());
        let kill = Command::new("kill").args([signal, "--", &group]).stderr(Stdio::null()).status();
        kill.expect("kill starts").success()
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        self.signal("-KILL");
        let _ = self.0.wait();
    }
}

/// `fusee run --gdb` in a process group of its own, as a shell starts it; nothing if the port was
/// taken meanwhile. Whoever runs the tests in the background has Ctrl-C ignored, and all that they
/// start with them.
fn waiting(folder: &str) -> Option<(Machine, TcpStream, String)> {
    let port = TcpListener::bind("127.0.0.1:0")
        .and_then(|free| free.local_addr())
        .expect("a free port")
        .port();
    let image = format!("{folder}/image.elf");
    let mut command = Command::new("env");
    command.args(["--default-signal=INT", env!("CARGO_BIN_EXE_fusee"), "run", &image]);
    command.arg(format!("--gdb={port}")).process_group(0);
    let mut machine = Machine(
        command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("fusee starts"),
    );
    let mut hint = String::new();
    let mut output = BufReader::new(machine.0.stdout.take().expect("its output"));
    while !hint.contains("gdb-multiarch") {
        if output.read_line(&mut hint).expect("text") == 0 {
            return None;
        }
    }
    // QEMU listens soon after it was started, or ends because it can't.
    loop {
        match TcpStream::connect(("127.0.0.1", port)) {
            Ok(stream) => return Some((machine, stream, hint)),
            Err(error) if error.kind() == ErrorKind::ConnectionRefused => {}
            Err(error) => panic!("{error}"),
        }
        if machine.0.try_wait().expect("its state").is_some() {
            return None;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A debugger: GDB's remote protocol, as far as it is needed.
struct Debugger(TcpStream);

impl Debugger {
    /// Sends a command and hears the answer.
    fn ask(&mut self, command: &str) -> String {
        let sum = command.bytes().fold(0u8, u8::wrapping_add);
        write!(self.0, "${command}#{sum:02x}").expect("it is sent");
        self.answer()
    }

    fn answer(&mut self) -> String {
        let mut byte = || {
            let mut one = [0];
            self.0.read_exact(&mut one).expect("an answer");
            one[0]
        };
        while byte() != b'$' {}
        let mut answer = String::new();
        loop {
            match byte() {
                b'#' => break,
                other => answer.push(other.into()),
            }
        }
        byte();
        byte();
        self.0.write_all(b"+").expect("it is sent");
        answer
    }
}

/// Returns the address of a symbol in a component's program.
fn symbol(program: &str, name: &str) -> u64 {
    let run = Command::new("riscv64-unknown-elf-nm")
        .arg(format!("{FOLDER}/domains/{program}.elf"))
        .output();
    let text = String::from_utf8(run.expect("`make setup` installs the cross tools").stdout)
        .expect("text");
    let line = text.lines().find(|line| line.ends_with(&format!(" T {name}"))).expect("the symbol");
    u64::from_str_radix(line.split(' ').next().expect("an address"), 16).expect("a number")
}

#[test]
fn a_debugger_stops_a_component_and_ctrl_c_ends_it_all() {
    build_in(FOLDER);
    let (mut machine, stream, hint) =
        (0..10).find_map(|_| waiting(FOLDER)).expect("a machine that waits for a debugger");
    assert!(hint.contains("kernel.elf") || hint.contains("image.elf"), "{hint}");
    assert!(hint.contains("add-symbol-file") && hint.contains("visitor.elf"), "{hint}");
    stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
    let mut debugger = Debugger(stream);
    let stopped = debugger.ask("?");
    assert!(stopped.starts_with(['S', 'T']), "it stands before its first instruction: {stopped}");
    let job = symbol("visitor", "__fusee_job_visitor");
    assert_eq!(debugger.ask(&format!("Z1,{job:x},2")), "OK");
    let stopped = debugger.ask("c");
    assert!(stopped.starts_with(['S', 'T']), "{stopped}");
    // All registers, the program counter behind the 32 others, each as its bytes in memory.
    let registers = debugger.ask("g");
    let pc = u64::from_str_radix(&registers[32 * 16..33 * 16], 16).expect("a number").swap_bytes();
    assert_eq!(pc, job, "it stands at the component's job");
    // What a terminal does for Ctrl-C.
    assert!(machine.signal("-INT"));
    let status = machine.0.wait().expect("it ends");
    assert!(status.signal() == Some(2) || status.code().is_some(), "{status}");
    hangs_up(debugger.0);
}

/// QEMU goes: nobody holds the other end any more.
fn hangs_up(mut stream: TcpStream) {
    stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
    match stream.read_to_end(&mut Vec::new()) {
        Ok(_) => {}
        Err(error) => assert_eq!(error.kind(), ErrorKind::ConnectionReset),
    }
}

#[test]
fn whatever_ends_fusee_alone_ends_the_machine() {
    build_in(ALONE);
    for signal in ["-INT", "-TERM", "-KILL"] {
        let (mut machine, stream, _) =
            (0..10).find_map(|_| waiting(ALONE)).expect("a machine that waits");
        let sent = Command::new("kill")
            .args([signal, &machine.0.id().to_string()])
            .status()
            .expect("kill starts");
        assert!(sent.success());
        machine.0.wait().expect("it ends");
        // Nobody told QEMU, which would wait for its debugger for ever.
        hangs_up(stream);
    }
}
