//! States as short byte strings: equal exactly when all goes on equally.

use fusee_kernel::{ResumeReason, Status};

use super::ledger::Hand;
use super::system::System;
use super::world::{Worded, World};
use crate::lists::list;

/// Returns the canonical encoding of a state.
pub(super) fn encode<P: Worded>(system: &System, world: &World<P>) -> Box<[u8]> {
    let (store, ledger) = (&world.store, &world.ledger);
    let mut bytes = vec![store.cores[0].current.0 as u8, u8::from(ledger.reserved)];
    for (index, thread) in store.threads.iter().enumerate() {
        let waits = if thread.status == Status::AtGate { thread.waits_at as u8 } else { u8::MAX };
        let value = if thread.reason == ResumeReason::Signal { thread.value as u8 } else { 0 };
        bytes.extend([thread.status as u8, waits]);
        bytes.extend([thread.reason as u8, value, thread.depth()]);
        for frame in world.frames(index) {
            let stale = world.is_stale_frame(frame);
            bytes.extend([frame.gate.0 as u8, frame.component.0 as u8, u8::from(stale)]);
        }
        match ledger.hands[index] {
            Hand::Free => bytes.push(0),
            Hand::Locking(slot, seen) => seen_word(1, slot, seen, &mut bytes),
            Hand::Unlocking(slot, seen) => seen_word(2, slot, seen, &mut bytes),
            Hand::Waiting(gate) => bytes.extend([3, gate.0 as u8]),
        }
    }
    for (gate, state) in store.gates.iter().enumerate() {
        bytes.extend([state.holder.0 as u8, state.word.under.0 as u8]);
        bytes.extend(state.word.value.to_le_bytes());
        list(store, &state.waiters, &mut bytes);
        bytes.extend(ledger.owners[gate].iter().map(|owner| *owner as u8));
        bytes.extend([u8::MAX, u8::from(ledger.failed[gate])]);
    }
    P::encode(&system.tables, store, world.now, &mut bytes);
    let state = |component: &fusee_kernel::Component| {
        u8::from(component.is_dead()) + 2 * u8::from(component.is_unrestored())
    };
    bytes.extend(store.components.iter().map(state));
    bytes.into_boxed_slice()
}

fn seen_word(kind: u8, slot: u16, seen: u32, bytes: &mut Vec<u8>) {
    bytes.extend([kind, slot as u8]);
    bytes.extend(seen.to_le_bytes());
}
