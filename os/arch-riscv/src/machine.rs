//! The kernel's whole state while it runs.

use crate::context::{Context, FRAME_WORDS, LIVE_WORDS, thread_words};
use core::mem::MaybeUninit;
use core::ptr::NonNull;
use fusee_kernel::{ThreadIndex, Time};
use fusee_system::System;

/// The system, its threads' registers, and what the timer is set to.
pub(crate) struct Machine {
    pub(crate) system: System,
    pub(crate) armed: Time,
    contexts: NonNull<usize>,
    /// The state that the cores share.
    #[cfg(feature = "cores")]
    pub(crate) shared: crate::shared::Shared,
    /// The owner of the activation that this core executes, as it was seen under its gate's lock.
    #[cfg(feature = "cores")]
    pub(crate) owner: fusee_kernel::SeatIndex,
}

static mut MACHINE: MaybeUninit<Machine> = MaybeUninit::uninit();

impl Machine {
    /// Returns a machine whose threads' contexts begin there.
    ///
    /// # Safety
    /// There are as many words as [`contexts`](Self::contexts) asks for, for nobody else, and zero
    /// at the first trap.
    #[cfg(not(feature = "cores"))]
    pub(crate) unsafe fn new(system: System, contexts: NonNull<usize>) -> Machine {
        Machine { system, armed: 0, contexts }
    }

    /// Returns a core whose threads' contexts begin there.
    ///
    /// # Safety
    /// There are as many words as [`contexts`](Self::contexts) asks for, for nobody else, and zero
    /// at the first trap.
    #[cfg(feature = "cores")]
    pub(crate) unsafe fn new(
        system: System,
        contexts: NonNull<usize>,
        shared: crate::shared::Shared,
    ) -> Machine {
        Machine { system, armed: 0, contexts, shared, owner: fusee_kernel::SeatIndex::NONE }
    }

    /// Returns the number of words that so many threads need for their contexts.
    pub(crate) fn contexts(depth: u8, threads: usize) -> usize {
        thread_words(depth).saturating_mul(threads)
    }

    /// Puts it where traps find it.
    ///
    /// # Safety
    /// This is called once, before the first trap.
    pub(crate) unsafe fn install(self) -> &'static mut Machine {
        let place = &raw mut MACHINE;
        // SAFETY:
        // 1. By this function's own contract nobody refers to it yet.
        unsafe { (*place).write(self) }
    }

    /// Returns the machine, for the handler of a trap.
    ///
    /// # Safety
    /// The caller handles a trap from user mode and does so only once.
    #[inline(always)]
    pub(crate) unsafe fn of_trap() -> &'static mut Machine {
        let place = &raw mut MACHINE;
        // SAFETY:
        // 1. User mode is entered only after `install`.
        // 2. The kernel runs on one core and takes no interrupts itself, and no handler returns: by
        //    this function's own contract there is one reference for each trap, and those before it
        //    are not used again.
        unsafe { (*place).assume_init_mut() }
    }

    /// Returns the context of a thread's topmost frame.
    #[cfg(feature = "cores")]
    #[inline(always)]
    pub(crate) fn context(&self, thread: ThreadIndex) -> Context {
        self.context_of(thread, self.system.kernel().thread(thread).topmost)
    }

    /// Returns the context of a thread's frame, by its place among all frames. The contexts lie as
    /// the frames do, and each thread's live registers behind its own.
    #[inline(always)]
    pub(crate) fn context_of(&self, thread: ThreadIndex, frame: u16) -> Context {
        // SAFETY:
        // 1. The kernel names only threads and frames that exist, a thread's frames are as many as
        //    the declared depth and one, and the next thread's follow: so this lies within the
        //    words of this thread, with room for the live registers behind it.
        unsafe {
            Context::new(
                self.contexts.add(thread.at() * LIVE_WORDS).add(frame as usize * FRAME_WORDS),
            )
        }
    }
}
