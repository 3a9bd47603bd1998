//! States of several cores as byte strings, equal when they behave equally.

use fusee_kernel::cores::{Answer, At, Due, Host, HostCore, HostGate, HostRestart, OneCore};
use fusee_kernel::each_store;
use fusee_kernel::{
    Component, Failure, GateIndex, NEVER, Policy, ResumeReason, Status, Store, Tables, Word,
};
use fusee_kernel::{Thread, Time};

use crate::Rules;

/// The time that is lent to budgets and time slices between asking and coming back.
const CREDIT: Time = 1 << 62;

/// Returns the canonical encoding of a state.
pub(super) fn encode(tables: &[OneCore<'_>], host: &Host, now: Time) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(128);
    for (own, (one, shared)) in host.cores.iter().zip(tables) {
        core(one, own, now, &mut bytes);
        for (config, state) in shared.restarts.iter().zip(&host.restarts) {
            let which = (config.component.at(), shared.first_gate, state);
            bytes.extend(restart(one, own, which));
        }
    }
    let shared = host.restarts.iter().map(|state| [state.restart.inside, state.written]);
    bytes.extend(shared.flatten());
    bytes.extend(host.restarts.iter().map(|state| fate(&state.restart.newest)));
    for number in 0..host.restarts.len() {
        sections(tables, host, number, &mut bytes);
    }
    host.gates.iter().for_each(|gate| global(gate, &mut bytes));
    bytes.extend(host.mailboxes.iter().map(|mailbox| mailbox.signals() as u8));
    for (own, (_, shared)) in host.cores.iter().zip(tables) {
        let limited = shared.limits.iter().zip(&own.debts).filter(|(limit, _)| limit.cost > 0);
        bytes.extend(limited.map(|(limit, debt)| debt.owed(limit, now) as u8));
    }
    bytes
}

/// Encodes one core's view of a component that several enter. Epochs only differ or do not.
fn restart(
    tables: &Tables<'_>,
    own: &HostCore,
    (component, first_gate, state): (usize, GateIndex, &HostRestart),
) -> Vec<u8> {
    let newest = state.restart.newest.entering();
    let known = own.store.components()[component];
    let mut bytes = vec![2 * fate(&known) + u8::from(known.entering() == newest)];
    each_store!(&own.store, store => for thread in 0..store.threads.len() {
        let home = (tables.threads[thread].component.at(), store.home_of(tables, thread).epoch);
        // Who has asked stands in that frame, and runs nothing there.
        let frames = store.frames_of(tables, thread).iter();
        let frames = frames.filter(|frame| frame.gate < first_gate);
        let frames = frames.map(|frame| (frame.component.at(), frame.epoch));
        let within = std::iter::once(home).chain(frames).filter(|(other, _)| *other == component);
        bytes.extend(within.map(|(_, epoch)| u8::from(epoch == known.entering())));
    });
    bytes
}

/// Encodes the epochs of sections in a component, compared with those of all cores and the newest.
fn sections(tables: &[OneCore<'_>], host: &Host, number: usize, bytes: &mut Vec<u8>) {
    let (one, shared) = &tables[0];
    let component = shared.restarts[number].component;
    let cores = host.cores.iter().map(|own| own.store.components()[component.at()]);
    let newest = host.restarts[number].restart.newest;
    let known: Vec<u32> = cores.chain([newest]).map(|one| one.entering()).collect();
    let same = |epoch: u32| known.iter().fold(0, |all, other| 2 * all + u8::from(*other == epoch));
    for (global, gate) in host.gates.iter().enumerate() {
        let own = one.gates[shared.first_gate.at() + global].component;
        let visits = gate.visits[..usize::from(gate.gate.depth)].iter();
        let within = visits.map(|visit| (visit.component, visit.epoch));
        let all = std::iter::once((own, gate.gate.epoch)).chain(within);
        let inside = all.filter(|(other, _)| gate.gate.owner.is_some() && *other == component);
        bytes.extend(inside.map(|(_, epoch)| same(epoch)));
    }
    let executed = host.cores.iter().map(|own| own.home.inside);
    bytes.extend(executed.filter(|inside| inside.global.is_some()).map(|one| same(one.epoch)));
}

fn fate(component: &Component) -> u8 {
    u8::from(component.is_dead()) + 2 * u8::from(component.is_unrestored())
}

fn core(tables: &Tables<'_>, own: &HostCore, now: Time, bytes: &mut Vec<u8>) {
    each_store!(&own.store, store => kernel(tables, store, now, bytes));
    let home = &own.home;
    bytes.push(home.announced.0 as u8);
    bytes.extend([home.inside.global.0 as u8, home.inside.reason as u8, own.pending.0 as u8]);
    bytes.extend(due(home.due));
    bytes.push((own.pending.0 >> 56) as u8);
    bytes.extend(own.outbox.iter().map(|look| 16 * look.core + number(look.at)));
    bytes.push(u8::MAX);
    if let Some(late) = own.clears {
        bytes.push(number(late));
    }
    if let Some(half) = own.half {
        bytes.push(half as u8);
    }
    if let Some(read) = &own.read {
        global(read, bytes);
    }
}

/// The core's own kernel.
fn kernel<P: Rules>(tables: &Tables<'_>, store: &Store<P>, now: Time, bytes: &mut Vec<u8>) {
    let core = &store.cores[0];
    bytes.extend([core.current.0 as u8, core.lender.0 as u8]);
    for (index, thread) in store.threads.iter().enumerate() {
        bytes.extend([thread.status as u8 + 16 * thread.depth(), reason(thread)]);
        bytes.extend(store.frames_of(tables, index).iter().map(|frame| frame.gate.0 as u8));
        if matches!(thread.status, Status::AtGate | Status::AtNotification) {
            bytes.push(thread.waits_at as u8);
        }
        bytes.push(thread.queued as u8);
        let used = |pays: bool| if pays { now.saturating_sub(core.since) } else { 0 };
        if tables.threads[index].budget.is_some() {
            bytes.push(left(thread.budget, used(core.payer().at() == index)));
        }
        if tables.time_slice != NEVER {
            bytes.push(left(thread.slice, used(core.current.at() == index)));
        }
    }
    P::encode(tables, store, now, bytes);
    if P::Word::DEPENDS {
        services(tables, store, bytes);
    }
    let gates = store.gates.iter().map(|gate| &gate.waiters);
    bytes.extend(store.notifications.iter().map(|event| event.pending as u8));
    for list in gates.chain(store.notifications.iter().map(|turn| &turn.waiters)) {
        bytes.extend(list.iter(&store.threads).map(|thread| thread.0 as u8));
    }
    bytes.push(u8::MAX);
}

/// The records of sleeping threads, and of those that have been woken before they slept.
fn services<P: Rules>(tables: &Tables<'_>, store: &Store<P>, bytes: &mut Vec<u8>) {
    for gate in &store.gates {
        bytes.extend([gate.holder.0 as u8, gate.word.under().0 as u8, gate.word.value() as u8]);
        bytes.push(u8::from(gate.word.is_woken()));
    }
    let homes = (0..store.threads.len()).map(|thread| store.home_of(tables, thread));
    bytes.extend(homes.map(|home| home.gate.0 as u8));
}

/// Encodes an object that cores look at, as a number below 16.
fn number(at: At) -> u8 {
    match at {
        At::Gate(global) => global.0 as u8,
        At::Mailbox(mailbox) => 15 - mailbox.0 as u8,
    }
}

fn due(due: Due) -> [u8; 2] {
    let (kind, more) = match due {
        Due::Nothing => (0, 0),
        Due::Ask(..) => (1, 0),
        Due::Lose(_) => (2, 0),
        Due::Gain(_) => (3, 0),
        Due::Look(_) => (4, 0),
        Due::Pass(_, gate) => (5, gate.0 as u8),
        Due::Leave(_, failure) => (6, u8::from(failure.is_some())),
        Due::Post(mailbox, bits) => (7, 16 * bits as u8 + mailbox.0 as u8),
        Due::Collect(mailbox) => (8, mailbox.0 as u8),
        Due::RestartFault(restart) => (9, restart.0 as u8),
        Due::PutBack(restart) => (10, restart.0 as u8),
        Due::RestartSeen(restart) => (11, restart.0 as u8),
    };
    [kind + 16 * due.global().map_or(0, |global| global.0 as u8), more]
}

/// Encodes the rest of a budget or time slice: that it has credit, and without it, that nothing is
/// left, and not how much is missing.
fn left(span: Time, used: Time) -> u8 {
    match span {
        NEVER => 255,
        CREDIT.. => 128 + (span - CREDIT).saturating_sub(used).min(100) as u8,
        _ if span >= CREDIT / 2 => 128,
        _ => span.saturating_sub(used).min(100) as u8,
    }
}

fn reason<P: Policy>(thread: &Thread<P>) -> u8 {
    match thread.reason {
        ResumeReason::Failed => 16 + thread.value as u8,
        ResumeReason::Signal => 32 + thread.value as u8,
        reason => reason as u8,
    }
}

fn global(gate: &HostGate, bytes: &mut Vec<u8>) {
    let HostGate { gate, requests, visits } = gate;
    bytes.extend([gate.executing, gate.owner.0 as u8, gate.depth, gate.reason as u8]);
    bytes.extend(visits[..usize::from(gate.depth)].iter().map(|visit| visit.gate.0 as u8));
    let mut seat = gate.first;
    for _ in 0..requests.len() {
        let Some(request) = requests.get(seat.at()) else { break };
        bytes.push(seat.0 as u8);
        seat = request.next;
    }
    bytes.push(u8::MAX);
    bytes.extend(requests.iter().map(|request| {
        let answer = match request.answer {
            Answer::None => 0,
            Answer::Returned => 1,
            Answer::Failed(Failure::Fault) => 2,
            Answer::Failed(Failure::Aborted) => 3,
        };
        u8::from(request.present) + 2 * answer
    }));
}
