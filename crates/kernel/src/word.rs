//! Mutexes whose word is in the memory of their component.
//!
//! While no thread waits, the word says which thread holds the mutex, and only its component's
//! threads change it: without the kernel. The kernel looks at a word when a thread asks it to lock
//! or to unlock, and when a thread faults. When a thread must wait, the kernel marks the word as
//! contended and keeps a record; from then on only the kernel writes it. Under other policies a
//! mutex has no word, and nothing of this is compiled.

use core::fmt::Debug;
use core::hash::Hash;

use crate::{GateIndex, ThreadIndex};

/// The state of a gate's mutex word.
pub trait Word: Copy + Debug + Eq + Hash + 'static {
    /// `true` if mutexes have words, and the kernel adopts their owners.
    const ADOPTS: bool;
    /// `true` if components may let threads sleep on other threads' account.
    const DEPENDS: bool = false;
    /// A free one.
    const FREE: Self;

    /// Returns the word.
    fn value(self) -> u32;

    /// Writes the word.
    fn set(&mut self, value: u32);

    /// Returns the object in whose place on its owner's frame the record stands: another record,
    /// the frame's own gate, or none at home.
    fn under(self) -> GateIndex;

    /// Puts the record in the place of something.
    fn put_over(&mut self, gate: GateIndex);

    /// Returns `true` if it is no mutex: a thread that waits there sleeps on another thread's
    /// account.
    #[inline(always)]
    fn depends(self) -> bool {
        false
    }

    /// Says that it is no mutex.
    #[inline(always)]
    fn set_depends(&mut self) {}

    /// Returns `true` if its thread has been woken before it has slept.
    #[inline(always)]
    fn is_woken(self) -> bool {
        false
    }

    /// Remembers that, or forgets it.
    #[inline(always)]
    fn set_woken(&mut self, _: bool) {}
}

/// A mutex has no word.
impl Word for () {
    // Constants and not methods: where they are false, the compiler drops what stands behind them.
    const ADOPTS: bool = false;
    // It has no size, so gates of kernels without words are no larger for it.
    const FREE: () = ();

    #[inline(always)]
    fn value(self) -> u32 {
        0
    }

    #[inline(always)]
    fn set(&mut self, _: u32) {}

    #[inline(always)]
    fn under(self) -> GateIndex {
        GateIndex::NONE
    }

    #[inline(always)]
    fn put_over(&mut self, _: GateIndex) {}
}

/// A mutex' word, and its record if there is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MutexWord {
    /// The word: on a machine, as it was when the kernel looked last.
    pub value: u32,
    /// The object in whose place the record stands.
    pub under: GateIndex,
}

impl MutexWord {
    /// The word of a free mutex.
    pub const NOBODY: u32 = 0;
    // Above the number of every thread, so it names none; and without the contended bit.
    /// The holder of the mutex has failed inside.
    pub const DIED: u32 = u32::MAX >> 1;
    /// The bit that says that a thread waits, and that only the kernel writes the word.
    pub const CONTENDED: u32 = 1 << 31;

    /// Returns the word of a mutex that a thread holds while no thread waits.
    pub const fn of(thread: ThreadIndex) -> u32 {
        // One more than the index, because 0 is the free word.
        thread.0 as u32 + 1
    }

    /// Returns the thread that a word names, or `None` if it names none.
    pub const fn owner(value: u32) -> Option<ThreadIndex> {
        // The bit is no proof that a thread waits: a component can write it. The record beats the
        // word.
        match value & !MutexWord::CONTENDED {
            MutexWord::NOBODY => None,
            // A component can write any number. A large one must not be cut to the index of some
            // thread.
            owner if owner <= u16::MAX as u32 => Some(ThreadIndex((owner - 1) as u16)),
            // The word is taken, but names no thread. That is not `None`: whoever locks it must
            // hear that the owner has died.
            _ => Some(ThreadIndex::NONE),
        }
    }
}

impl Word for MutexWord {
    const ADOPTS: bool = true;
    const FREE: Self = MutexWord { value: MutexWord::NOBODY, under: GateIndex::NONE };

    #[inline(always)]
    fn value(self) -> u32 {
        self.value
    }

    #[inline(always)]
    fn set(&mut self, value: u32) {
        self.value = value;
    }

    #[inline(always)]
    fn under(self) -> GateIndex {
        self.under
    }

    #[inline(always)]
    fn put_over(&mut self, gate: GateIndex) {
        self.under = gate;
    }
}

/// As [`MutexWord`], where a gate can also be the place at which threads wait that sleep on another
/// thread's account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ServiceWord {
    /// The word and the record.
    pub mutex: MutexWord,
    /// `true` if it is no mutex.
    pub depends: bool,
    /// `true` if its thread has been woken before it has slept.
    pub woken: bool,
}

impl Word for ServiceWord {
    const ADOPTS: bool = true;
    const DEPENDS: bool = true;
    const FREE: Self = ServiceWord { mutex: MutexWord::FREE, depends: false, woken: false };

    #[inline(always)]
    fn value(self) -> u32 {
        self.mutex.value
    }

    #[inline(always)]
    fn set(&mut self, value: u32) {
        self.mutex.value = value;
    }

    #[inline(always)]
    fn under(self) -> GateIndex {
        self.mutex.under
    }

    #[inline(always)]
    fn put_over(&mut self, gate: GateIndex) {
        self.mutex.under = gate;
    }

    #[inline(always)]
    fn depends(self) -> bool {
        self.depends
    }

    #[inline(always)]
    fn set_depends(&mut self) {
        self.depends = true;
    }

    #[inline(always)]
    fn is_woken(self) -> bool {
        self.woken
    }

    #[inline(always)]
    fn set_woken(&mut self, woken: bool) {
        self.woken = woken;
    }
}
