//! Memory by its physical address.
//!
//! The kernel runs without translation, so a physical address is an address. What the image says
//! about memory is checked here once, at boot, against the machine's map; after that slices are
//! slices.

use core::slice;
use fusee_image_format::{CopyRange, MemoryMap};
use fusee_system::Piece;

/// Returns the bytes of the image's tables.
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
    debug_assert!((from as usize).is_multiple_of(align_of::<T>()));
    // SAFETY:
    // 1. By this function's own contract the memory exists, is unaliased and holds values.
    unsafe { slice::from_raw_parts_mut(from as usize as *mut T, count) }
}

/// Returns `true` if a range is main memory behind the image's tables: components' memory, initial
/// data, records.
pub(crate) fn is_outside_kernel(map: &MemoryMap, from: u64, bytes: u64) -> bool {
    from >= map.blob && from.checked_add(bytes).is_some_and(|end| end <= map.ram_end)
}

/// Returns `true` if a restart may write this: words of memory outside the kernel, from there or
/// from nowhere.
pub(crate) fn is_copy(map: &MemoryMap, range: &CopyRange) -> bool {
    let whole = [range.to, range.from, range.bytes].iter().all(|number| number.is_multiple_of(8));
    let source = range.from == 0 || is_outside_kernel(map, range.from, range.bytes);
    whole && source && is_outside_kernel(map, range.to, range.bytes)
}

/// Words that are copied without a question in between.
const UNROLLED: usize = 8;

/// The content of a range without initial data.
static ZEROS: [u64; UNROLLED] = [0; UNROLLED];

/// Puts a piece of initial data back.
///
/// # Safety
/// [`is_copy`] holds for the range that it is a piece of, and that holds no memory that the kernel
/// refers to.
#[inline(never)]
pub(crate) unsafe fn restore(piece: &Piece) {
    let (mut from, step) =
        if piece.from == 0 { (ZEROS.as_ptr(), 0) } else { (piece.from as usize as *const u64, 1) };
    let mut to = piece.to as usize as *mut u64;
    let mut left = piece.words as usize;
    while left > 0 {
        let words = if left >= UNROLLED { UNROLLED } else { 1 };
        let put = |word: usize| {
            // SAFETY:
            // 1. Both ranges are aligned main memory outside the kernel, by `is_copy`, or the
            //    source is the zeros, and the word lies within the piece.
            // 2. The kernel holds no reference into them: they belong to components, whose code
            //    does not run meanwhile.
            // 3. The accesses are volatile, so that the loops stay what they are.
            unsafe { to.add(word).write_volatile(from.add(word).read_volatile()) }
        };
        if words == UNROLLED {
            (0..UNROLLED).for_each(put)
        } else {
            put(0)
        }
        // SAFETY:
        // 1. So many words of the piece are left.
        unsafe { (to, from) = (to.add(words), from.add(words * step)) }
        left -= words;
    }
}

/// Returns a device's register.
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
