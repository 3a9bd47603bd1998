//! A thread's registers while it does not run.
//!
//! Each thread has one context for each frame it can have, one after the other, and each holds what
//! an invocation made from there preserves. What is live only in an interrupted thread follows
//! behind the context of its topmost frame, where the next deeper one would begin: that is unused
//! as long as this is the topmost. So an invocation moves a pointer by one context, and a thread
//! needs 19 words for each level and 15 once.

use core::ptr::NonNull;

// # Safety
// The linker script defines it; only its address is used.
unsafe extern "C" {
    static mut __stack_bottom: usize;
}

// Words of a context, and behind the topmost: the registers that a call does not preserve.
pub(crate) use fusee_image_format::{FRAME_WORDS, LIVE_WORDS};

// Places of registers in a context: `ra`, `sp`, `gp`, `tp`, `s0` to `s11` from 0 on, 16 is the
// program counter, then:

/// The program counter.
#[cfg(any(feature = "cores", feature = "priority-ceiling"))]
pub(crate) const PROGRAM_COUNTER: usize = 16;
/// The value of `satp`.
pub(crate) const SPACE: usize = 17;
/// The `a6` of the invocation under way, zero for another call, or [`INTERRUPTED`].
pub(crate) const REQUEST: usize = 18;
/// `a0`; `a1` to `a7` follow.
pub(crate) const A0: usize = 19;
/// The index of register `a6`.
#[cfg(any(feature = "cores", feature = "priority-ceiling"))]
pub(crate) const A6: usize = 25;
/// The index of register `a7`.
pub(crate) const A7: usize = 26;
/// `t0`; `t1` to `t6` follow.
pub(crate) const T0: usize = 27;

/// In [`REQUEST`]: the thread made no call, all of its registers are saved.
pub(crate) const INTERRUPTED: usize = usize::MAX;

/// The mark in [`REQUEST`] of the frame in which a thread stands at a gate between cores: when the
/// thread comes to run, this core's part is to be settled first.
#[cfg(feature = "cores")]
pub(crate) const ASKED: usize = usize::MAX - 1;

/// The length of a call's instruction in bytes.
#[cfg(feature = "priority-ceiling")]
const CALL_BYTES: usize = 4;

/// Words that a thread needs.
pub(crate) const fn thread_words(depth: u8) -> usize {
    (depth as usize + 1) * FRAME_WORDS + LIVE_WORDS
}

/// A context, with the live registers behind it.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Context(NonNull<usize>);

impl Context {
    /// # Safety
    /// `words` points to at least `FRAME_WORDS + LIVE_WORDS` words that nothing else refers to
    /// while the context is used.
    pub(crate) const unsafe fn new(words: NonNull<usize>) -> Context {
        Context(words)
    }

    /// Returns a context for registers that are not needed any more: the bottom of the kernel's
    /// stack, which is never reached, and would be overwritten.
    #[inline(always)]
    pub(crate) fn discarded() -> Context {
        // SAFETY:
        // 1. The linker script puts the stack there, of more words than a context has, and it is no
        //    null pointer. The stack is empty when registers are saved.
        Context(unsafe { NonNull::new_unchecked(&raw mut __stack_bottom) })
    }

    pub(crate) fn address(self) -> usize {
        self.0.as_ptr() as usize
    }

    #[inline(always)]
    pub(crate) fn get(self, word: usize) -> usize {
        debug_assert!(word < FRAME_WORDS + LIVE_WORDS);
        // SAFETY:
        // 1. `new` was promised that many words, and all callers pass constants of this module
        //    below that.
        // 2. Nothing else refers to them, so there is no reference that this read could conflict
        //    with.
        unsafe { self.0.add(word).read() }
    }

    /// Returns the slot of the call under way: the lowest 16 bits of [`REQUEST`], in one
    /// instruction.
    #[inline(always)]
    pub(crate) fn slot(self) -> u16 {
        // SAFETY:
        // 1. `new` was promised words up to `REQUEST` and beyond; they are little-endian on this
        //    architecture, aligned, and any bits are a number.
        // 2. Nothing else refers to them, so there is no reference that this read could conflict
        //    with.
        unsafe { self.0.add(REQUEST).cast::<u16>().read() }
    }

    /// Returns the method of the call under way: the 16 bits of [`REQUEST`] above the slot.
    #[inline(always)]
    pub(crate) fn method(self) -> u16 {
        // SAFETY:
        // 1. `new` was promised words up to `REQUEST` and beyond; a word has two such halves on
        //    this architecture, and any bits are a number.
        // 2. Nothing else refers to them, so there is no reference that this read could conflict
        //    with.
        unsafe { self.0.add(REQUEST).cast::<u16>().add(1).read() }
    }

    #[inline(always)]
    pub(crate) fn set(self, word: usize, value: usize) {
        debug_assert!(word < FRAME_WORDS + LIVE_WORDS);
        // SAFETY:
        // 1. `new` was promised that many words, and all callers pass constants of this module
        //    below that.
        // 2. Nothing else refers to them, so there is no reference that this write could
        //    invalidate.
        unsafe { self.0.add(word).write(value) }
    }

    /// The thread, whose words are kept, is as if it had been interrupted right before the
    /// invocation that it has made: it makes it again.
    #[cfg(feature = "priority-ceiling")]
    pub(crate) fn step_back(self) {
        self.set(A6, self.get(REQUEST));
        self.set(A7, fusee_image_format::abi::INVOKE);
        for temporary in T0 + 1..FRAME_WORDS + LIVE_WORDS {
            self.set(temporary, 0);
        }
        self.set(PROGRAM_COUNTER, self.get(PROGRAM_COUNTER).wrapping_sub(CALL_BYTES));
        self.set(REQUEST, INTERRUPTED);
    }

    /// Returns the context of the next deeper frame, in a thread that has one.
    #[inline(always)]
    pub(crate) fn callees(self) -> Context {
        // SAFETY:
        // 1. The kernel lets no thread go deeper than the declared depth, for which there are
        //    contexts.
        Context(unsafe { self.0.add(FRAME_WORDS) })
    }

    /// Returns the context of the frame below, in a thread that has one.
    #[inline(always)]
    pub(crate) fn callers(self) -> Context {
        // SAFETY:
        // 1. A thread that has entered a gate has a frame below, right before this one.
        Context(unsafe { self.0.sub(FRAME_WORDS) })
    }
}
