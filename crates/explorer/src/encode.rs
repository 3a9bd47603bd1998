//! States as short byte strings, equal exactly when the kernel behaves equally.

use fusee_kernel::{Delivery, Failure, List, NEVER, Tables, Time};

use crate::Store;

/// The canonical encoding of a state.
pub fn encode(tables: &Tables<'_>, store: &Store, now: Time) -> Box<[u8]> {
    let mut bytes = Vec::with_capacity(64);
    let core = &store.cores[0];
    bytes.extend([core.current.0 as u8, core.payer.0 as u8, distance(core.limit, now)]);
    if core.limit != NEVER {
        bytes.push(now.saturating_sub(core.since) as u8);
    }
    for index in 0..store.threads.len() {
        thread(tables, store, index, now, &mut bytes);
    }
    for gate in &store.gates {
        bytes.push(gate.holder.0 as u8);
        list(store, &gate.waiters, &mut bytes);
    }
    for notification in &store.notifications {
        bytes.push(notification.pending as u8);
        list(store, &notification.waiters, &mut bytes);
    }
    for level in &store.levels {
        list(store, level, &mut bytes);
    }
    bytes.extend(store.components.iter().map(|component| u8::from(component.is_dead())));
    bytes.into_boxed_slice()
}

fn thread(tables: &Tables<'_>, store: &Store, index: usize, now: Time, bytes: &mut Vec<u8>) {
    let thread = &store.threads[index];
    let home_stale = store.home_of(tables, index).epoch != store.components[tables.threads[index].component.at()].epoch;
    bytes.extend([thread.status as u8, thread.base, thread.effective, thread.waits_at as u8]);
    bytes.extend([thread.queued as u8, thread.deferred as u8, u8::from(home_stale), delivery(thread.delivery)]);
    bytes.extend([short(thread.budget), short(thread.slice), distance(store.expiries[index], now)]);
    bytes.push(distance(thread.earliest, now));
    bytes.push(thread.depth());
    for frame in store.frames_of(tables, index) {
        let epoch = store.components[tables.gates[frame.gate.at()].component.at()].epoch;
        bytes.push(frame.gate.0 as u8 * 2 + u8::from(frame.epoch != epoch));
    }
}

fn delivery(delivery: Delivery) -> u8 {
    match delivery {
        Delivery::None => 0,
        Delivery::Start => 1,
        Delivery::Return => 2,
        Delivery::Abort => 3,
        Delivery::Failed(Failure::Fault) => 4,
        Delivery::Failed(Failure::Aborted) => 5,
        Delivery::Enter(gate) => 16 + gate.0 as u8,
        Delivery::Signal(bits) => 128 + bits as u8,
    }
}

fn list(store: &Store, list: &List, bytes: &mut Vec<u8>) {
    bytes.extend(list.iter(&store.threads).map(|thread| thread.0 as u8));
    bytes.push(u8::MAX);
}

fn short(span: Time) -> u8 {
    span.min(255) as u8
}

/// How far ahead an instant lies; what is past lies at 0.
fn distance(instant: Time, now: Time) -> u8 {
    if instant == NEVER { 255 } else { instant.saturating_sub(now).min(254) as u8 }
}
