//! The end: a verdict for the host, and power off.
//!
//! This must work whatever state the kernel is in, so it uses nothing of it but one address.

use crate::devices::power_off;
use crate::{clock, csr};
use core::arch::naked_asm;
use core::panic::PanicInfo;
use core::sync::atomic::{AtomicUsize, Ordering};
use fusee_image_format::{ResultBlock, Status};
use fusee_system::RESULT_WORDS;

/// The address of the result block; 0 as long as it is not known.
static RESULT: AtomicUsize = AtomicUsize::new(0);

/// Says where the result block is: memory outside the kernel, checked against the machine's map.
pub(crate) fn set_result(address: u64) {
    RESULT.store(address as usize, Ordering::Relaxed);
}

/// The counter of cores that have come to their end.
#[cfg(feature = "cores")]
static FINISHED: core::sync::atomic::AtomicPtr<core::sync::atomic::AtomicU32> =
    core::sync::atomic::AtomicPtr::new(core::ptr::null_mut());
/// The number of cores.
#[cfg(feature = "cores")]
static CORES: AtomicUsize = AtomicUsize::new(0);

/// Says how cores count that have come to their end.
#[cfg(feature = "cores")]
pub(crate) fn set_cores(shared: &crate::shared::Shared) {
    CORES.store(shared.cores(), Ordering::Relaxed);
    FINISHED.store(core::ptr::from_ref(shared.finished()).cast_mut(), Ordering::Relaxed);
}

/// Returns `true` if all other cores have come to their end.
#[cfg(feature = "cores")]
fn is_last() -> bool {
    // SAFETY:
    // 1. Either nobody has said where it is, or it is there for ever.
    let finished = unsafe { FINISHED.load(Ordering::Relaxed).as_ref() };
    let before = finished.map_or(0, |finished| finished.fetch_add(1, Ordering::AcqRel) as usize);
    before + 1 >= CORES.load(Ordering::Relaxed)
}

/// Writes the verdict and switches the machine off.
pub(crate) fn halt(status: Status, detail: u64, address: u64) -> ! {
    let result = RESULT.load(Ordering::Relaxed) as *mut u64;
    if !result.is_null() {
        let verdict = [ResultBlock::MAGIC, u64::from(status as u32), detail, address, clock::now()];
        for (index, word) in verdict.into_iter().enumerate() {
            debug_assert!(index < RESULT_WORDS);
            // SAFETY:
            // 1. The block is main memory outside the kernel and has that many words.
            // 2. Nothing runs after this that holds a reference to it.
            unsafe { result.add(index).write_volatile(word) }
        }
    }
    #[cfg(feature = "cores")]
    if status == Status::Finished && !is_last() {
        csr::park();
    }
    power_off(if status == Status::Finished { 0 } else { status as u16 })
}

/// A trap while the kernel itself ran.
pub(crate) extern "C" fn kernel_trap() -> ! {
    halt(Status::KernelTrap, csr::cause() as u64, csr::program_counter() as u64)
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    halt(Status::Panic, 0, 0)
}

/// A trap that cannot be: before there are components, or of a kind that is not enabled.
///
/// # Safety
/// Nobody calls this.
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn early() {
    naked_asm!(
        ".balign 4",
        "la sp, __stack_top",
        "j {kernel_trap}",
        kernel_trap = sym kernel_trap,
    )
}
