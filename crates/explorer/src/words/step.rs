//! What can happen next.

use std::fmt;

use fusee_kernel::{Capability, Event, GateIndex, MutexWord, OnFault, ThreadIndex};

use super::ledger::Hand;
use super::system::{Conduct, System};
use super::world::World;

/// A step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The running thread looks at the word of the mutex in a slot, to lock it.
    LookToLock(u16),
    /// Likewise, to unlock it.
    LookToUnlock(u16),
    /// The running thread does what follows: it stores, or calls the kernel.
    GoOn,
    /// The running thread writes anything to a word.
    Write(GateIndex, u32),
    /// The kernel handles an event.
    Event(Event),
    /// A thread gets another base priority.
    Reprioritise(ThreadIndex, u8),
}

impl Step {
    /// All that may come next.
    pub(super) fn all(system: &System, world: &World) -> Vec<Step> {
        let mut steps = Vec::new();
        for thread in 0..system.tables.threads.len() {
            steps.push(Step::Event(Event::Release(ThreadIndex(thread as u16), 0)));
        }
        let given = system.priorities.iter();
        steps.extend(given.map(|&(thread, priority)| Step::Reprioritise(thread, priority)));
        if let Some(running) = world.store.running() {
            own(system, world, running, &mut steps);
        }
        steps
    }
}

fn own(system: &System, world: &World, running: usize, steps: &mut Vec<Step>) {
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

impl fmt::Display for Step {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::LookToLock(slot) => write!(out, "looks at the word in slot {slot} to lock it"),
            Step::LookToUnlock(slot) => {
                write!(out, "looks at the word in slot {slot} to unlock it")
            }
            Step::GoOn => write!(out, "stores, or calls"),
            Step::Write(mutex, word) => write!(out, "writes {word:#x} to the word of M{}", mutex.0),
            Step::Event(event) => write!(out, "{event:?}"),
            Step::Reprioritise(thread, priority) => {
                write!(out, "T{} gets base priority {priority}", thread.0)
            }
        }
    }
}
