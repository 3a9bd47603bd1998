//! Restarts of components that several cores enter.
//!
//! The state that cores share of such a component is under a lock of its own. Everything else is as
//! on one core: a core that has left sends a thread that is in the component to an address where
//! nothing is, and a thread that comes to run in it next puts a piece of the initial data back with
//! each trap.

use crate::machine::Machine;
use crate::{clock, physical};

/// The section at a restart that is due, if there is one.
#[cold]
#[inline(never)]
pub(crate) fn at_restart(machine: &mut Machine) {
    let Machine { system, shared, .. } = &mut *machine;
    let Some(number) = system.between().restart() else { return };
    let done = shared.at_restart(number, |state| {
        system.at_restart(clock::now(), state, |piece| {
            // SAFETY:
            // 1. The boot has checked all ranges with `is_copy`.
            // 2. The kernel refers to no memory of components.
            unsafe { physical::restore(piece) }
        })
    });
    shared.tell_all(done.ipis());
    if done.waits {
        shared.wait_a_little();
    }
}
