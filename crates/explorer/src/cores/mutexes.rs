//! A thread's part in a mutex between cores, by the gate alone.

use fusee_kernel::cores::{Host, HostGate, OneCore};
use fusee_kernel::{Capability, GateKind, GlobalIndex, ThreadIndex, each_store};

use super::asked::asked;

/// Returns `true` if a gate between cores is a mutex.
pub(super) fn is_mutex((one, shared): &OneCore<'_>, global: GlobalIndex) -> bool {
    one.gates[shared.stand_in(global).at()].kind == GateKind::Mutex
}

/// Returns `true` if a thread that stands at a gate has what it has asked for there, which is a
/// mutex.
pub(super) fn holds(
    tables: &OneCore<'_>,
    (global, gate): (GlobalIndex, &HostGate),
    thread: usize,
) -> bool {
    let seat = tables.1.seat(global, ThreadIndex(thread as u16));
    is_mutex(tables, global) && gate.gate.owner.is_some() && gate.gate.owner == seat
}

/// Returns the mutex that a thread holds.
pub(super) fn held(tables: &OneCore<'_>, host: &Host, thread: usize) -> Option<GlobalIndex> {
    let own = &host.cores[usize::from(tables.1.core)];
    let global = asked(tables, &own.store, thread)?;
    holds(tables, (global, &host.gates[global.at()]), thread).then_some(global)
}

/// Returns the mutex that a thread holds, if it has passed no gate since.
pub(super) fn locked(tables: &OneCore<'_>, host: &Host, thread: usize) -> Option<GlobalIndex> {
    let store = &host.cores[usize::from(tables.1.core)].store;
    let last = each_store!(store, store => store.frames_of(&tables.0, thread).last()?.gate);
    held(tables, host, thread).filter(|&global| last == tables.1.stand_in(global))
}

/// Returns the running thread of a core, if it holds a mutex.
pub(super) fn held_by_running(tables: &OneCore<'_>, host: &Host) -> Option<usize> {
    let running = host.cores[usize::from(tables.1.core)].store.running();
    running.filter(|&thread| held(tables, host, thread).is_some())
}

/// Returns `true` if the gate in a slot, where a thread is, is a held one of its core.
pub(super) fn waits_at(tables: &OneCore<'_>, host: &Host, (thread, slot): (usize, u16)) -> bool {
    let store = &host.cores[usize::from(tables.1.core)].store;
    let component = &tables.0.components[store.component_of(&tables.0, thread)];
    let Capability::Gate(gate) = component.capabilities[usize::from(slot)] else { return false };
    let inside = |other: usize| {
        each_store!(store, store => {
            store.frames_of(&tables.0, other).iter().any(|frame| frame.gate == gate)
        })
    };
    (0..tables.0.threads.len()).any(inside)
}
