//! What several cores would use and only one can.
//!
//! Each core has its own copy of a gate that is made for one core, and of a notification:
//! two cores would go into the gate at once, and a signal on one would be lost to the other.

use crate::TablesError;
use fusee_model::derived::Derived;
use fusee_model::{NotificationId, Origin, System};
use std::collections::BTreeSet;

/// Refuses gates and notifications of one core that tasks of several use.
///
/// # Errors
/// [`TablesError::Shared`].
pub(crate) fn check(system: &System, derived: &Derived) -> Result<(), TablesError> {
    for (id, gate) in system.gate_ids() {
        if gate.is_exclusive() && !gate.is_global() {
            one(&gate.name, derived.gate(id).cores.iter().copied(), gate.origin)?;
        }
    }
    let used: Vec<(u32, BTreeSet<NotificationId>)> =
        system.task_ids().map(|(id, task)| (task.core, system.notifications_of(id))).collect();
    for (index, notification) in system.notifications.iter().enumerate() {
        let users = used.iter().filter(|(_, used)| used.contains(&NotificationId::from(index)));
        one(&notification.name, users.map(|&(core, _)| core), notification.origin)?;
    }
    Ok(())
}

/// Refuses what is used from more than one core.
fn one(
    name: &str,
    mut cores: impl Iterator<Item = u32>,
    origin: Origin,
) -> Result<(), TablesError> {
    let Some(first) = cores.next() else { return Ok(()) };
    match cores.find(|&core| core != first) {
        Some(second) => Err(TablesError::Shared { name: name.to_owned(), first, second, origin }),
        None => Ok(()),
    }
}

/// The cores whose tasks use a notification, in order.
pub(crate) fn users(system: &System, id: NotificationId) -> BTreeSet<u32> {
    let tasks = system.task_ids().filter(|(task, _)| system.notifications_of(*task).contains(&id));
    tasks.map(|(_, task)| task.core).collect()
}
