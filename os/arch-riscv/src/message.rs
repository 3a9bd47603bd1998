//! Words that do not fit into registers, copied from stack to stack.

use core::ptr;
use fusee_image_format::abi::{MEMORY_WORDS, REGISTER_WORDS};
use fusee_system::Stack;

/// Copies the words behind those in registers from one message area to another.
#[inline]
pub(crate) fn copy(from: &Stack, to: &Stack, words: usize) {
    let words = words.min(MEMORY_WORDS);
    let (from, to) = (from.message as *const usize, to.message as *mut usize);
    // SAFETY:
    // 1. The boot has checked that each stack that a thread can be on has a whole, aligned message area in main memory
    //    outside the kernel, and `words` ends within it.
    // 2. The kernel holds no reference into components' memory, and components do not run meanwhile.
    unsafe { ptr::copy(from.add(REGISTER_WORDS), to.add(REGISTER_WORDS), words) }
}
