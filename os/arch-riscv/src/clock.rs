//! The kernel's clock, and the timer's by which it is set.

use crate::csr;
use crate::devices;
use crate::machine_map::{MAP, TRAITS};
use core::arch::asm;

/// Returns the clock, in ticks of the kernel.
#[cfg(target_pointer_width = "64")]
#[inline(always)]
pub(crate) fn now() -> u64 {
    csr::read!("mcycle") as u64
}

/// Returns the clock, in ticks of the kernel.
#[cfg(target_pointer_width = "32")]
#[inline(always)]
pub(crate) fn now() -> u64 {
    loop {
        let (high, low, again) = if TRAITS.cycle_register {
            (csr::read!("mcycleh"), csr::read!("mcycle"), csr::read!("mcycleh"))
        } else {
            (devices::timer_clock_high(), devices::timer_clock(), devices::timer_clock_high())
        };
        if high == again {
            return (high as u64) << 32 | low as u64;
        }
    }
}

/// Returns the clock, where only records look at it: a kernel that keeps no such records does not
/// read it.
#[cfg(target_pointer_width = "64")]
#[inline(always)]
pub(crate) fn now_for_records() -> u64 {
    let value: usize;
    // SAFETY:
    // 1. Reading the clock has no effect, so it may be left out where nobody uses it.
    // 2. It is said to depend on memory, so that no two readings are taken for one.
    unsafe {
        asm!("csrr {0}, mcycle", out(reg) value, options(pure, readonly, nostack, preserves_flags))
    };
    value as u64
}

/// Returns the clock, where only records look at it.
#[cfg(target_pointer_width = "32")]
#[inline(always)]
pub(crate) fn now_for_records() -> u64 {
    now()
}

/// Longer than from the reading of the timer's clock that is a new one to the writing of the
/// kernel's.
const SETTING_TICKS: usize = 16;

/// Rounds of [`ticked`] after which the timer's clock stands still: a million, which is thousands
/// of its ticks on any machine whose clock is of use.
const PATIENCE: usize = 1 << 20;

/// Returns the timer's clock, as far as a register holds it.
#[inline(always)]
fn timer_clock() -> usize {
    if TRAITS.time_register { csr::read!("time") } else { devices::timer_clock() }
}

/// Returns the timer's clock, right after it has ticked; what it is after many rounds, if it stands
/// still.
#[inline(always)]
pub(crate) fn ticked() -> usize {
    let before = timer_clock();
    let mut left = PATIENCE;
    loop {
        let now = timer_clock();
        left = left.wrapping_sub(1);
        // One comparison for both ends, since the start decides nothing yet: the difference is
        // none, or beyond all rounds.
        if before.wrapping_sub(now) >= left {
            return now;
        }
    }
}

/// Sets the kernel's clock by the timer's, whose ticks are longer, right after one of them has
/// begun. The kernel's is then never behind: when the timer fires, what it was set for is due, and
/// nobody comes back in vain.
///
/// A clock of two words that is right as it is is left alone: QEMU (7.2) counts the words of one
/// that was written each for itself, without a carry, so that around every 2^32nd tick it would be
/// wrong by as many. So is one that counts from the same reset as the timer's, and as those of all
/// other cores: set, it would be a little off theirs, or much, where a core's turn ends between the
/// tick and the setting. And where the timer's is the only one, there is nothing to set.
pub(crate) fn start_clock() {
    if !TRAITS.cycle_register {
        return;
    }
    let ratio = MAP.timer_ratio as usize;
    let shared = cfg!(feature = "cores");
    if cfg!(target_pointer_width = "32") || TRAITS.clock_from_reset || shared {
        let least = ticked() * ratio;
        if csr::read!("mcycle").wrapping_sub(least) < ratio {
            return;
        }
    }
    csr::write!("mcycle", ticked() * ratio + SETTING_TICKS);
}
