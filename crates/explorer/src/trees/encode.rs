//! States as byte strings, equal when they behave equally.

use fusee_kernel::tcaps::{Chain, Funding, Hook};
use fusee_kernel::{NEVER, Status, Time, Word};

use super::{System, TreePolicy, World};

/// Returns the canonical encoding of a state: times from now, tokens and what was told left out, of
/// which what schedulers know counts.
pub(super) fn encode<P: TreePolicy>(system: &System, world: &World<P>) -> Box<[u8]> {
    let mut bytes = Vec::with_capacity(128);
    kernel(system, world, &mut bytes);
    let trees = &world.trees.dispatcher;
    for owners in &world.ledger.owners {
        bytes.extend(owners.iter().map(|owner| *owner as u8));
        bytes.push(u8::MAX);
    }
    for (row, thread) in &world.ledger.sleepers.woken {
        bytes.extend([*row as u8, *thread as u8]);
    }
    bytes.push(u8::MAX);
    list(trees.core.ready, &trees.ready, &mut bytes);
    bytes.push(trees.core.late.0 as u8);
    for (number, account) in trees.accounts.iter().enumerate() {
        let left = world.ledger.balances[number].map_or(i8::MAX, |left| left as i8);
        bytes.extend([left as u8, account.funds.budget.min(255) as u8]);
        if matches!(system.accounts[number].funding, Funding::Delegated { .. }) {
            let entries = account.quality.entries().iter();
            bytes.extend(entries.flat_map(|own| [own.principal.0 as u8, own.priority as u8]));
            bytes.push(u8::MAX);
        }
    }
    for (thread, own) in trees.end_points.iter().enumerate() {
        bytes.extend([own.standing as u8, own.account.0 as u8, u8::from(own.pending)]);
        bytes.extend([own.late.min(255) as u8, own.below.0 as u8]);
        let known =
            u8::from(world.ledger.blocked[thread]) + 2 * u8::from(world.ledger.ended[thread]);
        bytes.push(known);
    }
    for (number, own) in trees.schedulers.iter().enumerate() {
        let alarm = world.trees.alarms[number];
        bytes.extend([own.place.0 as u8, ahead(own.timeout, world.now), ahead(alarm, world.now)]);
        bytes.push(u8::from(own.deferred));
        list(own.events, &trees.events, &mut bytes);
        list(own.funded, &trees.funded, &mut bytes);
    }
    bytes.into_boxed_slice()
}

/// The kernel's own state. What has been used since the last event, and what is left of turns and
/// budgets, is in the ledger.
fn kernel<P: TreePolicy>(system: &System, world: &World<P>, bytes: &mut Vec<u8>) {
    let (store, tables) = (&world.kernel, &system.tables);
    let core = &store.cores[0];
    bytes.extend([core.current.0 as u8, core.lender.0 as u8]);
    // Whether there is something still to be charged; how much is in the ledger.
    let limited = core.limit != NEVER && core.since < world.now;
    bytes.push(u8::from(limited));
    for (thread, state) in store.threads.iter().enumerate() {
        let waits = matches!(state.status, Status::AtGate | Status::AtNotification);
        let at = if waits { state.waits_at as u8 } else { u8::MAX };
        bytes.extend([state.status as u8, at, state.effective, state.reason as u8]);
        bytes.extend([state.value as u8, ahead(store.expiries[thread], world.now)]);
        let funded = state.budget > NEVER / 4 && state.budget < NEVER / 2;
        bytes.push(u8::from(funded));
        let home = &store.components[tables.threads[thread].component.at()];
        let stale = store.home_of(tables, thread).epoch != home.entering();
        bytes.extend([state.depth(), u8::from(stale)]);
        for frame in store.frames_of(tables, thread) {
            let epoch = store.components[tables.gates[frame.gate.at()].component.at()].entering();
            bytes.push(frame.gate.0 as u8 * 2 + u8::from(frame.epoch != epoch));
        }
        let ledger = &world.ledger;
        bytes.extend([ledger.slices[thread].min(255) as u8, ledger.left[thread].min(255) as u8]);
    }
    for gate in &store.gates {
        let word = gate.word.value();
        // Threads are few, and the bit that says that one waits is the highest.
        bytes.extend([gate.holder.0 as u8, word as u8, (word >> 24) as u8]);
        bytes.extend([gate.word.under().0 as u8, u8::from(gate.word.is_woken())]);
        crate::lists::list(store, &gate.waiters, bytes);
    }
    for notification in &store.notifications {
        bytes.push(notification.pending as u8);
        crate::lists::list(store, &notification.waiters, bytes);
    }
    for level in &store.levels {
        crate::lists::list(store, level, bytes);
    }
    bytes.extend(store.components.iter().map(|own| u8::from(own.is_unrestored())));
}

fn list(chain: Chain, hooks: &[Hook], bytes: &mut Vec<u8>) {
    bytes.extend(chain.iter(hooks).take(hooks.len() + 1).map(|member| member as u8));
    bytes.push(u8::MAX);
}

fn ahead(time: Time, now: Time) -> u8 {
    if time == NEVER { u8::MAX } else { time.saturating_sub(now).min(254) as u8 }
}
