//! The tasks that may signal events of other cores.

use fusee_model::{NotificationId, System, TaskId};

/// A task that may signal an event of another core.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Signal {
    pub(crate) emitter: TaskId,
    pub(crate) event: NotificationId,
    /// The core that looks.
    pub(crate) core: u32,
}

/// Returns all signals of a system. A task need not wait for an event: then any other core may be
/// its own.
pub(crate) fn all(system: &System) -> Vec<Signal> {
    let mut found = Vec::new();
    if system.cores() == 1 {
        return found;
    }
    let owners = owners(system);
    for (emitter, task) in system.task_ids() {
        for event in system.posted_by(emitter) {
            // A library's caller may name an event that the system has not: it brings nothing.
            let Some(&owner) = owners.get(event.index()) else { continue };
            let others = (0..system.cores())
                .filter(|&core| core != task.core && owner.is_none_or(|owner| owner == core));
            found.extend(others.map(|core| Signal { emitter, event, core }));
        }
    }
    found
}

/// By event, the core to which it belongs ([`System::core_of_event`]), of all at once.
fn owners(system: &System) -> Vec<Option<u32>> {
    let mut owners = vec![None; system.notifications.len()];
    for (id, task) in system.task_ids() {
        for event in system.awaited_by(id) {
            if let Some(owner) = owners.get_mut(event.index()) {
                *owner = Some(owner.map_or(task.core, |core: u32| core.min(task.core)));
            }
        }
    }
    owners
}
