//! What several cores would use and only one can.
//!
//! Each core has its own copy of a gate that is made for one core, and of a notification:
//! two cores would go into the gate at once, and a signal on one would be lost to the other.

use crate::TablesError;
use fusee_model::derived::Derived;
use fusee_model::{Body, GateId, NotificationId, Origin, Overrun, ReleaseKind, Step, System, Task};
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
        system.tasks.iter().map(|task| (task.core, used(system, task))).collect();
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

/// The notifications that a task signals or waits for, wherever it gets, and what releases it.
fn used(system: &System, task: &Task) -> BTreeSet<NotificationId> {
    let mut used = BTreeSet::new();
    if let Some(ReleaseKind::Notification(id)) = task.release.as_ref().map(|release| release.kind) {
        used.insert(id);
    }
    if let Some(Overrun::Notify(id)) = task.budget.as_ref().map(|budget| budget.overrun) {
        used.insert(id);
    }
    let mut seen: BTreeSet<(GateId, usize)> = BTreeSet::new();
    let mut todo: Vec<&Body> = vec![&task.body];
    while let Some(body) = todo.pop() {
        for step in &body.steps {
            match *step {
                Step::Compute { .. } => {}
                Step::Emit(id) | Step::Wait(id) => drop(used.insert(id)),
                Step::Invoke { gate, method, .. } => {
                    let methods = system.gate(gate).methods.iter().enumerate();
                    let invoked = methods
                        .filter(|(index, _)| method.is_none_or(|wanted| wanted == *index))
                        .filter(|(index, _)| seen.insert((gate, *index)));
                    todo.extend(invoked.map(|(_, method)| &method.body));
                }
            }
        }
    }
    used
}
