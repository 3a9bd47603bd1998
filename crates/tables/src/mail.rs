//! Notifications that are signalled from other cores.
//!
//! A notification belongs to the core of those who wait for it. Where code of another core may
//! signal it, it has a mailbox; so it has where only code that sets up may, which runs on the first
//! core, and wherever the description is silent about what code does that could. So do semaphores,
//! of whose use a description says nothing else than for which core they are.

use crate::{Objects, TablesError, reach};
use fusee_kernel::cores::MailboxConfig;
use fusee_kernel::{NotificationIndex, NotificationKind};
use fusee_model::derived::Derived;
use fusee_model::{ComponentId, InterfaceKind, NotificationId, System, TaskId};
use std::collections::BTreeSet;

/// The most gates between cores, mailboxes and restarts: a core that is told to look has a bit for
/// each.
const MOST: usize = u64::BITS as usize;

/// Returns the core to which a notification belongs: that of the tasks that wait for it or are
/// released by it; without any, that of the tasks in a component that consumes it, or of those that
/// enter it, or the first.
pub(crate) fn owner(system: &System, derived: &Derived, id: NotificationId) -> u32 {
    let consumes = |component: &ComponentId| {
        let interfaces = &system.component(*component).interfaces;
        interfaces.iter().any(|one| one.kind == InterfaceKind::Consumes(Some(id)))
    };
    let at_home = || cores(system, |task| consumes(&system.task(task).component));
    let entered = || {
        let consumers = (0..system.components.len()).map(ComponentId::from).filter(consumes);
        consumers.flat_map(|component| entering(system, derived, component)).min()
    };
    let awaited = system.core_of_event(id).or_else(|| at_home().first().copied());
    awaited.or_else(entered).unwrap_or(0)
}

/// Returns the core that runs a consumed interface's callbacks: its event's, or the first.
pub(crate) fn of_callback(
    system: &System,
    derived: &Derived,
    (component, interface): (ComponentId, usize),
) -> u32 {
    match system.component(component).interfaces[interface].kind {
        InterfaceKind::Consumes(Some(event)) => owner(system, derived, event),
        _ => 0,
    }
}

/// Returns the core whose tasks wait for a semaphore: the one that is said, or the only one whose
/// tasks or callbacks get to it.
///
/// # Errors
/// [`TablesError::Shared`] where several do and nothing is said; [`TablesError::NobodyWaits`] where
/// what is said is another one.
pub(crate) fn of_semaphore(
    system: &System,
    derived: &Derived,
    (component, lock): (ComponentId, usize),
) -> Result<u32, TablesError> {
    let described = system.component(component);
    let lock = &described.code.locks[lock];
    let users = running(system, derived, component);
    let name = || format!("{}.{}", described.name, lock.name);
    let mut all = users.iter().copied();
    match (lock.core, all.next(), all.next()) {
        (Some(said), Some(_), _) if !users.contains(&said.value) => {
            let (core, origin) = (said.value, said.origin);
            Err(TablesError::NobodyWaits { name: name(), core, origin })
        }
        (None, Some(first), Some(second)) => {
            Err(TablesError::Shared { name: name(), first, second, origin: lock.origin })
        }
        (Some(said), Some(_), _) => Ok(said.value),
        (_, only, _) => Ok(only.unwrap_or(0)),
    }
}

/// The cores of tasks of a kind, in order.
pub(crate) fn cores(system: &System, is: impl Fn(TaskId) -> bool) -> BTreeSet<u32> {
    let tasks = system.task_ids().filter(|(task, _)| is(*task));
    tasks.map(|(_, task)| task.core).collect()
}

/// The notifications of one core.
pub(crate) struct Own<'o> {
    pub(crate) objects: &'o Objects,
    /// The events that the boot thread signals.
    pub(crate) set_up: &'o [NotificationIndex],
    /// Those that code of any core may signal and that no event stands behind, with their cores:
    /// that a callback was registered, and semaphores.
    pub(crate) others: &'o [(NotificationIndex, u32)],
}

/// Returns the mailboxes of a system whose cores have these.
pub(crate) fn mailboxes(
    system: &System,
    derived: &Derived,
    cores: &[Own<'_>],
) -> Vec<MailboxConfig> {
    let mut found = Vec::new();
    for id in (0..system.notifications.len()).map(NotificationId::from) {
        let core = owner(system, derived, id);
        let notification = crate::capabilities::notification_index(id);
        let boots = core > 0 && cores[0].set_up.contains(&notification);
        if !boots && !is_signalled_elsewhere(system, derived, id, core) {
            continue;
        }
        found.push(mailbox(cores, notification, core));
    }
    let others = cores[0].others.iter();
    found.extend(others.map(|&(notification, core)| mailbox(cores, notification, core)));
    found
}

fn mailbox(cores: &[Own<'_>], notification: NotificationIndex, core: u32) -> MailboxConfig {
    let config = &cores[core as usize].objects.notifications[notification.at()];
    let counts = config.kind != NotificationKind::Merging || config.releases.is_some();
    MailboxConfig { core: core as u8, notification, counts }
}

/// Refuses more than a core can be told to look at.
///
/// # Errors
/// [`TablesError::Looks`].
pub(crate) fn check_looks(all: usize) -> Result<(), TablesError> {
    if all > MOST { Err(TablesError::Looks(all)) } else { Ok(()) }
}

/// Returns `true` if code on another core than that of a notification may signal it.
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

/// Returns the cores of tasks that run a component's code, in order.
pub(crate) fn entering(
    system: &System,
    derived: &Derived,
    component: ComponentId,
) -> BTreeSet<u32> {
    let mut all = cores(system, |task| system.task(task).component == component);
    let gates = system.gate_ids().filter(|(_, gate)| gate.component == component);
    all.extend(gates.flat_map(|(id, _)| derived.gate(id).cores.iter().copied()));
    all
}

/// The same, and those that run its callbacks.
pub(crate) fn running(system: &System, derived: &Derived, component: ComponentId) -> BTreeSet<u32> {
    let mut all = entering(system, derived, component);
    let interfaces = system.component(component).interfaces.iter().enumerate();
    let consumed = interfaces.filter(|(_, one)| matches!(one.kind, InterfaceKind::Consumes(_)));
    all.extend(consumed.map(|(at, _)| of_callback(system, derived, (component, at))));
    all
}
