//! Threads that run callbacks of events.
//!
//! Each has a priority of its own, and nothing says how long a callback takes: so no task that is
//! no more urgent has a bound. Which components have callbacks only their code tells; a description
//! does where it gives one a priority, as `fusee run` does with those that it has found. Where
//! deadlines decide, callbacks run when no task wants to.

use fusee_model::{Policy, System};

use crate::bound::TaskBound;
use crate::obstacle::Obstacle;

/// Says of the tasks below callbacks why they have no bounds.
pub(crate) fn withdraw(system: &System, tasks: &mut [TaskBound]) {
    for (component, interface, level) in system.described_callbacks() {
        let below = tasks.iter_mut().filter(|task| {
            let policy = system.policy_on(system.task(task.task).core);
            policy == Policy::FixedPriority && system.level(task.task) <= level
        });
        below.for_each(|task| task.withdraw(Obstacle::Callback { component, interface }));
    }
}
