//! The steps that are possible next.

use fusee_kernel::{Capability, Event, MutexWord, OnFault, ThreadIndex};

use super::ledger::Hand;
use super::step::Step;
use super::system::{Conduct, System};
use super::world::{Worded, World};

/// All steps that may come next.
pub(super) fn steps<P: Worded>(system: &System, world: &World<P>) -> Vec<Step> {
    let mut steps = Vec::new();
    for thread in 0..system.tables.threads.len() {
        steps.push(Step::Event(Event::Release(ThreadIndex(thread as u16), world.now)));
    }
    let given = system.priorities.iter();
    steps.extend(given.map(|&(thread, priority)| Step::Reprioritise(thread, priority)));
    if system.ages {
        steps.push(Step::Tick);
    }
    if let Some(running) = world.store.running() {
        own(system, world, running, &mut steps);
    }
    steps
}

fn own<P: Worded>(system: &System, world: &World<P>, running: usize, steps: &mut Vec<Step>) {
    if world.is_stale(running) {
        return steps.push(Step::Event(Event::Abort));
    }
    if world.is_unrestored(running) {
        return steps.push(Step::Event(Event::Restored));
    }
    let component = &system.tables.components[world.component_of(running)];
    if component.on_fault != OnFault::Continue || system.faults {
        steps.push(Step::Event(Event::Fault));
    }
    if world.ledger.hands[running] != Hand::Free {
        return steps.push(Step::GoOn);
    }
    let leaves = system.conduct != Conduct::Honest || !world.holds_here(running);
    for (slot, capability) in component.capabilities.iter().enumerate() {
        let slot = slot as u16;
        match *capability {
            Capability::Gate(_) => steps.push(Step::Event(Event::Invoke(slot))),
            Capability::Mutex(mutex) => {
                steps.extend([Step::LookToLock(slot), Step::LookToUnlock(slot)]);
                if system.conduct == Conduct::Lying {
                    steps.extend(lies(system).map(|word| Step::Write(mutex, word)));
                }
            }
            _ => {}
        }
    }
    if leaves {
        steps.extend([Event::Return, Event::Complete].map(Step::Event));
    }
}

fn lies(system: &System) -> impl Iterator<Item = u32> {
    let threads = system.tables.threads.len() as u16;
    let named = (0..=threads).map(|thread| MutexWord::of(ThreadIndex(thread)));
    [MutexWord::NOBODY, MutexWord::CONTENDED, MutexWord::DIED].into_iter().chain(named)
}
