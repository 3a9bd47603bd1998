//! The rules that hold in every state, by the rules alone.

use fusee_kernel::{Frame, GateIndex, MutexWord, Status, Store, ThreadIndex};

use super::rule::{Checked, Rule, ensure};
use super::system::{Conduct, System};
use super::world::{Worded, World, mutexes};

/// Checks a state.
pub(super) fn check<P: Worded>(system: &System, world: &World<P>) -> Checked {
    for mutex in mutexes(&system.tables) {
        records(world, mutex)?;
        order(world, mutex)?;
        if system.conduct == Conduct::Honest {
            beliefs(world, mutex)?;
        }
    }
    circles(world)?;
    priorities(system, world)?;
    highest(world)
}

/// Returns the threads that wait at a gate, in order.
pub(super) fn waiters<P: Worded>(store: &Store<P>, gate: usize) -> Vec<usize> {
    let list = &store.gates[gate].waiters;
    list.iter(&store.threads).take(store.threads.len() + 1).map(ThreadIndex::at).collect()
}

/// A record, a waiter and the mark on the word go together; and the owner is inside.
fn records<P: Worded>(world: &World<P>, mutex: usize) -> Checked {
    let state = &world.store.gates[mutex];
    let waits = !waiters(&world.store, mutex).is_empty();
    ensure(Rule::Contended, state.holder.is_some() == waits, || {
        format!("M{mutex} has a record {:?}, that somebody waits is {waits}", state.holder)
    })?;
    if !waits {
        return Ok(());
    }
    let holder = state.holder.at();
    let inside = world.frames(holder).iter().any(|frame| frame.component == state.component);
    ensure(Rule::Inside, inside, || format!("T{holder} holds M{mutex} from outside"))?;
    let on = world.frames(holder).iter().find(|frame| on_frame(world, frame).contains(&mutex));
    let right = on.is_some_and(|frame| frame.component == state.component);
    ensure(Rule::Inside, right, || format!("M{mutex}'s record stands on no frame inside"))
}

/// Returns the gates that a frame is in: its gate, and the mutexes whose records stand on it.
pub(super) fn on_frame<P: Worded>(world: &World<P>, frame: &Frame<P>) -> Vec<usize> {
    let mut gates = Vec::new();
    let mut at = frame.gate;
    while at.is_some() && gates.len() <= world.store.gates.len() {
        gates.push(at.at());
        at = match world.store.gates[at.at()].kind {
            fusee_kernel::GateKind::Mutex => world.store.gates[at.at()].word.under,
            fusee_kernel::GateKind::Interface => GateIndex::NONE,
        };
    }
    gates
}

fn order<P: Worded>(world: &World<P>, mutex: usize) -> Checked {
    let waiters = waiters(&world.store, mutex);
    let urgency = |thread: &usize| world.store.threads[*thread].effective;
    let sorted = waiters.is_sorted_by(|first, second| urgency(first) >= urgency(second));
    ensure(Rule::Order, sorted, || format!("{waiters:?} wait at M{mutex}"))
}

/// The beliefs of an honest component's threads agree with the word.
fn beliefs<P: Worded>(world: &World<P>, mutex: usize) -> Checked {
    let state = &world.store.gates[mutex];
    let owners = &world.ledger.owners[mutex];
    let gate = GateIndex(mutex as u16);
    let live: Vec<usize> =
        owners.iter().copied().filter(|owner| !world.is_gone(*owner, gate)).collect();
    ensure(Rule::Exclusion, live.len() < 2, || format!("{live:?} hold M{mutex}"))?;
    let waits = !waiters(&world.store, mutex).is_empty();
    ensure(Rule::Wakes, !waits || owners.contains(&state.holder.at()), || {
        format!("nobody will hand M{mutex} on")
    })?;
    if world.store.components[state.component.at()].is_dead() {
        return Ok(());
    }
    let mark = if waits { MutexWord::CONTENDED } else { 0 };
    let named = if waits { Some(state.holder.at()) } else { live.first().copied() };
    let free = if world.ledger.failed[mutex] { MutexWord::DIED } else { MutexWord::NOBODY };
    let expected = named.map_or(free, |owner| MutexWord::of(ThreadIndex(owner as u16)) | mark);
    // Who got it in a component that is gone may be named until it is aborted, or another comes.
    let gone = MutexWord::owner(state.word.value).is_some_and(|owner| owners.contains(&owner.at()));
    let right = state.word.value == expected || named.is_none() && gone;
    ensure(Rule::Owner, right, || {
        format!("M{mutex}'s word is {:#x}, it should be {expected:#x}", state.word.value)
    })
}

fn circles<P: Worded>(world: &World<P>) -> Checked {
    for thread in 0..world.store.threads.len() {
        let mut at = thread;
        let mut steps = 0;
        while let Some(gate) = world.store.threads[at].gate() {
            at = world.store.gates[gate.at()].holder.at();
            steps += 1;
            ensure(Rule::Circles, steps <= world.store.threads.len(), || {
                format!("T{thread} waits in a circle")
            })?;
        }
    }
    Ok(())
}

/// Effective priorities are the least fixpoint of base priorities, ceilings and waiters; a frame's
/// floor is that without it and those above.
fn priorities<P: Worded>(system: &System, world: &World<P>) -> Checked {
    let threads = &world.store.threads;
    let mut expected: Vec<P::Urgency> = threads.iter().map(|thread| thread.base).collect();
    let demand = |frame: &Frame<P>, expected: &[P::Urgency]| {
        on_frame(world, frame).into_iter().fold(P::LEAST, |most, gate| {
            let protocol = system.tables.gates[gate].protocol;
            let waits = |other: &usize| {
                protocol.inherits() && threads[*other].gate() == Some(GateIndex(gate as u16))
            };
            let first = (0..expected.len()).filter(waits).map(|other| expected[other]).max();
            let own = P::claimed(frame.claim, P::ceiling(&system.tables, protocol));
            most.max(own).max(first.unwrap_or(P::LEAST))
        })
    };
    for _ in 0..=threads.len() {
        for thread in 0..threads.len() {
            let all = world.frames(thread).iter().map(|frame| demand(frame, &expected)).max();
            expected[thread] = expected[thread].max(all.unwrap_or(P::LEAST));
        }
    }
    for (thread, state) in threads.iter().enumerate() {
        let (is, should) = (state.effective, expected[thread]);
        ensure(Rule::Priorities, is == should, || {
            let [is, should] = [is, should].map(P::tell);
            format!("T{thread}'s effective priority is {is}, the rule says {should}")
        })?;
        let mut floor = state.base;
        for (depth, frame) in world.frames(thread).iter().enumerate() {
            ensure(Rule::Priorities, depth == 0 || frame.floor == floor, || {
                let [is, should] = [frame.floor, floor].map(P::tell);
                format!("T{thread}'s frame {depth} has floor {is}, not {should}")
            })?;
            floor = floor.max(demand(frame, &expected));
        }
    }
    Ok(())
}

fn highest<P: Worded>(world: &World<P>) -> Checked {
    let threads = world.store.threads.iter();
    let ready = threads.filter(|thread| thread.status == Status::Ready);
    let ready = ready.map(|thread| thread.effective).max();
    let running = world.store.running().map(|thread| world.store.threads[thread].effective);
    ensure(Rule::Highest, running >= ready, || {
        format!("priority {ready:?} is ready while {running:?} runs")
    })
}
