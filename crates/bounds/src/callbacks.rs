//! Threads that run callbacks of events.
//!
//! Each has a priority of its own, and nothing says how long a callback takes: so no task that is
//! no more urgent has a bound; and if callbacks can signal an event of another core, nothing says
//! how often that one looks. Which components have callbacks only their code tells; a description
//! does where it gives one a priority, as `fusee run` does with those that it has found. Where
//! deadlines decide, callbacks run when no task wants to. Inside of a gate that a callback can get
//! to it is as urgent as whoever waits there, and nobody who is no more urgent than that has a
//! bound.

use fusee_model::derived::Derived;
use fusee_model::{ComponentId, GateId, InterfaceKind, Policy, Priority, Protocol, System};

use crate::bound::TaskBound;
use crate::kernel_cost::KernelCost;
use crate::obstacle::Obstacle;

/// Says of the tasks below callbacks why they have no bounds.
pub(crate) fn withdraw(system: &System, derived: &Derived, tasks: &mut [TaskBound]) {
    for (component, interface, level) in system.described_callbacks() {
        let raised = raised((system, derived), component);
        let level = raised.map_or(level, |raised| raised.max(level));
        let below = tasks.iter_mut().filter(|task| {
            match system.policy_on(system.task(task.task).core) {
                // Of equals nobody knows who runs first, so they are kept waiting, too.
                Policy::FixedPriority => system.level(task.task) <= level,
                // Whoever waits for a callback there may be due at any time.
                Policy::EarliestDeadline => raised.is_some(),
            }
        });
        below.for_each(|task| task.withdraw(Obstacle::Callback { component, interface }));
    }
}

/// Returns the highest priority to which a callback of a component can be raised in a gate; `None`:
/// it gets to none that lets one thread in.
fn raised((system, derived): (&System, &Derived), component: ComponentId) -> Option<Priority> {
    let interfaces = system.component(component).interfaces.iter();
    let used = interfaces.filter_map(|interface| match interface.kind {
        InterfaceKind::Uses(gate) => gate,
        _ => None,
    });
    let reached = used.flat_map(|gate| derived.within(gate).into_iter().chain([gate]));
    let mutexes = system.gate_ids().map(|(gate, _)| gate);
    let mutexes = mutexes
        .filter(|&gate| system.mutex(gate).is_some() && system.gate(gate).component == component);
    let exclusive = reached.chain(mutexes).filter(|&gate| system.gate(gate).is_exclusive());
    exclusive.map(|gate| top((system, derived), gate)).max()
}

/// Returns the highest priority that a thread inside of a gate can have.
fn top((system, derived): (&System, &Derived), gate: GateId) -> Priority {
    let described = system.gate(gate);
    if described.is_global() || described.protocol.value == Protocol::NonPreemptive {
        return Priority::MAX;
    }
    let users = derived.gate(gate).tasks.iter().map(|&task| system.level(task));
    let given = described.given_ceiling.as_ref().map(|ceiling| ceiling.value);
    users.chain(given).max().unwrap_or(0)
}

/// Says of the tasks of cores that look for signals of others' callbacks why they have no bounds.
pub(crate) fn withdraw_for_signals(system: &System, kernel: &KernelCost, tasks: &mut [TaskBound]) {
    if kernel.is_free || system.cores() == 1 {
        return;
    }
    for (component, interface, _) in system.described_callbacks() {
        let interface = &system.component(component).interfaces[interface];
        let InterfaceKind::Consumes(Some(own)) = interface.kind else { continue };
        let runs = system.core_of_event(own);
        for event in system.signalled_by(component) {
            let looks = system.core_of_event(event);
            // A signal that stays on its core interrupts no other.
            if runs.is_some() && looks == runs {
                continue;
            }
            let concerned = tasks.iter_mut().filter(|task| {
                let core = system.task(task.task).core;
                looks.is_none_or(|looks| looks == core) && runs != Some(core)
            });
            concerned
                .for_each(|task| task.withdraw(Obstacle::CallbackSignals { component, event }));
        }
    }
}
