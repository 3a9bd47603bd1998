//! The steps that are possible next.

use fusee_kernel::{Capability, Event, NEVER, OnFault, ThreadIndex};

use super::step::Step;
use super::systems::System;
use super::world::{Serviced, World};

/// All steps that may come next.
pub(super) fn steps<P: Serviced>(system: &System, world: &World<P>) -> Vec<Step> {
    let threads = 0..system.tables.threads.len() as u16;
    let mut steps: Vec<Step> =
        threads.map(|thread| Step::Event(Event::Release(ThreadIndex(thread), world.now))).collect();
    let given = system.priorities.iter();
    steps.extend(given.map(|&(thread, priority)| Step::Reprioritise(thread, priority)));
    let limit = world.store.cores[0].limit;
    if limit == NEVER && system.ages {
        steps.push(Step::Tick);
    }
    if limit != NEVER {
        // What limits who runs ends at once when it is due.
        let due = limit <= world.now;
        steps.push(if due { Step::Event(Event::Timer) } else { Step::Tick });
    }
    if let Some(running) = world.store.running() {
        steps.extend(own(system, world, running).into_iter().map(Step::Event));
    }
    steps
}

/// Returns the events that the running thread may cause.
fn own<P: Serviced>(system: &System, world: &World<P>, running: usize) -> Vec<Event> {
    if world.is_stale(running) {
        return vec![Event::Abort];
    }
    if world.is_unrestored(running) {
        return vec![Event::Restored];
    }
    let component = &system.tables.components[world.component_of(running)];
    let mut events = vec![Event::Return, Event::Complete];
    if component.on_fault != OnFault::Continue || system.faults {
        events.push(Event::Fault);
    }
    for (slot, capability) in component.capabilities.iter().enumerate() {
        let slot = slot as u16;
        match capability {
            Capability::Gate(_) => events.push(Event::Invoke(slot)),
            Capability::Thread(..) => events.extend([Event::Depend(slot), Event::Wake(slot)]),
            _ => {}
        }
    }
    events
}
