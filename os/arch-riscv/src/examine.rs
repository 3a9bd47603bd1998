//! What isolation and time rest on, tried before anything does.
//!
//! A register that a machine lacks reads as zero or raises an exception, and one that is narrower keeps less than was
//! written: so each is written and read back, and an exception counts as a register that is not there. The clock is held
//! against the timer's. A machine that fails is refused: on the console, and in the result block.

use crate::csr::{self, read};
use crate::devices;
use crate::halt::halt;
use crate::protection::Protection;
use fusee_image_format::{Blob, Status};

/// What a register is after it has been written; the complement of what was written where there is no such register.
macro_rules! held {
    ($register:literal, $value:expr) => {{
        let value: usize = $value;
        let found: usize;
        // SAFETY:
        // 1. The register concerns user mode, which has not been entered, and the kernel runs without translation.
        // 2. An exception goes on at the label, with all that the block changes as it would be behind it; the vector is
        //    then as it was, and `mstatus` is set later than this.
        unsafe {
            core::arch::asm!(
                "la {place}, 9f",
                "csrrw {place}, mtvec, {place}",
                "not {found}, {value}",
                concat!("csrw ", $register, ", {value}"),
                concat!("csrr {found}, ", $register),
                ".balign 4",
                "9: csrw mtvec, {place}",
                place = out(reg) _,
                found = out(reg) found,
                value = in(reg) value,
                options(nostack),
            )
        }
        found
    }};
}

/// Refuses a machine without protection, or without the address spaces of this system.
#[cold]
#[inline(never)]
pub(crate) fn memory(blob: &Blob<'_>) {
    if held!("pmpaddr0", usize::MAX >> 16) != usize::MAX >> 16 {
        refuse(Status::NoProtection, 0, &NO_PROTECTION);
    }
    let spaces = blob.components.iter().flatten().map(|component| component.address_space as usize);
    for space in spaces.filter(|space| *space != 0) {
        if held!("satp", space) != space {
            refuse(Status::NoTranslation, space as u64, &TOO_FEW_SPACES);
        }
    }
    csr::write!("satp", 0);
}

/// Refuses a machine that has not all the registers of protection that this system takes.
#[cold]
#[inline(never)]
pub(crate) fn protection(protection: &Protection) {
    if !protection.is_kept() {
        refuse(Status::NoProtection, 1, &TOO_LITTLE_PROTECTION);
    }
}

/// Ticks of the timer's clock within which the kernel's is watched.
const WATCHED: usize = 8;
/// How often the timer's clock is read at most until it ticks: for longer than any of its ticks.
const PATIENCE: usize = 1 << 20;

/// Refuses a machine whose clocks stand still, or do not tick as the platform says.
#[cold]
#[inline(never)]
pub(crate) fn clock() {
    let ratio = devices::MAP.timer_ratio as usize;
    let ticks = ticked().and_then(|before| (1..WATCHED).try_fold((), |(), _| ticked().map(|_| ())).map(|()| before));
    let elapsed = ticks.map_or(0, |before| read!("mcycle").wrapping_sub(before));
    if elapsed.abs_diff((WATCHED - 1) * ratio) > ratio {
        refuse(Status::NoClock, elapsed as u64, &NO_CLOCK);
    }
}

/// The kernel's clock, right after the timer's has ticked; none: it does not.
fn ticked() -> Option<usize> {
    let before = read!("time");
    (0..PATIENCE).find(|_| read!("time") != before).map(|_| read!("mcycle"))
}

/// Says on the console what the machine lacks, and stops it.
fn refuse(status: Status, detail: u64, what: &[u8]) -> ! {
    for part in [&REFUSED, what] {
        for &byte in part {
            devices::print(byte);
        }
    }
    halt(status, detail, 0)
}

// Bytes with names, so that the linker finds them with the code that goes.
static REFUSED: [u8; 33] = *b"fusee: refused, this machine has ";
static NO_PROTECTION: [u8; 21] = *b"no memory protection\n";
static TOO_LITTLE_PROTECTION: [u8; 29] = *b"too little memory protection\n";
static TOO_FEW_SPACES: [u8; 23] = *b"too few address spaces\n";
static NO_CLOCK: [u8; 28] = *b"no clock of the right speed\n";
