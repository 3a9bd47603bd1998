//! At which gate between cores a thread stands.

use fusee_kernel::cores::{AnyStore, OneCore};
use fusee_kernel::{GlobalIndex, Policy, Status, Store, each_store};

/// Returns the gate at which a thread has asked, or the mutex that it holds: that of a frame, or
/// the one for whose turn it waits. Only with a mutex may there be frames above.
pub(super) fn asked(tables: &OneCore<'_>, store: &AnyStore, thread: usize) -> Option<GlobalIndex> {
    each_store!(store, store => asked_in(tables, store, thread))
}

fn asked_in<P: Policy>(
    tables: &OneCore<'_>,
    store: &Store<P>,
    thread: usize,
) -> Option<GlobalIndex> {
    let (one, shared) = tables;
    let count = shared.globals.len() as u16;
    let numbered = |at: u16, first: u16| at.checked_sub(first).filter(|&number| number < count);
    let state = &store.threads[thread];
    let turn = match state.status {
        Status::AtNotification => numbered(state.waits_at, shared.first_turn.0),
        _ => None,
    };
    let frames = store.frames_of(one, thread);
    let frame = || frames.iter().find_map(|frame| numbered(frame.gate.0, shared.first_gate.0));
    turn.or_else(frame).map(GlobalIndex)
}
