//! States as short byte strings, equal exactly when the kernel behaves equally.

use fusee_kernel::{Component, NEVER, Policy, ResumeReason, Status, Thread, Time};

use crate::lists::list;
use crate::{Rules, Store, System};

/// Returns the canonical encoding of a state.
pub fn encode<P: Rules>(system: &System, store: &Store<P>, now: Time) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(64);
    // What is due may be late by so much.
    let since = now.saturating_sub(system.late);
    let core = &store.cores[0];
    bytes.extend([core.current.0 as u8, core.lender.0 as u8, distance(core.limit, since)]);
    if core.limit != NEVER {
        bytes.push(now.saturating_sub(core.since) as u8);
    }
    for index in 0..store.threads.len() {
        thread(system, store, index, now, &mut bytes);
    }
    for gate in &store.gates {
        bytes.push(gate.holder.0 as u8);
        list(store, &gate.waiters, &mut bytes);
    }
    for notification in &store.notifications {
        bytes.push(notification.pending as u8);
        list(store, &notification.waiters, &mut bytes);
    }
    P::encode(&system.tables, store, since, &mut bytes);
    let state = |component: &Component| {
        u8::from(component.is_dead()) + 2 * u8::from(component.is_unrestored())
    };
    bytes.extend(store.components.iter().map(state));
    bytes
}

fn thread<P: Rules>(
    system: &System,
    store: &Store<P>,
    index: usize,
    now: Time,
    bytes: &mut Vec<u8>,
) {
    let tables = &system.tables;
    let thread = &store.threads[index];
    let home = &store.components[tables.threads[index].component.at()];
    let home_stale = store.home_of(tables, index).epoch != home.entering();
    let expiry = distance(store.expiries[index], now.saturating_sub(system.late));
    bytes.extend([thread.status as u8, expiry, distance(thread.earliest, now)]);
    bytes.push(thread.deferred as u8);
    if !P::REMEMBERS && thread.status == Status::Idle {
        return;
    }
    let waits = matches!(thread.status, Status::AtGate | Status::AtNotification);
    bytes.push(if P::REMEMBERS || waits { thread.waits_at as u8 } else { u8::MAX });
    bytes.extend([thread.queued as u8, u8::from(home_stale), reason(thread)]);
    bytes.extend([short(thread.budget), short(thread.slice), u8::from(thread.overran)]);
    deadlines(system, store, index, now, bytes);
    bytes.push(thread.depth());
    for frame in store.frames_of(tables, index) {
        let epoch = store.components[tables.gates[frame.gate.at()].component.at()].entering();
        bytes.push(frame.gate.0 as u8 * 2 + u8::from(frame.epoch != epoch));
    }
}

/// Encodes the distance of the deadlines of a thread's jobs. That they are late counts, and not by
/// how much.
fn deadlines<P: Policy>(
    system: &System,
    store: &Store<P>,
    index: usize,
    now: Time,
    bytes: &mut Vec<u8>,
) {
    let (thread, relative) = (&store.threads[index], system.tables.threads[index].deadline);
    if relative == NEVER {
        return;
    }
    let ahead = |deadline: Time| distance(deadline, now.saturating_sub(1));
    bytes.push(if thread.status == Status::Idle { 0 } else { ahead(thread.deadline) });
    let backlog = usize::from(system.tables.backlog);
    for place in 0..usize::from(thread.queued) {
        let place = (usize::from(thread.first) + place) % backlog;
        bytes.push(ahead(store.arrivals[index * backlog + place].saturating_add(relative)));
    }
}

/// Encodes the reason for which a thread resumes; for some reasons the value is in the state
/// already, or does not matter.
fn reason<P: Policy>(thread: &Thread<P>) -> u8 {
    match thread.reason {
        ResumeReason::Failed => 16 + thread.value as u8,
        ResumeReason::Signal => 128 + thread.value as u8,
        reason => reason as u8,
    }
}

fn short(span: Time) -> u8 {
    span.min(255) as u8
}

/// Returns the distance of an instant in ticks; a past one has the distance 0.
fn distance(instant: Time, now: Time) -> u8 {
    if instant == NEVER { 255 } else { instant.saturating_sub(now).min(254) as u8 }
}
