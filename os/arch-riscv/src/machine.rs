//! Everything that the kernel has while it runs.

use crate::context::{Context, FRAME_WORDS, thread_words};
use core::mem::MaybeUninit;
use core::ptr::NonNull;
use fusee_kernel::{ThreadIndex, Time};
use fusee_system::System;

/// The system, its threads' registers, and what the timer is set to.
pub(crate) struct Machine {
    pub(crate) system: System,
    pub(crate) armed: Time,
    contexts: NonNull<usize>,
    stride: usize,
}

static mut MACHINE: MaybeUninit<Machine> = MaybeUninit::uninit();

impl Machine {
    /// A machine whose threads' contexts are in these words: so many as the depth and the number of threads ask for.
    pub(crate) fn new(system: System, contexts: &'static mut [usize]) -> Machine {
        let tables = system.kernel.tables();
        let stride = thread_words(tables.depth);
        debug_assert!(contexts.len() >= stride * tables.threads.len());
        Machine { system, armed: 0, contexts: NonNull::from(contexts).cast(), stride }
    }

    /// Puts it where traps find it.
    ///
    /// # Safety
    /// This is called once, before the first trap.
    pub(crate) unsafe fn install(self) -> &'static mut Machine {
        // SAFETY:
        // 1. By this function's own contract nobody refers to it yet.
        unsafe { (*(&raw mut MACHINE)).write(self) }
    }

    /// The machine, for the handler of a trap.
    ///
    /// # Safety
    /// The caller handles a trap from user mode and does so only once.
    #[inline(always)]
    pub(crate) unsafe fn of_trap() -> &'static mut Machine {
        // SAFETY:
        // 1. User mode is entered only after `install`.
        // 2. The kernel runs on one core and takes no interrupts itself, and no handler returns: by this function's own
        //    contract there is one reference for each trap, and those before it are not used again.
        unsafe { (*(&raw mut MACHINE)).assume_init_mut() }
    }

    /// The context of a thread's topmost frame.
    #[inline]
    pub(crate) fn context(&self, thread: ThreadIndex) -> Context {
        self.context_at(thread, self.system.kernel.thread(thread).depth as usize)
    }

    /// The context of one of a thread's frames, 0 for its home: a depth that it has.
    #[inline]
    pub(crate) fn context_at(&self, thread: ThreadIndex, depth: usize) -> Context {
        debug_assert!(depth <= self.system.kernel.thread(thread).depth as usize);
        // SAFETY:
        // 1. The kernel names only threads that exist, and their depth is at most the declared one, so that this lies
        //    within the words of this thread, with room for the live registers behind it.
        unsafe { Context::new(self.contexts.add(thread.at() * self.stride + depth * FRAME_WORDS)) }
    }
}
