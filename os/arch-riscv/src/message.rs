//! Words that do not fit into registers, copied from stack to stack.

use fusee_image_format::abi::{MEMORY_WORDS, REGISTER_WORDS};
use fusee_system::Stack;

/// Copies the words behind those in registers from one message area to another, two at a time.
/// Three instructions and a half for each word: a message is short, and a call of the general
/// routine costs more than it saves.
#[inline(always)]
pub(crate) fn copy(from: &Stack, to: &Stack, words: usize) {
    let words = words.min(MEMORY_WORDS);
    let (from, to) = (from.message as usize as *const usize, to.message as usize as *mut usize);
    // SAFETY:
    // 1. The boot has checked that each stack that a thread can be on has a whole, aligned message
    //    area in main memory outside the kernel, and `words` behind the first `REGISTER_WORDS` lie
    //    within it: the pointers do not pass its end.
    // 2. The kernel holds no reference into components' memory, and components do not run
    //    meanwhile.
    // 3. All accesses are volatile, so that the loop stays one.
    unsafe {
        let (mut from, mut to) = (from.add(REGISTER_WORDS), to.add(REGISTER_WORDS));
        let end = from.add(words & !1);
        while from != end {
            let (one, other) = (from.read_volatile(), from.add(1).read_volatile());
            to.write_volatile(one);
            to.add(1).write_volatile(other);
            (from, to) = (from.add(2), to.add(2));
        }
        if words & 1 != 0 {
            to.write_volatile(from.read_volatile());
        }
    }
}
