//! The objects that several cores would use and only one can.
//!
//! Each core has its own copy of a gate that is made for one core, and of a notification:
//! two cores would go into the gate at once, and who waits on one would not hear of a signal for
//! who waits on the other. And threads sleep on the account of threads of their own core.

use crate::{TablesError, mail, rows};
use fusee_model::derived::Derived;
use fusee_model::{NotificationId, Origin, System};

/// Refuses gates of one core that tasks of several use, notifications that several wait for, and
/// components that would let threads of several sleep.
///
/// # Errors
/// [`TablesError::Shared`].
pub(crate) fn check(system: &System, derived: &Derived) -> Result<(), TablesError> {
    for (id, gate) in system.gate_ids() {
        if gate.is_exclusive() && !gate.is_global() {
            one(&gate.name, derived.gate(id).cores.iter().copied(), gate.origin)?;
        }
    }
    for id in system.lock_services() {
        let component = system.component(id);
        let cores = rows::comers((system, derived), id).map(|task| system.task(task).core);
        one(&component.name, cores, component.origin)?;
    }
    for (index, notification) in system.notifications.iter().enumerate() {
        let id = NotificationId::from(index);
        let (origin, name) = (notification.origin, &notification.name);
        let mut users = mail::cores(system, |task| system.awaited_by(task).contains(&id));
        one(name, users.iter().copied(), origin)?;
        // The end of a budget signals on its own core.
        users.extend(mail::cores(system, |task| system.noticed_by(task) == Some(id)));
        one(name, users.into_iter(), origin)?;
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
