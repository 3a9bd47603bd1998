//! Booting an image and reading what happened.
//!
//! [`Image::read`] takes a finished image, [`boot`] lets it run on its machine for
//! a given virtual time, and [`Run`] is what it left behind: the kernel's records,
//! counted by the same code that counts a simulated run, what components printed,
//! and the faults with their places in the source. Nothing on the host has an
//! influence on what the guest does: same image, same duration, same run.

mod areas;
mod board;
mod console;
mod counters;
mod error;
mod faults;
mod heap;
mod host;
mod image;
mod locked;
mod machine;
mod manifest;
mod qemu;
mod ram;
mod records;
mod refused;
mod rules;
mod symbols;
mod system;
mod throttled;
mod watch;

use std::time::Duration as HostTime;

use fusee_diagnostics::Diagnostic;
use fusee_image_format::{ResultBlock, Status};
use fusee_kernel::Record;
use fusee_model::Duration;
use fusee_platform::Host;

pub use board::{Looking, watch_cycles};
pub use console::{Line, visible};
pub use error::RunError;
pub use fusee_rtl::Seen;
pub use image::Image;
pub use manifest::{Component, Domain, Gate, Manifest, Thread};
pub use ram::Ram;
pub use records::Fault;
pub use refused::{Refusal, Refused};
pub use rules::RULES;
pub use symbols::{Place, Symbols};
pub use watch::watch;

use counters::Counters;
use locked::Known;
use machine::collect as heard;
use records::Written;

/// The results that a run left behind. Times count from the system's start, when the first jobs may
/// begin.
#[derive(Debug)]
pub struct Run {
    /// Virtual time that was run.
    pub elapsed: Duration,
    /// The kernel's own account.
    pub result: ResultBlock,
    /// The kernel's decisions, as far as its variant records them.
    pub records: Vec<Record>,
    /// Faults in the order in which they happened.
    pub faults: Vec<Fault>,
    /// Calls that were answered with an error, stack by stack.
    pub refused: Vec<Refused>,
    /// The lines that components printed, by time.
    pub console: Vec<Line>,
    /// The output of the serial port.
    pub serial: Vec<u8>,
    /// Messages about faults and consoles.
    pub diagnostics: Vec<Diagnostic>,
}

/// The way in which a debugger gets at a machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Debugging {
    /// The port at which the machine waits.
    pub port: u16,
}

/// Runs an image for a virtual time.
///
/// # Errors
/// See [`RunError`].
pub fn boot(image: &Image, duration: Duration) -> Result<Run, RunError> {
    boot_and_keep(image, duration).map(|(run, _)| run)
}

/// As [`boot`], and the machine's memory as it was left.
///
/// # Errors
/// See [`RunError`].
pub fn boot_and_keep(image: &Image, duration: Duration) -> Result<(Run, Ram), RunError> {
    let ram = image.load(duration.ns())?;
    let patience = patience(image, duration);
    let ended = host::start(image, &ram)?.wait(Some(patience))?;
    let ended = ended.ok_or(RunError::Endless { seconds: patience.as_secs() })?;
    if ended.code != Some(0) && !ended.complaints.is_empty() {
        return Err(RunError::Emulator { complaint: ended.complaints });
    }
    let run = collect(image, duration, &ram, ended.serial)?;
    Ok((run, ram))
}

/// Starts an image that waits for a debugger, and lets it run until the user ends it; `ready` is
/// called when the debugger may come.
///
/// # Errors
/// See [`RunError`].
pub fn debug(image: &Image, debugging: &Debugging, ready: impl FnOnce()) -> Result<(), RunError> {
    let platform = image.platform();
    let Host::Emulator(emulator) = platform.descriptor().host else {
        return Err(RunError::NoEmulation { platform: platform.name() });
    };
    let ram = image.load(u64::MAX)?;
    let port = format!("tcp:127.0.0.1:{}", debugging.port);
    let mut arguments = qemu::with_cores(image.cores.len());
    arguments.extend(["-S".to_owned(), "-gdb".to_owned(), port]);
    let machine = qemu::start(emulator, &ram, &arguments, heard)?;
    ready();
    let ended = machine.wait(None)?;
    match ended {
        Some(ended) if ended.code != Some(0) && !ended.complaints.is_empty() => {
            Err(RunError::Emulator { complaint: ended.complaints })
        }
        _ => Ok(()),
    }
}

