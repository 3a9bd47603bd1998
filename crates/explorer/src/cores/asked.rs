//! At which gate between cores a thread stands.

use fusee_kernel::cores::{AnyStore, OneCore};
use fusee_kernel::{GlobalIndex, Policy, Status, Store, each_store};

/// The gate at which a thread has asked, or the mutex that it holds: its topmost frame's, or the
/// one for whose turn it waits.
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
    let state = &store.threads[thread];
    let number = match state.status {
        Status::AtNotification => state.waits_at.checked_sub(shared.first_turn.0)?,
        _ => store.frames_of(one, thread).last()?.gate.0.checked_sub(shared.first_gate.0)?,
    };
    (number < count).then_some(GlobalIndex(number))
}
