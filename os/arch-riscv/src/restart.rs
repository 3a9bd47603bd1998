//! Faults and restarts of components that several cores enter.
//!
//! What cores share of such a component is under a lock of its own. Everything else is as on one
//! core: a core that has left sends whoever is in the component to where nothing is, and whoever
//! comes to run in it next puts a piece of the initial data back with each trap.

use crate::machine::Machine;
use crate::{between, csr, physical, trap};
use fusee_kernel::{Event, ThreadIndex, Time};

/// The running thread faulted, or was sent here, in a component that other cores enter as well:
/// then this does not return. Otherwise it has done nothing.
pub(crate) fn fault(machine: &mut Machine, now: Time, thread: ThreadIndex) {
    let unrestored = machine.system.kernel.is_unrestored(thread);
    let event = if unrestored { Event::Restored } else { Event::Fault };
    if machine.system.between().restarts(event) {
        if !unrestored {
            trap::record_fault(machine, now);
        }
        at_restart(machine);
        between::finish(machine)
    }
}

/// The section at a restart that is due.
#[cold]
#[inline(never)]
pub(crate) fn at_restart(machine: &mut Machine) {
    let Machine { system, shared, .. } = &mut *machine;
    let Some(number) = system.between().restart() else { return };
    let done = shared.at_restart(number, |state| {
        system.at_restart(csr::now(), state, |piece| {
            // SAFETY:
            // 1. The boot has checked all ranges with `is_copy`.
            // 2. The kernel refers to no memory of components.
            unsafe { physical::restore(piece) }
        })
    });
    shared.tell_all(done.looks());
    if done.waits {
        shared.wait_a_little();
    }
}
