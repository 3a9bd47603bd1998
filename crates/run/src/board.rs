//! The Verilog of real cores with a system's memory.
//!
//! The board shares the memory's file, as QEMU does, and writes back what its caches
//! hold before it ends, if they hold anything that is not there. Nothing of the host's
//! decides what happens when: the same image runs the same way everywhere, cycle by
//! cycle.

use std::io::{BufRead, BufReader, Read};
use std::ops::Range;
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::{SyncSender, sync_channel};

use fusee_model::Duration;
use fusee_platform::{Board, Host, Verilog};
use fusee_rtl::{NoBoard, Rocket, Seen, VexRiscv};

use crate::machine::{Machine, collect};
use crate::watch::finish;
use crate::{Image, Ram, RunError};

/// The number of observations that are handed on together.
const BATCH: usize = 4096;

/// Starts the board of an image with this memory; the first time on a host, it is built before.
///
/// # Errors
/// It can't be built or started.
pub(crate) fn start(about: Board, image: &Image, ram: &Ram) -> Result<Machine, RunError> {
    let command = command(about, image, ram, &Looking { code: &[], latency: None })?;
    Ok(Machine::spawn(command, collect)?)
}

/// Returns the command that runs the board with this memory, and tells what is looked at.
fn command(
    about: Board,
    image: &Image,
    ram: &Ram,
    looking: &Looking<'_>,
) -> Result<Command, RunError> {
    let (folder, memory) = (fusee_rtl::cache(), ram.path());
    let (memory, code) = (Path::new(&memory), looking.code);
    let latency = looking.latency.unwrap_or(about.memory_latency);
    let command = match about.cores {
        Verilog::Rocket => {
            let board = Rocket::build(&folder, image.cores.len());
            board.map(|board| board.watching(memory, latency, code))
        }
        Verilog::VexRiscv => {
            VexRiscv::build(&folder).map(|board| board.watching(memory, latency, code))
        }
    };
    command.map_err(without)
}

fn without(error: NoBoard) -> RunError {
    match error {
        NoBoard::Missing(missing) => RunError::NoVerilog { why: missing.to_string() },
        NoBoard::Build(_) | NoBoard::TooMany { .. } => {
            RunError::Emulator { complaint: error.to_string() }
        }
    }
}

/// The observer while the Verilog of a core runs.
#[derive(Debug, Clone, Copy)]
pub struct Looking<'c> {
    /// The code whose instructions are told.
    pub code: &'c [Range<u64>],
    /// The wait states of main memory; nothing: the board's own.
    pub latency: Option<u32>,
}

/// Runs an image for a virtual time on the Verilog of cores; `see` gets what each of them
/// retires in the code that is looked at, with its cycle, and what is around it.
///
/// # Errors
/// See [`RunError`].
pub fn watch_cycles(
    image: &Image,
    duration: Duration,
    looking: &Looking<'_>,
    see: &mut dyn FnMut(Seen),
) -> Result<(), RunError> {
    let platform = image.platform();
    let Host::Board(about) = platform.descriptor().host else {
        return Err(RunError::NoEmulation { platform: platform.name() });
    };
    let ram = image.load(duration.ns())?;
    let command = command(about, image, &ram, looking)?;
    let (sender, receiver) = sync_channel(64);
    let machine = Machine::spawn(command, move |said| listen(said, &sender))?;
    for batch in receiver {
        batch.into_iter().for_each(&mut *see);
    }
    finish(machine, image, duration)
}

/// Sends what is seen on, keeps what is something else.
fn listen(said: impl Read, seen: &SyncSender<Vec<Seen>>) -> Vec<u8> {
    let (mut batch, mut rest) = (Vec::new(), Vec::new());
    for line in BufReader::new(said).lines().map_while(Result::ok) {
        match Seen::parse(&line) {
            Some(seen) => batch.push(seen),
            None => rest.extend_from_slice(line.as_bytes()),
        }
        if batch.len() == BATCH {
            // Nobody listens when the host's side has failed; the board is ended then.
            let _ = seen.send(std::mem::take(&mut batch));
        }
    }
    let _ = seen.send(batch);
    rest
}
