//! Tests of the machine that isolation and time rest on, before anything runs.
//!
//! A register that a machine lacks reads as zero or raises an exception, and one that is narrower
//! keeps less than was written: so each is written and read back, and an exception counts as a
//! register that is not there. The kernel's clock is compared with the timer's. A machine that
//! fails is refused: on the console, and in the result block.
//!
//! Nothing is decided until everything else of the start is done: up to the first decision that
//! depends on the machine alone, each start is the same, and an analysis of the kernel's binary
//! need not follow it.

use crate::clock;
use crate::csr::{self, read};
use crate::devices;
use crate::halt::{early, halt};
use crate::machine_map::{MAP, TRAITS};
use crate::protection::Protection;
use fusee_image_format::{Blob, Status};

/// Returns the value of a register after a write; the complement of the written value where there
/// is no such register. Within [`tolerant`].
macro_rules! held {
    ($register:literal, $value:expr) => {{
        let value: usize = $value;
        let found: usize;
        // SAFETY:
        // 1. The register concerns user mode, which has not been entered, and the kernel runs
        //    without translation.
        // 2. An exception passes the instruction over.
        unsafe {
            core::arch::asm!(
                "not {found}, {value}",
                concat!("csrw ", $register, ", {value}"),
                concat!("csrr {found}, ", $register),
                found = out(reg) found,
                value = in(reg) value,
                options(nostack),
            )
        }
        found
    }};
}

/// Passes instructions over that raise exceptions because a register is not there, as long as this
/// takes.
#[inline(always)]
pub(crate) fn tolerant<T>(trying: impl FnOnce() -> T) -> T {
    csr::write!("mtvec", pass_over as *const () as usize);
    let tried = trying();
    csr::write!("mtvec", early as *const () as usize);
    tried
}

/// # Safety
/// Nobody calls this; exceptions of instructions of four bytes arrive here, before there are
/// components.
#[unsafe(naked)]
unsafe extern "C" fn pass_over() {
    core::arch::naked_asm!(
        ".balign 4",
        "csrw mscratch, t0",
        "csrr t0, mepc",
        "addi t0, t0, 4",
        "csrw mepc, t0",
        "csrr t0, mscratch",
        "mret",
    )
}

/// A property that a machine lacks: not zero where it does.
#[derive(Clone, Copy)]
pub(crate) struct Lack {
    /// There is no memory protection.
    protection: usize,
    /// There is too little of it for the system.
    registers: usize,
    /// Bits of `satp` that are not kept.
    spaces: usize,
    /// Ticks of the kernel's clock, beyond the fewest that there may be.
    ticks: usize,
}

impl Lack {
    /// Tries protection, the address spaces of the system, and the clocks.
    #[cold]
    #[inline(never)]
    pub(crate) fn of(blob: &Blob<'_>) -> Lack {
        let all = usize::MAX >> 16 & ADDRESS;
        let protection = match TRAITS.memory_protection {
            true => tolerant(|| held!("pmpaddr0", all)) ^ all,
            false => 0,
        };
        let mut spaces = 0;
        for component in blob.components.iter().flatten() {
            let space = component.address_space as usize;
            spaces |= tolerant(|| held!("satp", space)) ^ space;
        }
        let last = tolerant(|| held!("satp", 0));
        Lack { protection, registers: 0, spaces: spaces | last, ticks: clock() }
    }

    /// Sets the registers of protection, and looks whether they keep it.
    #[inline(always)]
    pub(crate) fn apply(&mut self, protection: &Protection) {
        if !TRAITS.memory_protection {
            return;
        }
        tolerant(|| protection.apply());
        self.registers = tolerant(|| protection.lost());
    }

    /// Refuses the machine if it lacks something.
    #[cold]
    #[inline(never)]
    pub(crate) fn refuse(self) {
        let Lack { protection, registers, spaces, ticks } = self;
        if protection != 0 {
            refuse(Status::NoProtection, 0, &NO_PROTECTION);
        }
        if registers != 0 {
            refuse(Status::NoProtection, 1, &TOO_LITTLE_PROTECTION);
        }
        if spaces != 0 {
            refuse(Status::NoTranslation, spaces as u64, &TOO_FEW_SPACES);
        }
        if ticks > 2 * RATIO {
            refuse(Status::NoClock, ticks.wrapping_add(FEWEST) as u64, &NO_CLOCK);
        }
    }
}

/// The bits of an address that a register of memory protection keeps.
const ADDRESS: usize = (((1_u64 << TRAITS.physical_bits) - 1) >> 2) as usize;
const RATIO: usize = MAP.timer_ratio as usize;
/// Ticks of the timer's clock within which the kernel's is watched.
const WATCHED: usize = 7;
/// The fewest that the kernel's may count meanwhile; two of the timer's more are the most.
const FEWEST: usize = (WATCHED - 1) * RATIO;

/// The number of times that the clocks are compared. Where cores take turns, a turn may end
/// meanwhile, and all that the others do then counts as well.
const TRIES: usize = if cfg!(feature = "cores") { 3 } else { 1 };

/// Returns the number of ticks above the fewest that the kernel's clock counts, if each try counted
/// too many; a huge number where it is the timer's clock and stands still.
fn clock() -> usize {
    if !TRAITS.cycle_register {
        return if devices::timer_clock() == devices::timer_clock() { usize::MAX } else { 0 };
    }
    let (mut all, mut last) = (1, 0);
    for _ in 0..TRIES {
        last = watched();
        // No branch: nothing is decided yet.
        all &= usize::from(last > 2 * RATIO);
    }
    last & all.wrapping_neg()
}

/// Returns the number of ticks above the fewest that the kernel's clock counts.
fn watched() -> usize {
    let before = ticked();
    for _ in 1..WATCHED {
        ticked();
    }
    ticked().wrapping_sub(before).wrapping_sub(FEWEST)
}

/// Returns the kernel's clock, right after the timer's has ticked. It counts far too much meanwhile
/// if that one stands still.
fn ticked() -> usize {
    clock::ticked();
    read!("mcycle")
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
