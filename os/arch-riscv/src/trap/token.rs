//! The right to the machine, which each trap has once.

use crate::machine::Machine;
use fusee_system::System;

/// The right to the machine, for the handler of one trap. It has no data, so it costs no register.
pub(crate) struct Trap(());

/// The result of a way out: there is none.
pub(crate) enum Never {}

impl Trap {
    /// Begins to handle a trap.
    ///
    /// # Safety
    /// A trap from user mode has come, or the idle core has been woken, or the start is over; and
    /// this is called once for each.
    #[inline(always)]
    pub(crate) unsafe fn begin() -> Trap {
        Trap(())
    }

    /// Returns the machine.
    #[inline(always)]
    pub(crate) fn machine(&self) -> &Machine {
        // SAFETY:
        // 1. By the contract of `begin` there is one `Trap` for each trap, which is neither copied
        //    nor kept: as long as this reference lives, there is no other that changes anything.
        unsafe { Machine::of_trap() }
    }

    /// Returns the machine, to change it.
    #[inline(always)]
    pub(crate) fn machine_mut(&mut self) -> &mut Machine {
        // SAFETY:
        // 1. As in `machine`: as long as this reference lives, there is no other.
        unsafe { Machine::of_trap() }
    }

    #[inline(always)]
    pub(crate) fn system(&self) -> &System {
        &self.machine().system
    }

    #[inline(always)]
    pub(crate) fn system_mut(&mut self) -> &mut System {
        &mut self.machine_mut().system
    }
}

/// A refused return: `vector` goes on behind the call, with the registers as they were. The place
/// of the context is a number, so that whoever passes the two on needs no instruction for it.
#[repr(C)]
pub(crate) struct RefusedReturn {
    pub(super) context: usize,
    pub(super) error: usize,
}
