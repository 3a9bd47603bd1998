//! Which tasks signal events of other cores.

use fusee_model::{NotificationId, System, TaskId};

/// A task that signals an event of another core.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Signal {
    pub(crate) emitter: TaskId,
    pub(crate) event: NotificationId,
    /// The core that looks.
    pub(crate) core: u32,
}

/// All of a system. Nobody has to wait for an event: then any other core may be its own.
pub(crate) fn all(system: &System) -> Vec<Signal> {
    let mut found = Vec::new();
    if system.cores() == 1 {
        return found;
    }
    // A library's caller may name an event that the system has not: it brings nothing.
    let is_there = |event: &NotificationId| event.index() < system.notifications.len();
    for (emitter, task) in system.task_ids() {
        for event in system.emitted_by(emitter).into_iter().filter(is_there) {
            let owner = system.core_of_event(event);
            let others = (0..system.cores())
                .filter(|&core| core != task.core && owner.is_none_or(|owner| owner == core));
            found.extend(others.map(|core| Signal { emitter, event, core }));
        }
    }
    found
}
