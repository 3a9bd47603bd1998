//! Mutexes of the kernel, and those that are words, by who has them.

use fusee_kernel::{Capability, Event, GateKind, MutexWord, ThreadIndex, Word};

use super::rule::ensure;
use super::{Checked, Rule, Seen, Step, System, TreePolicy, World};

/// Returns the mutex that the running thread locks or unlocks by a step.
fn mutex_of<P: TreePolicy>(system: &System, world: &World<P>, step: Step) -> Option<usize> {
    let Step::Event(Event::Lock(slot) | Event::Unlock(slot)) = step else { return None };
    let component = world.kernel.component_of(&system.tables, world.kernel.running()?);
    match system.tables.components[component].capabilities[usize::from(slot)] {
        Capability::Mutex(mutex) => Some(mutex.at()),
        _ => None,
    }
}

/// Changes a word as its component does; `true`: the kernel need not be called.
pub(super) fn is_done_without_kernel<P: TreePolicy>(
    world: &mut World<P>,
    system: &System,
    step: Step,
) -> bool {
    let (Some(mutex), Some(runs)) = (mutex_of(system, world, step), world.kernel.running()) else {
        return false;
    };
    let own = MutexWord::of(ThreadIndex(runs as u16));
    let (from, to) = match step {
        Step::Event(Event::Lock(_)) => (MutexWord::NOBODY, own),
        _ => (own, MutexWord::NOBODY),
    };
    let word = &mut world.kernel.gates[mutex].word;
    let done = P::Word::ADOPTS && word.value() == from;
    if done {
        word.set(to);
    }
    done
}

/// Follows who has each mutex, and checks that it is one, for whom all others wait.
pub(super) fn follow<P: TreePolicy>(
    system: &System,
    (before, was): (&World<P>, &Seen),
    after: &mut World<P>,
    step: Step,
) -> Checked {
    let is = after.seen(system);
    if let (Some(mutex), Some(runs)) = (mutex_of(system, before, step), was.runs) {
        let owners = &mut after.ledger.owners[mutex];
        match step {
            Step::Event(Event::Unlock(_)) => owners.retain(|owner| *owner != runs),
            _ if is.waits.get(&runs) != Some(&mutex) => owners.push(runs),
            _ => {}
        }
    }
    let is_mutex =
        |gate: usize| system.tables.gates[gate].kind == GateKind::Mutex && !system.is_about(gate);
    for (thread, &gate) in &was.waits {
        if is_mutex(gate) && is.waits.get(thread) != Some(&gate) {
            after.ledger.owners[gate].push(*thread);
        }
    }
    let gates = after.ledger.owners.iter().enumerate();
    for (mutex, owners) in gates.filter(|(gate, _)| is_mutex(*gate)) {
        ensure(Rule::Exclusion, owners.len() < 2, || format!("{owners:?} have mutex {mutex}"))?;
        let waits = is.waits.iter().find(|(_, gate)| **gate == mutex).map(|(thread, _)| thread);
        let Some(thread) = waits else { continue };
        let holder = is.holder[thread];
        ensure(Rule::Exclusion, owners[..] == [holder], || {
            format!("T{thread} waits for T{holder}, and {owners:?} have mutex {mutex}")
        })?;
    }
    Ok(())
}
