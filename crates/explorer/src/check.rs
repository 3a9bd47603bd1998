//! What must hold in every state and over every step, by the rules alone.

use fusee_kernel::{Delivery, GateIndex, GateKind, List, Outcome, Protocol, Status, Tables, ThreadIndex};

use crate::Store;

type Checked = Result<(), String>;

/// Checks one state.
pub fn state(tables: &Tables<'_>, store: &Store) -> Checked {
    queues(store)?;
    gates(tables, store)?;
    stacks(tables, store)?;
    priorities(tables, store)?;
    highest_runs(store)?;
    chains_end(store)?;
    payers(store)
}

/// Checks a step of the kernel by what it made of the state before.
pub fn step(tables: &Tables<'_>, before: &Store, after: &Store, outcome: &Outcome) -> Checked {
    for gate in 0..before.gates.len() {
        gate_order(tables, before, after, gate)?;
    }
    for (index, (old, new)) in before.notifications.iter().zip(&after.notifications).enumerate() {
        order(before, after, &old.waiters, &new.waiters, true)
            .map_err(|why| format!("notification N{index}: {why}"))?;
    }
    for (level, (old, new)) in before.levels.iter().zip(&after.levels).enumerate() {
        ready_order(before, after, old, new).map_err(|why| format!("ready at {level}: {why}"))?;
    }
    deliveries(tables, before, after, outcome)
}

fn ensure(holds: bool, why: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(why()) }
}

fn members(store: &Store, list: &List) -> Vec<usize> {
    // A list that bites its own tail is cut off where it must have done so.
    list.iter(&store.threads).take(store.threads.len() + 1).map(ThreadIndex::at).collect()
}

/// Each thread is in exactly the queue that its status names, and in no other.
fn queues(store: &Store) -> Checked {
    let mut seen = vec![0; store.threads.len()];
    let mut visit = |list: &List, status: Status, at: Option<usize>| {
        for thread in members(store, list) {
            seen[thread] += 1;
            let state = &store.threads[thread];
            let right = state.status == status && at.is_none_or(|at| state.waits_at as usize == at);
            ensure(right, || format!("T{thread} is queued where its status does not say"))?;
        }
        Ok::<(), String>(())
    };
    for (level, list) in store.levels.iter().enumerate() {
        visit(list, Status::Ready, None)?;
        let right = members(store, list).iter().all(|&thread| store.threads[thread].effective as usize == level);
        ensure(right, || format!("a thread is ready at level {level} with another priority"))?;
    }
    for (gate, state) in store.gates.iter().enumerate() {
        visit(&state.waiters, Status::AtGate, Some(gate))?;
    }
    for (notification, state) in store.notifications.iter().enumerate() {
        visit(&state.waiters, Status::AtNotification, Some(notification))?;
        ensure(state.pending == 0 || state.waiters.is_empty(), || {
            format!("N{notification} is pending, yet waited for")
        })?;
    }
    for (thread, state) in store.threads.iter().enumerate() {
        let queued = matches!(state.status, Status::Ready | Status::AtGate | Status::AtNotification);
        ensure(seen[thread] == usize::from(queued), || format!("T{thread} is in {} queues", seen[thread]))?;
        let runs = state.status == Status::Running;
        ensure(runs == (store.running() == Some(thread)), || format!("T{thread}'s status and the core disagree"))?;
        ensure(state.status != Status::Idle || state.depth() == 0, || format!("T{thread} has no job but a frame"))?;
    }
    Ok(())
}

/// Exclusive gates have at most one frame, their holder's; a free one is not waited for.
fn gates(tables: &Tables<'_>, store: &Store) -> Checked {
    for (gate, state) in store.gates.iter().enumerate() {
        let inside: Vec<usize> = (0..store.threads.len())
            .flat_map(|thread| store.frames_of(tables, thread).iter().map(move |frame| (thread, frame.gate.at())))
            .filter(|&(_, at)| at == gate)
            .map(|(thread, _)| thread)
            .collect();
        let holder = state.holder.is_some().then_some(state.holder.at());
        if tables.gates[gate].protocol.is_exclusive() {
            ensure(inside.len() <= 1, || format!("{} threads are inside exclusive G{gate}", inside.len()))?;
            ensure(holder == inside.first().copied(), || {
                format!("G{gate} is held by {holder:?} and entered by {inside:?}")
            })?;
        } else {
            ensure(holder.is_none(), || format!("propagated G{gate} has a holder"))?;
        }
        ensure(holder.is_some() || state.waiters.is_empty(), || {
            format!("G{gate} is free, yet waited for: a lost wake-up")
        })?;
    }
    Ok(())
}

