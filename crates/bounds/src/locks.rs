//! Mutexes and semaphores, of whose use a description says nothing.
//!
//! How often and how long a component's code holds a lock, only its code knows. Where one
//! thread alone comes to the component, nobody ever waits. Where several do, whoever
//! comes there may wait for unknown time, and the holder may run at the highest of
//! their priorities; so nobody at or below that priority has a bound. Tasks above all of
//! them are not concerned.

use fusee_model::derived::Derived;
use fusee_model::{ComponentId, InterfaceKind, Priority, System, TaskId};

use crate::obstacle::Obstacle;

/// For each core, the highest priority at which somebody may wait for a lock, and the reason.
pub(crate) fn worst(system: &System, derived: &Derived) -> Vec<(u32, Priority, Obstacle)> {
    let mut worst: Vec<(u32, Priority, Obstacle)> = Vec::new();
    for (index, component) in system.components.iter().enumerate().filter(|(_, c)| !c.code.locks.is_empty()) {
        let id = ComponentId::from(index);
        let users = users(system, derived, id);
        // Callbacks and interrupts have threads that the model does not show.
        let callbacks = component.interfaces.iter().filter(|i| matches!(i.kind, InterfaceKind::Consumes(Some(_))));
        if users.len() + callbacks.count() < 2 {
            continue;
        }
        for user in users {
            let task = system.task(user);
            let obstacle = Obstacle::Lock { component: id, lock: 0, user };
            match worst.iter_mut().find(|(core, _, _)| *core == task.core) {
                Some(known) if known.1 < task.priority.value => *known = (task.core, task.priority.value, obstacle),
                Some(_) => {}
                None => worst.push((task.core, task.priority.value, obstacle)),
            }
        }
    }
    worst
}

/// Tasks that run code of a component.
fn users(system: &System, derived: &Derived, id: ComponentId) -> Vec<TaskId> {
    let enters = |task: TaskId| derived.task(task).gates.iter().any(|&gate| system.gate(gate).component == id);
    let all = system.task_ids();
    all.filter(|(task, described)| described.component == id || enters(*task)).map(|(task, _)| task).collect()
}
