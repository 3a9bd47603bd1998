//! Memory for the threads' registers, where the starting code lies at first.
//!
//! Its place is known from the beginning, and the memory is taken when the start is over. Zeros are
//! no instruction: a jump there by mistake traps from then on. This stands in a file of its own
//! because it must not be part of the code that it overwrites.

use core::ptr::NonNull;

/// Words that are cleared without a question in between.
const UNROLLED: usize = 8;

/// Memory that is not to be touched before it is taken.
#[derive(Debug)]
pub(crate) struct Registers {
    first: NonNull<usize>,
    words: usize,
}

impl Registers {
    /// So many words.
    ///
    /// # Safety
    /// They are for this value alone, but for code that may be there and is not run any more once
    /// [`take`](Self::take) is called.
    pub(crate) const unsafe fn new(first: NonNull<usize>, words: usize) -> Registers {
        Registers { first, words }
    }

    /// Returns the address at which they will be.
    pub(crate) fn place(&self) -> NonNull<usize> {
        self.first
    }

    /// Takes the memory: all words are zero.
    pub(crate) fn take(self) {
        let clear = |word: usize| {
            // SAFETY:
            // 1. By the contract of `new` the word is this value's alone, and no code that still
            //    runs.
            // 2. The write is volatile, so that it is not made a call of a function that may be
            //    gone.
            unsafe { self.first.add(word).write_volatile(0) }
        };
        let whole = self.words - self.words % UNROLLED;
        for first in (0..whole).step_by(UNROLLED) {
            (first..first + UNROLLED).for_each(clear);
        }
        (whole..self.words).for_each(clear);
    }
}