/// Each gate's stacks are free or in one frame, never both.
fn stacks(tables: &Tables<'_>, store: &Store) -> Checked {
    let mut uses = vec![0; store.stacks.len()];
    for (gate, config) in store.gates.iter().zip(tables.gates) {
        let mut stack = gate.free;
        let mut steps = 0;
        // The stack of an exclusive gate is free while nobody is inside.
        let taken = config.protocol.is_exclusive() && gate.holder.is_some() && config.kind == GateKind::Interface;
        while stack.is_some() && !taken && steps <= uses.len() {
            uses[stack.at()] += 1;
            stack = store.stacks[stack.at()];
            steps += 1;
        }
    }
    for thread in 0..store.threads.len() {
        let mut below = store.home_of(tables, thread).stack;
        for frame in store.frames_of(tables, thread) {
            if tables.gates[frame.gate.at()].kind == GateKind::Mutex {
                ensure(frame.stack == below, || format!("T{thread} locks a mutex and goes on elsewhere"))?;
                continue;
            }
            uses[frame.stack.at()] += 1;
            below = frame.stack;
        }
    }
    ensure(uses.iter().all(|&uses| uses == 1), || format!("stacks are used {uses:?} times"))
}

/// Effective priorities are the least fixpoint of the rule.
fn priorities(tables: &Tables<'_>, store: &Store) -> Checked {
    let mut expected: Vec<u8> = store.threads.iter().map(|thread| thread.base).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for thread in 0..expected.len() {
            let mut priority = expected[thread];
            for frame in store.frames_of(tables, thread) {
                let protocol = tables.gates[frame.gate.at()].protocol;
                if let Protocol::Fixed { ceiling } = protocol {
                    priority = priority.max(ceiling);
                }
                if matches!(protocol, Protocol::Fixed { .. } | Protocol::Inherited) {
                    let waits = |other: &usize| store.threads[*other].gate() == Some(frame.gate);
                    priority =
                        (0..expected.len()).filter(waits).fold(priority, |most, other| most.max(expected[other]));
                }
            }
            changed |= priority != expected[thread];
            expected[thread] = priority;
        }
    }
    for (thread, state) in store.threads.iter().enumerate() {
        let (is, should) = (state.effective, expected[thread]);
        ensure(is == should, || format!("T{thread}'s effective priority is {is}, the rule says {should}"))?;
        floors(tables, store, thread, &expected)?;
    }
    Ok(())
}

/// Each frame's floor is the priority that the rule gives the thread without it and those above.
fn floors(tables: &Tables<'_>, store: &Store, thread: usize, expected: &[u8]) -> Checked {
    let mut floor = store.threads[thread].base;
    let mut place = tables.threads[thread].component;
    for (depth, frame) in store.frames_of(tables, thread).iter().enumerate() {
        ensure(frame.floor == floor, || format!("T{thread}'s frame {depth} has floor {}, not {floor}", frame.floor))?;
        let config = &tables.gates[frame.gate.at()];
        // Who locks a mutex stays where it is.
        place = if config.kind == GateKind::Mutex { place } else { config.component };
        ensure(frame.component == place, || format!("T{thread}'s frame {depth} is in the wrong component"))?;
        floor = floor.max(config.protocol.ceiling());
        if config.protocol.inherits() {
            let waits = |other: &usize| store.threads[*other].gate() == Some(frame.gate);
            floor = (0..expected.len()).filter(waits).fold(floor, |most, other| most.max(expected[other]));
        }
    }
    Ok(())
}

fn highest_runs(store: &Store) -> Checked {
    let ready =
        store.threads.iter().filter(|thread| thread.status == Status::Ready).map(|thread| thread.effective).max();
    let running = store.running().map(|thread| store.threads[thread].effective);
    ensure(running >= ready, || format!("priority {ready:?} is ready while {running:?} runs"))
}

/// Following holder and gate from any waiter leads to a thread that does not wait at a gate.
fn chains_end(store: &Store) -> Checked {
    for thread in 0..store.threads.len() {
        ensure(root(store, thread).is_some(), || format!("T{thread} waits in a circle: a deadlock"))?;
    }
    Ok(())
}

fn root(store: &Store, thread: usize) -> Option<usize> {
    let mut at = thread;
    for _ in 0..=store.threads.len() {
        match store.threads[at].gate() {
            None => return Some(at),
            Some(gate) => at = store.gates[gate.at()].holder.at(),
        }
    }
    None
}

/// Who has no budget runs only at the expense of the highest that waits for it and has, and is suspended only if
/// there is none.
fn payers(store: &Store) -> Checked {
    for (thread, state) in store.threads.iter().enumerate() {
        let behind = |&other: &usize| other != thread && store.threads[other].status == Status::AtGate;
        let funded = |&other: &usize| store.threads[other].budget > 0 && root(store, other) == Some(thread);
        let lenders: Vec<usize> = (0..store.threads.len()).filter(behind).filter(funded).collect();
        let best = lenders.iter().map(|&lender| store.threads[lender].effective).max();
        let can_pay = state.budget > 0 || best.is_some();
        match state.status {
            Status::Suspended => ensure(!can_pay, || format!("T{thread} is suspended though {lenders:?} could lend"))?,
            Status::Ready => ensure(can_pay, || format!("T{thread} is ready and nobody pays"))?,
            Status::Running => {
                let payer = store.cores[0].payer().at();
                let own = payer == thread && (state.budget > 0 || store.cores[0].limit == 0);
                let lent =
                    state.budget == 0 && lenders.contains(&payer) && Some(store.threads[payer].effective) == best;
                ensure(own || lent, || format!("T{payer} pays for T{thread}, lenders are {lenders:?}"))?;
            }
            _ => {}
        }
    }
    Ok(())
}

