//! Notifications that are signalled from other cores.
//!
//! A notification belongs to the core of those who wait for it. Where code of another core may
//! signal it, it has a mailbox; so it has where only code that sets up may, which runs on the first
//! core, and wherever the description is silent about what code does that could.

use crate::{Needs, Objects, TablesError, reach};
use fusee_kernel::NotificationKind;
use fusee_kernel::cores::MailboxConfig;
use fusee_model::derived::Derived;
use fusee_model::{ComponentId, InterfaceKind, NotificationId, System, TaskId};
use std::collections::BTreeSet;

/// The most gates between cores and mailboxes: a core that is told to look has a bit for each.
const MOST: usize = u64::BITS as usize;

/// The core to which a notification belongs: that of the tasks that wait for it or are released by
/// it; without any, that of the tasks in a component that consumes it, or the first.
pub(crate) fn owner(system: &System, needs: &Needs, id: NotificationId) -> u32 {
    let consumes = |&(component, interface): &(ComponentId, usize)| {
        system.component(component).interfaces[interface].kind == InterfaceKind::Consumes(Some(id))
    };
    // Callbacks run on the first core.
    if needs.callbacks.iter().any(consumes) {
        return 0;
    }
    let at_home = || {
        cores(system, |task| {
            let component = system.task(task).component;
            let interfaces = &system.component(component).interfaces;
            interfaces.iter().any(|one| one.kind == InterfaceKind::Consumes(Some(id)))
        })
    };
    system.core_of_event(id).or_else(|| at_home().first().copied()).unwrap_or(0)
}

/// The cores of tasks of a kind, in order.
pub(crate) fn cores(system: &System, is: impl Fn(TaskId) -> bool) -> BTreeSet<u32> {
    let tasks = system.task_ids().filter(|(task, _)| is(*task));
    tasks.map(|(_, task)| task.core).collect()
}

/// The mailboxes of a system whose cores have these objects.
///
/// # Errors
/// [`TablesError::Looks`].
pub(crate) fn mailboxes<'o>(
    system: &System,
    (derived, needs): (&Derived, &Needs),
    globals: usize,
    objects: impl Fn(u32) -> &'o Objects,
) -> Result<Vec<MailboxConfig>, TablesError> {
    let mut found = Vec::new();
    for id in (0..system.notifications.len()).map(NotificationId::from) {
        let core = owner(system, needs, id);
        if !is_signalled_elsewhere(system, derived, id, core) {
            continue;
        }
        let notification = crate::capabilities::notification_index(id);
        let config = &objects(core).notifications[id.index()];
        let counts = config.kind != NotificationKind::Merging || config.releases.is_some();
        found.push(MailboxConfig { core: core as u8, notification, counts });
    }
    match globals + found.len() {
        all if all > MOST => Err(TablesError::Looks(all)),
        _ => Ok(found),
    }
}

/// Whether code on another core than that of a notification may signal it.
fn is_signalled_elsewhere(
    system: &System,
    derived: &Derived,
    id: NotificationId,
    core: u32,
) -> bool {
    let described = cores(system, |task| system.emitted_by(task).contains(&id));
    let emitters = reach::emitters(system, id);
    let mut software =
        emitters.iter().filter(|(component, _)| !system.component(*component).hardware);
    let sets_up = core > 0;
    described.iter().any(|&other| other != core)
        || software.any(|&(component, _)| {
            sets_up || entering(system, derived, component).iter().any(|&other| other != core)
        })
}

/// The cores of tasks that run a component's code.
fn entering(system: &System, derived: &Derived, component: ComponentId) -> BTreeSet<u32> {
    let mut all = cores(system, |task| system.task(task).component == component);
    let gates = system.gate_ids().filter(|(_, gate)| gate.component == component);
    all.extend(gates.flat_map(|(id, _)| derived.gate(id).cores.iter().copied()));
    all
}