/// Returns the time that the host waits: even a slow one that many others use emulates a second in
/// less than ten minutes, and simulates a twelfth of the cycles of a core's Verilog that others do.
fn patience(image: &Image, duration: Duration) -> HostTime {
    let cores = image.cores.len() as u32;
    let seconds = match image.platform().descriptor().host {
        Host::Emulator(_) => 600 * (duration.ns() / 1_000_000_000),
        Host::Board(board) => duration.ns() / (board.cycles_a_second(cores) / 12),
    };
    HostTime::from_secs(seconds.saturating_add(900))
}

fn collect(image: &Image, duration: Duration, ram: &Ram, serial: Vec<u8>) -> Result<Run, RunError> {
    let start = image.header().startup;
    let Written { result, decisions, faults, late } = records::read(ram, image, start)?;
    let symbols = || Symbols::read(image.programs().iter().map(std::path::PathBuf::as_path));
    if result.status != Status::Finished {
        let place = symbols().place(result.address).to_string();
        let place = if place.is_empty() { format!("{:#x}", result.address) } else { place };
        return Err(RunError::Stopped { status: result.status, detail: result.detail, place });
    }
    if result.dropped > 0 {
        return Err(RunError::Dropped { dropped: result.dropped, records: result.records });
    }
    let (console, mut diagnostics) = consoles(image, ram, start)?;
    let counters = Counters::read(image);
    let refused = refused::read(&counters, ram)?;
    if !faults.is_empty() {
        let (manifest, symbols) = (&image.manifest, &symbols());
        let known = Known { records: &decisions, refused: &refused, manifest, symbols };
        diagnostics.extend(faults::diagnostics(&faults, known));
    }
    let tasks = image
        .system
        .tasks
        .iter()
        .enumerate()
        .filter(|(index, _)| late.iter().any(|l| usize::from(*l) == *index));
    diagnostics.extend(tasks.map(|(_, task)| set_up_late(&task.name)));
    diagnostics.extend(throttled::diagnostics(&decisions, &image.manifest));
    if !refused.is_empty() {
        diagnostics.extend(refused::diagnostics(&refused, &image.manifest, &symbols()));
    }
    diagnostics.extend(heap::diagnostics(&counters, ram)?);
    Ok(Run {
        elapsed: duration,
        result,
        records: decisions,
        faults,
        refused,
        console,
        serial,
        diagnostics,
    })
}

/// Bounds count jobs. What a thread does before the first wait of its loop is none, and must be
/// over when they begin.
fn set_up_late(task: &str) -> Diagnostic {
    let message = format!("`{task}` was still setting itself up when the system started");
    Diagnostic::warning(rules::SET_UP_LATE.code, message)
        .with_note(
            "what its `run` does before the first wait is part of no job, so bounds do not \
                    count it",
        )
        .with_note(
            "give it more time: `system.startup = \"50 ms\";` in the assembly's configuration",
        )
}

/// Returns all lines by time, and a message for each buffer that was too small.
fn consoles(
    image: &Image,
    ram: &Ram,
    start: u64,
) -> Result<(Vec<Line>, Vec<Diagnostic>), RunError> {
    let (mut lines, mut diagnostics) = (Vec::new(), Vec::new());
    for component in &image.manifest.components {
        let Some(address) = component.console else { continue };
        let buffer = ram.read(address, component.console_bytes)?;
        let printed = console::read(&component.name, &buffer, start);
        if printed.dropped > 0 {
            let message = format!(
                "{} bytes that `{}` printed found no room",
                printed.dropped, component.name
            );
            diagnostics.push(Diagnostic::warning(rules::CONSOLE_OVERFLOW.code, message));
        }
        lines.extend(printed.lines);
    }
    lines.sort_by_key(|line| line.time);
    Ok((lines, diagnostics))
}

/// Returns a time from the start, for people.
pub(crate) fn time(ns: i64) -> String {
    let text = Duration(ns.unsigned_abs()).to_string();
    if ns < 0 { format!("{text} before the start") } else { text }
}
