//! Threads that run callbacks of events.
//!
//! Each has a priority of its own, and nothing says how long a callback takes: so no task that is
//! no more urgent has a bound. Which components have callbacks only their code tells; a description
//! does where it gives one a priority, as `fusee run` does with those that it has found. Where
//! deadlines decide, callbacks run when no task wants to.

use fusee_model::{InterfaceKind, Policy, System};

use crate::bound::TaskBound;
use crate::obstacle::Obstacle;

/// Says of the tasks below callbacks why they have no bounds.
pub(crate) fn withdraw(system: &System, tasks: &mut [TaskBound]) {
    for (component, event, level) in system.described_callbacks() {
        let mut interfaces = system.component(component).interfaces.iter();
        let is_it = |of: &fusee_model::Interface| {
            of.name == event && matches!(of.kind, InterfaceKind::Consumes(_))
        };
        let Some(interface) = interfaces.position(is_it) else { continue };
        let obstacle = Obstacle::Callback { component, interface };
        let below = tasks.iter_mut().filter(|task| {
            let by_priority =
                system.policy_on(system.task(task.task).core) == Policy::FixedPriority;
            let has_bound = !matches!(task.bound, Err(known) if known != Obstacle::NoEnd);
            by_priority && has_bound && system.level(task.task) <= level
        });
        below.for_each(|task| task.bound = Err(obstacle));
    }
}
