//! What a thread has of a mutex between cores, by the gate alone.

use fusee_kernel::cores::{Host, HostGate, OneCore};
use fusee_kernel::{GateKind, GlobalIndex, ThreadIndex};

use super::asked::asked;

/// Whether a gate between cores is a mutex.
pub(super) fn is_mutex((one, shared): &OneCore<'_>, global: GlobalIndex) -> bool {
    one.gates[shared.stand_in(global).at()].kind == GateKind::Mutex
}

/// Whether a thread that stands at a gate has what it has asked for there, which is a mutex.
pub(super) fn holds(
    tables: &OneCore<'_>,
    (global, gate): (GlobalIndex, &HostGate),
    thread: usize,
) -> bool {
    let seat = tables.1.seat(global, ThreadIndex(thread as u16));
    is_mutex(tables, global) && gate.gate.owner.is_some() && gate.gate.owner == seat
}

/// The mutex that a thread holds.
pub(super) fn held(tables: &OneCore<'_>, host: &Host, thread: usize) -> Option<GlobalIndex> {
    let own = &host.cores[usize::from(tables.1.core)];
    let global = asked(tables, &own.store, thread)?;
    holds(tables, (global, &host.gates[global.at()]), thread).then_some(global)
}
