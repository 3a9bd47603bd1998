//! Faults, and threads whose component is gone or to be put back.

use crate::defect::seeded;
use crate::leave::leave;
use crate::{Arch, FaultPlace, Registers};
use fusee_image_format::{MachineKind, Status, abi};
use fusee_kernel::{Event, GateIndex, GateKind, ThreadIndex, Time};

/// Handles a fault of the running thread, or that it was sent here because its component is gone or
/// to be put back.
#[inline(always)]
pub fn fault<'m, A: Arch<'m>>(arch: A) -> A::Exit {
    let now = arch.now();
    let thread = arch.kernel().current();
    // What concerns other cores goes another way, with locks and interrupts to them.
    let mut arch = match arch.fault_beside_others(now, thread) {
        Ok(exit) => return exit,
        Err(arch) => arch,
    };
    let stale = arch.kernel().is_stale(thread);
    // A stale thread comes here by the address where nothing is. It has done nothing wrong itself,
    // so no component is ended for it.
    let event = if seeded!(StaleFault, false, stale) {
        Event::Abort
    } else if !arch.kernel().is_unrestored(thread) {
        record_fault(&mut arch, now);
        Event::Fault
    } else if restore(&mut arch, thread) {
        // One piece for each trap, so that an interrupt never waits for a whole component's data.
        let changed = arch.flow().pass_time();
        return leave(arch, now, changed);
    } else {
        // Only with the last piece: until then the component is not as it was at first.
        arch.record_restart(now, thread);
        Event::Restored
    };
    match arch.end_invocation(now, event) {
        Ok(changed) => leave(arch, now, changed),
        // None of these events can be refused here. If one is, the kernel's state is wrong, and the
        // run ends.
        Err(_) => {
            let FaultPlace { place, cause, .. } = arch.fault_place();
            arch.halt(Status::KernelTrap, cause as u64, place as u64)
        }
    }
}

/// Puts one piece of the initial data back of the component that the thread is in; `false`: there
/// is none left.
#[inline(never)]
fn restore<'m, A: Arch<'m>>(arch: &mut A, thread: ThreadIndex) -> bool {
    let component = arch.kernel().component_of(thread);
    arch.restore(component)
}

/// Records where the running thread has faulted, and in which call.
#[inline(always)]
pub fn record_fault<'m, A: Arch<'m>>(arch: &mut A, now: Time) {
    let kernel = arch.kernel();
    let thread = kernel.current();
    let component = kernel.component_of(thread);
    let FaultPlace { place, address, cause } = arch.fault_place();
    let interface = |gate: &GateIndex| kernel.tables().gates[gate.at()].kind == GateKind::Interface;
    let frames = kernel.frames(thread).iter().map(|frame| frame.gate);
    // A mutex has no method, so the last interface passed is the call that is to be named.
    let passed = frames.enumerate().rfind(|(_, gate)| interface(gate));
    let (gate, method) = match passed {
        Some((depth, gate)) => {
            // The caller's frame keeps the call, and that is one below the gate's own.
            let frame = kernel.thread(thread).home + depth as u16;
            (gate.0, arch.context_of(thread, frame).request() >> abi::METHOD_SHIFT)
        }
        None => (u16::MAX, 0),
    };
    arch.record(now, MachineKind::FaultAt, thread, cause as u16, place as u64);
    arch.record(now, MachineKind::FaultAddress, thread, component.0, address as u64);
    arch.record(now, MachineKind::FaultMethod, thread, gate, (method & 0xffff) as u64);
}
