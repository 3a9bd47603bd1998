//! Threads that run callbacks of events.
//!
//! Each has a priority of its own, and nothing says how long a callback takes: so no task that is
//! no more urgent has a bound; and if callbacks can signal an event of another core, nothing says
//! how often that one looks. Which components have callbacks only their code tells; a description
//! does where it gives one a priority, as `fusee run` does with those that it has found. Where
//! deadlines decide, callbacks run when no task wants to.

use fusee_model::{InterfaceKind, Policy, System};

use crate::bound::TaskBound;
use crate::kernel_cost::KernelCost;
use crate::obstacle::Obstacle;

/// Says of the tasks below callbacks why they have no bounds.
pub(crate) fn withdraw(system: &System, tasks: &mut [TaskBound]) {
    for (component, interface, level) in system.described_callbacks() {
        let below = tasks.iter_mut().filter(|task| {
            let policy = system.policy_on(system.task(task.task).core);
            // Of equals nobody knows who runs first, so they are kept waiting, too.
            policy == Policy::FixedPriority && system.level(task.task) <= level
        });
        below.for_each(|task| task.withdraw(Obstacle::Callback { component, interface }));
    }
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
