//! The end: a verdict for the host, and power off.
//!
//! This must work whatever state the kernel is in, so it uses nothing of it but one address.

use crate::csr;
use crate::devices::power_off;
use core::panic::PanicInfo;
use core::sync::atomic::{AtomicUsize, Ordering};
use fusee_image_format::{ResultBlock, Status};
use fusee_system::RESULT_WORDS;

/// Where the result block is; 0 as long as nobody knows.
static RESULT: AtomicUsize = AtomicUsize::new(0);

/// Says where the result block is: memory outside the kernel, checked against the machine's map.
pub(crate) fn set_result(address: u64) {
    RESULT.store(address as usize, Ordering::Relaxed);
}

/// Writes the verdict and switches the machine off.
pub(crate) fn halt(status: Status, detail: u64, address: u64) -> ! {
    let result = RESULT.load(Ordering::Relaxed) as *mut u64;
    if !result.is_null() {
        let verdict = [ResultBlock::MAGIC, u64::from(status as u32), detail, address, csr::now()];
        for (index, word) in verdict.into_iter().enumerate() {
            debug_assert!(index < RESULT_WORDS);
            // SAFETY:
            // 1. The block is main memory outside the kernel and has that many words.
            // 2. Nothing runs after this that holds a reference to it.
            unsafe { result.add(index).write_volatile(word) }
        }
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
