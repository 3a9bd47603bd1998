//! Timer, interrupt controller, console and power switch, as the map has them.
//!
//! The interrupt controller is used so that an interrupt costs one load: claiming masks a source
//! until it is completed, and completing is what a component's acknowledgement does. Until then
//! that source cannot interrupt again, whatever its device does. Where there is none, a source is a
//! bit of the core's register, and is claimed by clearing it there.

use crate::csr;
use crate::machine_map::{MAP, TRAITS};
use crate::physical::{read_register, write_register};
use core::num::NonZero;
use fusee_kernel::{NEVER, Time};

/// Returns the timer's clock, from the timer itself, as far as a register holds it.
#[inline(always)]
pub(crate) fn timer_clock() -> usize {
    // SAFETY:
    // 1. The map names the timer's clock, which is at least a register wide.
    unsafe { (MAP.timer_clock as usize as *const usize).read_volatile() }
}

/// Returns the upper word of the timer's clock, where a register does not hold both.
#[cfg(target_pointer_width = "32")]
#[inline(always)]
pub(crate) fn timer_clock_high() -> usize {
    // SAFETY:
    // 1. The map names the timer's clock, which is two such words.
    unsafe { (MAP.timer_clock as usize as *const usize).add(1).read_volatile() }
}

/// Sets the timer to fire at or right after a time.
#[inline]
pub(crate) fn set_timer(time: Time) {
    let compare = if time == NEVER { NEVER } else { ticks(time) };
    // SAFETY:
    // 1. The map names the compare register of core 0, two words, and the other cores' behind.
    // 2. The upper word is at its highest in between, so no stale pair fires early.
    unsafe {
        if cfg!(target_pointer_width = "32") {
            write_register(own::timer_compare() + 4, u32::MAX);
        }
        write_compare(compare);
    }
}

/// The registers of the core: there is one.
#[cfg(not(feature = "cores"))]
mod own {
    use super::MAP;

    pub(super) const fn timer_compare() -> u64 {
        MAP.timer_compare
    }

    /// Returns the registers with which its interrupts are enabled, from the start of the
    /// controller.
    pub(super) const fn enable() -> u64 {
        MAP.interrupts + super::PLIC_ENABLE
    }

    /// Returns the registers of its threshold and its claims.
    pub(super) const fn threshold() -> u64 {
        MAP.interrupts + super::PLIC_THRESHOLD
    }
}

/// The registers of a core. Each core's kernel has these variables for itself.
#[cfg(feature = "cores")]
mod own {
    use super::MAP;
    use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    static TIMER_COMPARE: AtomicUsize = AtomicUsize::new(0);
    static THRESHOLD: AtomicUsize = AtomicUsize::new(0);

    /// Contexts of the controller for each core: one of machine mode, one of supervisor mode.
    const CONTEXTS: usize = 2;

    /// Says which core this is.
    pub(crate) fn set(core: usize) {
        TIMER_COMPARE.store(MAP.timer_compare as usize + core * 8, Relaxed);
        let threshold = (MAP.interrupts + super::PLIC_THRESHOLD) as usize;
        THRESHOLD.store(threshold + core * CONTEXTS * 0x1000, Relaxed);
    }

    #[inline(always)]
    pub(super) fn timer_compare() -> u64 {
        TIMER_COMPARE.load(Relaxed) as u64
    }

    /// Returns the registers with which its interrupts are enabled.
    pub(super) fn enable() -> u64 {
        let context = (threshold() - MAP.interrupts - super::PLIC_THRESHOLD) / 0x1000;
        MAP.interrupts + super::PLIC_ENABLE + context * 0x80
    }

    /// Returns the registers of its threshold and its claims.
    #[inline(always)]
    pub(super) fn threshold() -> u64 {
        THRESHOLD.load(Relaxed) as u64
    }
}
#[cfg(feature = "cores")]
pub(crate) use own::set as set_core;

/// Interrupts a core.
#[cfg(feature = "cores")]
pub(crate) fn interrupt_core(core: usize) {
    // SAFETY:
    // 1. The map names one register for each core, and the tables no other cores.
    unsafe { write_register(MAP.software_interrupts + 4 * core as u64, 1) }
}

/// A core has been interrupted by another, which is not pending any more.
#[cfg(feature = "cores")]
pub(crate) fn withdraw(core: usize) {
    // SAFETY:
    // 1. As in `interrupt_core`.
    unsafe { write_register(MAP.software_interrupts + 4 * core as u64, 0) }
}

/// Returns the first tick of the timer at or after a time.
#[cfg(target_pointer_width = "64")]
#[inline]
fn ticks(time: Time) -> u64 {
    time.div_ceil(MAP.timer_ratio)
}

