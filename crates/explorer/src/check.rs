//! The rules that hold in every state, checked without the kernel's help.

use fusee_kernel::{GateKind, List, Policy, Status, Tables, Urgencies, Word};

use crate::lists::members;
use crate::rule::{Checked, Rule, ensure};
use crate::{Breach, Rules, Store};

/// The demand that the gate of a thread's frame makes by itself.
pub type Demands<'d, P> = &'d dyn Fn(usize, usize) -> <P as Urgencies>::Urgency;

/// Checks one state, given the demands of gates on their holders.
pub fn state<P: Rules>(tables: &Tables<'_>, store: &Store<P>, demands: Demands<'_, P>) -> Checked {
    queues(store)?;
    gates(tables, store)?;
    stacks(tables, store)?;
    priorities(tables, store, demands)?;
    highest_runs(store)?;
    chains_end(store)?;
    payers(store)
}

/// Each thread is in exactly the queue that its status names, and in no other.
fn queues<P: Rules>(store: &Store<P>) -> Checked {
    let mut seen = vec![0; store.threads.len()];
    for thread in P::queued(store) {
        seen[thread] += 1;
        ensure(Rule::Queues, store.threads[thread].status == Status::Ready, || {
            format!("T{thread} is queued where its status does not say")
        })?;
    }
    let flaw = P::flaw(store);
    ensure(Rule::Queues, flaw.is_none(), || flaw.unwrap_or_default())?;
    let mut visit = |list: &List, status: Status, at: usize| {
        for thread in members(store, list) {
            seen[thread] += 1;
            let state = &store.threads[thread];
            let right = state.status == status && state.waits_at as usize == at;
            ensure(Rule::Queues, right, || {
                format!("T{thread} is queued where its status does not say")
            })?;
        }
        Ok::<(), Breach>(())
    };
    for (gate, state) in store.gates.iter().enumerate() {
        visit(&state.waiters, Status::AtGate, gate)?;
    }
    for (notification, state) in store.notifications.iter().enumerate() {
        visit(&state.waiters, Status::AtNotification, notification)?;
        ensure(Rule::Queues, state.pending == 0 || state.waiters.is_empty(), || {
            format!("N{notification} is pending, yet waited for")
        })?;
    }
    for (thread, state) in store.threads.iter().enumerate() {
        let queued =
            matches!(state.status, Status::Ready | Status::AtGate | Status::AtNotification);
        ensure(Rule::Queues, seen[thread] == usize::from(queued), || {
            format!("T{thread} is in {} queues", seen[thread])
        })?;
        let runs = state.status == Status::Running;
        ensure(Rule::Queues, runs == (store.running() == Some(thread)), || {
            format!("T{thread}'s status and the core disagree")
        })?;
        ensure(Rule::Queues, state.status != Status::Idle || state.depth() == 0, || {
            format!("T{thread} has no job but a frame")
        })?;
    }
    Ok(())
}

/// Exclusive gates have at most one frame, their holder's; a free one is not waited for.
fn gates<P: Rules>(tables: &Tables<'_>, store: &Store<P>) -> Checked {
    for (gate, state) in store.gates.iter().enumerate() {
        let inside: Vec<usize> = (0..store.threads.len())
            .flat_map(|thread| {
                store.frames_of(tables, thread).iter().map(move |frame| (thread, frame.gate.at()))
            })
            .filter(|&(_, at)| at == gate)
            .map(|(thread, _)| thread)
            .collect();
        let holder = state.holder.is_some().then_some(state.holder.at());
        if state.word.depends() {
            // Nobody is inside: threads sleep there on the account of the holder.
            ensure(
                Rule::Holders,
                inside.is_empty() && holder.is_some() != state.waiters.is_empty(),
                || {
                    format!(
                        "G{gate} is about {holder:?}, and nobody sleeps there, or anybody is inside"
                    )
                },
            )?;
            continue;
        }
        if tables.gates[gate].protocol.is_exclusive() {
            ensure(Rule::Holders, inside.len() <= 1, || {
                format!("{} threads are inside exclusive G{gate}", inside.len())
            })?;
            ensure(Rule::Holders, holder == inside.first().copied(), || {
                format!("G{gate} is held by {holder:?} and entered by {inside:?}")
            })?;
        } else {
            ensure(Rule::Holders, holder.is_none(), || format!("propagated G{gate} has a holder"))?;
        }
        ensure(Rule::Holders, holder.is_some() || state.waiters.is_empty(), || {
            format!("G{gate} is free, yet waited for: a lost wake-up")
        })?;
    }
    Ok(())
}

/// Each gate's stacks are free or in one frame, never both.
fn stacks<P: Rules>(tables: &Tables<'_>, store: &Store<P>) -> Checked {
    let mut uses = vec![0; store.stacks.len()];
    for (gate, config) in store.gates.iter().zip(tables.gates) {
        let mut stack = gate.free;
        let mut steps = 0;
        // The stack of an exclusive gate is free while nobody is inside.
        let taken = config.protocol.is_exclusive()
            && gate.holder.is_some()
            && config.kind == GateKind::Interface;
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
                ensure(Rule::Stacks, frame.stack == below, || {
                    format!("T{thread} locks a mutex and goes on elsewhere")
                })?;
                continue;
            }
            uses[frame.stack.at()] += 1;
            below = frame.stack;
        }
    }
    ensure(Rule::Stacks, uses.iter().all(|&uses| uses == 1), || {
        format!("stacks are used {uses:?} times")
    })
}