fn gate_order(tables: &Tables<'_>, before: &Store, after: &Store, gate: usize) -> Checked {
    let (old, new) = (&before.gates[gate], &after.gates[gate]);
    let by_priority = tables.gates[gate].protocol != Protocol::Fifo;
    order(before, after, &old.waiters, &new.waiters, by_priority)
        .map_err(|why| format!("waiters at G{gate}: {why}"))?;
    let handed = old.holder.is_some() && new.holder.is_some() && old.holder != new.holder;
    ensure(!handed || new.holder == old.waiters.head(), || format!("G{gate} is not handed to its first waiter"))
}

/// Waiters keep their order; a new one, or one with another priority, queues behind its equals (or behind all).
fn order(before: &Store, after: &Store, old: &List, new: &List, by_priority: bool) -> Checked {
    let (old, new) = (members(before, old), members(after, new));
    let priority = |thread: usize| after.threads[thread].effective;
    let stayed = |thread: &usize| {
        old.contains(thread) && (!by_priority || before.threads[*thread].effective == priority(*thread))
    };
    for (place, &thread) in new.iter().enumerate() {
        for &later in &new[place + 1..] {
            ensure(!by_priority || priority(thread) >= priority(later), || {
                format!("T{later} is behind lower T{thread}")
            })?;
            if by_priority && priority(thread) != priority(later) {
                continue;
            }
            let position = |thread: &usize| old.iter().position(|other| other == thread);
            let right = match (stayed(&thread), stayed(&later)) {
                (true, true) => position(&thread) < position(&later),
                (false, true) => false,
                _ => true,
            };
            ensure(right, || format!("T{thread} is before T{later}, which came first"))?;
        }
    }
    Ok(())
}

/// Ready threads keep their order; who was preempted or boosted is before them, who was released or woken behind.
fn ready_order(before: &Store, after: &Store, old: &List, new: &List) -> Checked {
    let (old, new) = (members(before, old), members(after, new));
    let kept: Vec<usize> = new.iter().copied().filter(|thread| old.contains(thread)).collect();
    let mut expected = old.iter().copied().filter(|thread| new.contains(thread));
    ensure(kept.iter().all(|&thread| expected.next() == Some(thread)), || format!("{old:?} became {new:?}"))?;
    for (place, &thread) in new.iter().enumerate() {
        let woken = !matches!(before.threads[thread].status, Status::Ready | Status::Running);
        let overtaken = new[place + 1..].iter().find(|later| kept.contains(later));
        ensure(!woken || overtaken.is_none(), || format!("woken T{thread} overtakes {overtaken:?}"))?;
    }
    Ok(())
}

/// What the state says that a thread finds when it runs next.
fn delivery(tables: &Tables<'_>, store: &Store, thread: usize) -> Delivery {
    let gate = store.frames_of(tables, thread).last().map_or(GateIndex::NONE, |frame| frame.gate);
    let state = &store.threads[thread];
    Delivery::of(Ok(state.finds), state.value, gate)
}

/// Who comes to run finds what it waited for, and nobody else is told anything.
fn deliveries(tables: &Tables<'_>, before: &Store, after: &Store, outcome: &Outcome) -> Checked {
    let running = outcome.thread.is_some().then_some(outcome.thread.at());
    ensure(running == after.running(), || "the outcome names another thread than runs".to_owned())?;
    let Some(thread) = running else { return Ok(()) };
    if after.is_stale(tables, thread) {
        return ensure(outcome.delivery == Delivery::Abort, || format!("T{thread} runs in a component that is gone"));
    }
    let (old, found) = (&before.threads[thread], outcome.delivery);
    if after.is_unrestored(tables, thread) {
        return ensure(found == Delivery::Restore, || format!("T{thread} runs in a component that is half restored"));
    }
    if old.status == Status::Running && before.is_unrestored(tables, thread) {
        return ensure(found == delivery(tables, before, thread), || {
            format!("T{thread}, after a restart, finds {found:?}")
        });
    }
    let right = match old.status {
        Status::Ready | Status::Suspended => found == delivery(tables, before, thread),
        Status::AtGate => old.gate().is_some_and(|gate| found == Delivery::Enter(gate)),
        Status::AtNotification => matches!(found, Delivery::Signal(_)),
        Status::Idle => found == Delivery::Start,
        Status::Running => true,
    };
    ensure(right, || format!("T{thread} ({:?}) finds {found:?}", old.status))
}