/// Returns the first tick of the timer at or after a time.
///
/// What the compiler makes of this division where a register has 32 bits takes 430 instructions
/// more for a time that needs two of them, from 4.3 s after the start on. This takes the same for
/// each time. A word of time (2^32) is so many ticks and a rest smaller than the ratio R. Words
/// taken out leave a number below R * 2^32, then one below 2^32 + R * R, whose one word leaves one
/// below R + R * R: that fits a register.
#[cfg(target_pointer_width = "32")]
#[inline]
fn ticks(time: Time) -> u64 {
    const WORD: u64 = 1 << u32::BITS;
    const RATIO: u64 = MAP.timer_ratio;
    const { assert!(RATIO < 1 << 16) };
    let (mut ticks, mut rest) = (0, time);
    for _ in 0..3 {
        let words = rest >> u32::BITS;
        ticks += words * (WORD / RATIO);
        rest = words * (WORD % RATIO) + (rest & (WORD - 1));
    }
    ticks + u64::from((rest as u32).div_ceil(RATIO as u32))
}

/// # Safety
/// The map names the compare register of this core.
#[cfg(target_pointer_width = "64")]
unsafe fn write_compare(compare: u64) {
    // SAFETY:
    // 1. By this function's own contract there is a register of 64 bits.
    unsafe { (own::timer_compare() as usize as *mut u64).write_volatile(compare) }
}

/// # Safety
/// The map names the compare register of this core, and its upper word is at its highest.
#[cfg(target_pointer_width = "32")]
unsafe fn write_compare(compare: u64) {
    // SAFETY:
    // 1. By this function's own contract there are two registers of 32 bits.
    unsafe {
        write_register(own::timer_compare(), compare as u32);
        write_register(own::timer_compare() + 4, (compare >> 32) as u32);
    }
}

const PLIC_PRIORITY: u64 = 0;
const PLIC_ENABLE: u64 = 0x2000;
const PLIC_THRESHOLD: u64 = 0x20_0000;
/// Behind a core's threshold.
const PLIC_CLAIM: u64 = 4;

/// Lets these sources interrupt this core in machine mode, and no others.
pub(crate) fn enable_interrupts(sources: &[u16]) {
    if !TRAITS.interrupt_controller {
        return csr::set_device_mask(sources.iter().fold(0, |bits, source| bits | bit(*source)));
    }
    let words = MAP.interrupt_sources.div_ceil(32);
    for word in 0..words {
        let bits = sources
            .iter()
            .filter(|source| **source / 32 == word)
            .fold(0, |bits, source| bits | 1 << (source % 32));
        // SAFETY:
        // 1. The controller has an enable register for each 32 of the sources that the map counts.
        unsafe { write_register(own::enable() + 4 * u64::from(word), bits) }
    }
    for &source in sources {
        // SAFETY:
        // 1. The sources are below the map's number: the table of lines was made with it.
        unsafe { write_register(MAP.interrupts + PLIC_PRIORITY + 4 * u64::from(source), 1) }
    }
    // SAFETY:
    // 1. The controller has a context for machine mode of each core.
    unsafe { write_register(own::threshold(), 0) }
}

/// Returns the bit of a source, where there is no interrupt controller: sources are counted from 1.
const fn bit(source: u16) -> usize {
    1 << (source % 32)
}

/// Takes an interrupt; none: it was withdrawn.
#[inline]
pub(crate) fn claim() -> Option<NonZero<u16>> {
    if !TRAITS.interrupt_controller {
        let source = csr::interrupting_devices().trailing_zeros() as u16 % usize::BITS as u16;
        csr::mask_devices(bit(source));
        return NonZero::new(source);
    }
    // SAFETY:
    // 1. The controller has a context for machine mode of each core.
    let source = unsafe { read_register(own::threshold() + PLIC_CLAIM) };
    NonZero::new(source as u16)
}

/// Lets a claimed source interrupt again.
#[inline]
pub(crate) fn complete(source: u16) {
    if !TRAITS.interrupt_controller {
        return csr::unmask_devices(bit(source));
    }
    // SAFETY:
    // 1. The controller has a context for machine mode of each core; completing what is not claimed
    //    has no effect.
    unsafe { write_register(own::threshold() + PLIC_CLAIM, u32::from(source)) }
}

/// Prints a character on the console.
pub(crate) fn print(byte: u8) {
    // SAFETY:
    // 1. The map names a serial line, the console as long as no component runs; it takes a
    //    character whenever it is written to.
    unsafe { (MAP.serial as usize as *mut u8).write_volatile(byte) }
}

/// Switches the machine off; 0 is success.
pub(crate) fn power_off(code: u16) -> ! {
    let word = if code == 0 { 0x5555 } else { u32::from(code) << 16 | 0x3333 };
    loop {
        // SAFETY:
        // 1. The map names the test device's register.
        unsafe { write_register(MAP.test_device, word) }
    }
}