/// Effective priorities are the least fixpoint of the rule.
fn priorities<P: Rules>(tables: &Tables<'_>, store: &Store<P>, demands: Demands<'_, P>) -> Checked {
    let mut expected: Vec<P::Urgency> = store.threads.iter().map(|thread| thread.base).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for thread in 0..expected.len() {
            let mut priority = asleep(store, thread, &expected, expected[thread]);
            for (depth, frame) in store.frames_of(tables, thread).iter().enumerate() {
                priority = priority.max(demands(thread, depth));
                if tables.gates[frame.gate.at()].protocol.inherits() {
                    let waits = |other: &usize| store.threads[*other].gate() == Some(frame.gate);
                    priority = (0..expected.len())
                        .filter(waits)
                        .fold(priority, |most, other| most.max(expected[other]));
                }
            }
            changed |= priority != expected[thread];
            expected[thread] = priority;
        }
    }
    for (thread, state) in store.threads.iter().enumerate() {
        let (is, should) = (state.effective, expected[thread]);
        ensure(Rule::Priorities, is == should, || {
            let (is, should) = (P::tell(is), P::tell(should));
            format!("T{thread}'s effective priority is {is}, the rule says {should}")
        })?;
        floors(tables, store, thread, (demands, &expected))?;
    }
    Ok(())
}

/// Returns the priority of a thread with those that sleep on its account.
fn asleep<P: Rules>(
    store: &Store<P>,
    thread: usize,
    expected: &[P::Urgency],
    own: P::Urgency,
) -> P::Urgency {
    let sleeps_for = |other: &usize| {
        let at = store.threads[*other].gate().map(|gate| &store.gates[gate.at()]);
        at.is_some_and(|gate| gate.word.depends() && gate.holder.at() == thread)
    };
    (0..expected.len()).filter(sleeps_for).fold(own, |most, other| most.max(expected[other]))
}

/// Each frame's floor is the priority that the rule gives the thread without it and those above.
fn floors<P: Rules>(
    tables: &Tables<'_>,
    store: &Store<P>,
    thread: usize,
    (demands, expected): (Demands<'_, P>, &[P::Urgency]),
) -> Checked {
    let mut floor = asleep(store, thread, expected, store.threads[thread].base);
    let mut place = tables.threads[thread].component;
    for (depth, frame) in store.frames_of(tables, thread).iter().enumerate() {
        ensure(Rule::Priorities, frame.floor == floor, || {
            let (is, should) = (P::tell(frame.floor), P::tell(floor));
            format!("T{thread}'s frame {depth} has floor {is}, not {should}")
        })?;
        let config = &tables.gates[frame.gate.at()];
        // Who locks a mutex stays where it is.
        place = if config.kind == GateKind::Mutex { place } else { config.component };
        ensure(Rule::Priorities, frame.component == place, || {
            format!("T{thread}'s frame {depth} is in the wrong component")
        })?;
        floor = floor.max(demands(thread, depth));
        if config.protocol.inherits() {
            let waits = |other: &usize| store.threads[*other].gate() == Some(frame.gate);
            floor = (0..expected.len())
                .filter(waits)
                .fold(floor, |most, other| most.max(expected[other]));
        }
    }
    Ok(())
}

fn highest_runs<P: Rules>(store: &Store<P>) -> Checked {
    let ready = store
        .threads
        .iter()
        .filter(|thread| thread.status == Status::Ready)
        .map(|thread| thread.effective)
        .max();
    let running = store.running().map(|thread| store.threads[thread].effective);
    ensure(Rule::Highest, running >= ready, || {
        let [ready, running] = [ready, running].map(|urgency| urgency.map(P::tell));
        format!("priority {ready:?} is ready while {running:?} runs")
    })
}

/// Following holder and gate from any waiter leads to a thread that does not wait at a gate.
fn chains_end<P: Rules>(store: &Store<P>) -> Checked {
    for thread in 0..store.threads.len() {
        ensure(Rule::Circles, root(store, thread).is_some(), || {
            format!("T{thread} waits in a circle: a deadlock")
        })?;
    }
    Ok(())
}

fn root<P: Policy>(store: &Store<P>, thread: usize) -> Option<usize> {
    let mut at = thread;
    for _ in 0..=store.threads.len() {
        match store.threads[at].gate() {
            None => return Some(at),
            Some(gate) => at = store.gates[gate.at()].holder.at(),
        }
    }
    None
}

/// A thread without budget runs only on the budget of the highest that waits for it and has one,
/// and is suspended only if there is none. A thread that was preempted in the instant in which its
/// budget ended is ready, and suspended as soon as it would run.
fn payers<P: Rules>(store: &Store<P>) -> Checked {
    for (thread, state) in store.threads.iter().enumerate() {
        let behind =
            |&other: &usize| other != thread && store.threads[other].status == Status::AtGate;
        let funded =
            |&other: &usize| store.threads[other].budget > 0 && root(store, other) == Some(thread);
        let lenders: Vec<usize> = (0..store.threads.len()).filter(behind).filter(funded).collect();
        let best = lenders.iter().map(|&lender| store.threads[lender].effective).max();
        let can_pay = state.budget > 0 || best.is_some();
        match state.status {
            Status::Suspended => ensure(Rule::Payers, !can_pay, || {
                format!("T{thread} is suspended though {lenders:?} could lend")
            })?,
            Status::Running => {
                let core = &store.cores[0];
                let payer = core.payer().at();
                let own = payer == thread && state.budget > 0;
                // Whether another pays when a budget has ended, or when who has none comes to run,
                // is found out at once.
                let ends = state.budget == 0
                    && store.threads[payer].budget == 0
                    && core.limit <= core.since;
                let lent = state.budget == 0
                    && lenders.contains(&payer)
                    && Some(store.threads[payer].effective) == best;
                ensure(Rule::Payers, own || lent || ends, || {
                    format!("T{payer} pays for T{thread}, lenders are {lenders:?}")
                })?;
            }
            _ => {}
        }
    }
    Ok(())
}
