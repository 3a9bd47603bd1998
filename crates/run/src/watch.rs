//! The instructions that a machine executes, one by one.
//!
//! Told to execute one instruction at a time and to say where each of them is,
//! QEMU becomes slow but leaves nothing out. What lies outside of a range it
//! keeps to itself, so that watching a kernel costs little while components run.

use std::io::{BufRead, BufReader, Read};
use std::ops::Range;
use std::sync::mpsc::{SyncSender, sync_channel};

use fusee_model::Duration;
use fusee_platform::Host;

use crate::machine::Machine;
use crate::qemu::with_cores;
use crate::{Image, RunError, patience, qemu};

/// Addresses that are handed on together.
const BATCH: usize = 4096;

/// Runs an image for a virtual time; `see` gets the address of each instruction in `code`, in the
/// order of execution.
///
/// # Errors
/// See [`RunError`].
pub fn watch(
    image: &Image,
    duration: Duration,
    code: &[Range<u64>],
    see: &mut dyn FnMut(u64),
) -> Result<(), RunError> {
    let platform = image.platform();
    let Host::Emulator(emulator) = platform.descriptor().host else {
        return Err(RunError::NoEmulation { platform: platform.name() });
    };
    let ram = image.load(duration.ns())?;
    let range = |code: &Range<u64>| format!("{:#x}..{:#x}", code.start, code.end.saturating_sub(1));
    let ranges = code.iter().map(range).collect::<Vec<_>>().join(",");
    let mut arguments = with_cores(image.cores.len());
    arguments.extend(["-singlestep", "-d", "exec,nochain", "-dfilter", &ranges].map(str::to_owned));
    let (sender, receiver) = sync_channel(64);
    let qemu = qemu::start(emulator, &ram, &arguments, move |said| listen(said, &sender))?;
    for batch in receiver {
        batch.into_iter().for_each(&mut *see);
    }
    finish(qemu, image, duration)
}

/// Waits for a machine that has been watched to its end.
///
/// # Errors
/// It does not end, or not well.
pub(crate) fn finish(machine: Machine, image: &Image, duration: Duration) -> Result<(), RunError> {
    let patience = patience(image, duration);
    let ended = machine.wait(Some(patience))?;
    let ended = ended.ok_or(RunError::Endless { seconds: patience.as_secs() })?;
    match ended.code {
        Some(0) => Ok(()),
        _ => Err(RunError::Emulator { complaint: ended.complaints }),
    }
}

/// Sends the addresses on, keeps what is none.
fn listen(said: impl Read, addresses: &SyncSender<Vec<u64>>) -> Vec<u8> {
    let (mut batch, mut rest) = (Vec::new(), Vec::new());
    let mut lines = BufReader::new(said);
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
        match address(&line) {
            Some(address) => batch.push(address),
            None => rest.extend_from_slice(&line),
        }
        line.clear();
        if batch.len() == BATCH {
            // Nobody listens when the host's side has failed; QEMU is ended then.
            let _ = addresses.send(std::mem::take(&mut batch));
        }
    }
    let _ = addresses.send(batch);
    rest
}

/// Returns the address in a line such as `Trace 0: 0x7f00 [0000/80000100/0003/ff02] `.
fn address(line: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(line).ok()?.strip_prefix("Trace ")?;
    let inside = text.split_once('[')?.1;
    u64::from_str_radix(inside.split('/').nth(1)?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_from_complaints() {
        let line =
            b"Trace 0: 0x7fbadc213500 [0000000000000000/000000008000072a/00209003/ff020201] \n";
        assert_eq!(address(line), Some(0x8000_072a));
        let (sender, receiver) = sync_channel(4);
        let said = [&line[..], b"qemu: no such device\n", &line[..]].concat();
        assert_eq!(listen(&said[..], &sender), b"qemu: no such device\n");
        assert_eq!(receiver.try_recv(), Ok(vec![0x8000_072a, 0x8000_072a]));
    }
}
