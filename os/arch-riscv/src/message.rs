//! Words that do not fit into registers, copied from stack to stack.

use fusee_image_format::abi::{MEMORY_WORDS, REGISTER_WORDS};
use fusee_system::Stack;

/// Copies the words behind those in registers from one message area to another, two at a time. Three instructions and a
/// half for each word: a message is short, and a call of the general routine costs more than it saves.
#[inline(always)]
pub(crate) fn copy(from: &Stack, to: &Stack, words: usize) {
    let words = words.min(MEMORY_WORDS);
    let (from, to) = (from.message as usize as *const usize, to.message as usize as *mut usize);
    let end = REGISTER_WORDS + words;
    let mut word = REGISTER_WORDS;
    // SAFETY:
    // 1. The boot has checked that each stack that a thread can be on has a whole, aligned message area in main memory
    //    outside the kernel, and all words up to `end` lie within it.
    // 2. The kernel holds no reference into components' memory, and components do not run meanwhile.
    // 3. All accesses are volatile, so that the loop stays one.
    unsafe {
        while word + 1 < end {
            let (one, other) = (from.add(word).read_volatile(), from.add(word + 1).read_volatile());
            to.add(word).write_volatile(one);
            to.add(word + 1).write_volatile(other);
            word += 2;
        }
        if word < end {
            to.add(word).write_volatile(from.add(word).read_volatile());
        }
    }
}
