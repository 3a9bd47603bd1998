//! Memory by its physical address.
//!
//! The kernel runs without translation, so a physical address is an address. What the image says about memory is
//! checked here once, at boot, against the machine's map; after that slices are slices.

use core::{ptr, slice};
use fusee_image_format::{CopyRange, MemoryMap};

/// The bytes of the image's tables.
///
/// # Safety
/// `from` to `from + length` is main memory that nobody writes to from now on.
pub(crate) unsafe fn bytes(from: u64, length: usize) -> &'static [u8] {
    // SAFETY:
    // 1. By this function's own contract the bytes exist and are never written.
    unsafe { slice::from_raw_parts(from as usize as *const u8, length) }
}

/// So many values at an address that nothing else refers to.
///
/// # Safety
/// The memory is main memory, for this call's result alone; any bit pattern is a value of `T`.
pub(crate) unsafe fn values<T>(from: u64, count: usize) -> &'static mut [T] {
    debug_assert!(from as usize % align_of::<T>() == 0);
    // SAFETY:
    // 1. By this function's own contract the memory exists, is unaliased and holds values.
    unsafe { slice::from_raw_parts_mut(from as usize as *mut T, count) }
}

/// Whether a range is main memory behind the image's tables: components' memory, initial data, records.
pub(crate) fn is_outside_kernel(map: &MemoryMap, from: u64, bytes: u64) -> bool {
    from >= map.blob && from.checked_add(bytes).is_some_and(|end| end <= map.ram_end)
}

/// Whether a restart may write this: words of memory outside the kernel, from there or from nowhere.
pub(crate) fn is_copy(map: &MemoryMap, range: &CopyRange) -> bool {
    let whole = range.to % 8 == 0 && range.from % 8 == 0 && range.bytes % 8 == 0;
    let source = range.from == 0 || is_outside_kernel(map, range.from, range.bytes);
    whole && source && is_outside_kernel(map, range.to, range.bytes)
}

/// Puts initial data back.
///
/// # Safety
/// [`is_copy`] holds for the range, and it holds no memory that the kernel refers to.
pub(crate) unsafe fn restore(range: &CopyRange) {
    let (to, from) = (range.to as usize as *mut u64, range.from as usize as *const u64);
    let words = range.bytes as usize / 8;
    // SAFETY:
    // 1. Both ranges are aligned main memory outside the kernel, by `is_copy`.
    // 2. The kernel holds no reference into them: they belong to components, whose code does not run meanwhile.
    unsafe { if range.from == 0 { ptr::write_bytes(to, 0, words) } else { ptr::copy(from, to, words) } }
}

/// A device's register.
///
/// # Safety
/// There is one at this address.
pub(crate) unsafe fn read_register(address: u64) -> u32 {
    // SAFETY:
    // 1. By this function's own contract there is a register, and registers are aligned.
    unsafe { (address as usize as *const u32).read_volatile() }
}

/// A device's register.
///
/// # Safety
/// There is one at this address, and writing to it does not touch the kernel's memory.
pub(crate) unsafe fn write_register(address: u64, value: u32) {
    // SAFETY:
    // 1. By this function's own contract there is a register, and registers are aligned.
    unsafe { (address as usize as *mut u32).write_volatile(value) }
}
