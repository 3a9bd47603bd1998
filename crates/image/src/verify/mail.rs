//! Events and semaphores that are signalled from other cores.

use super::Subject;
use super::finding::Findings;
use fusee_image_format::CoreSystem;
use fusee_kernel::cores::{MailboxConfig, PostLimit};
use fusee_kernel::{Capability, NotificationKind};
use fusee_model::derived::Derived;
use fusee_model::{ComponentId, LockKind, NotificationId, PostLimit as Described, System};
use std::collections::BTreeSet;

use crate::roles::NotificationRole;

/// Checks that an event's mailbox is on the core of the threads that wait for it, and keeps apart
/// what they do. Every event that a component of another core may signal has one, as far as a
/// description tells those components.
pub(super) fn describe(
    subject: &Subject<'_>,
    first: &CoreSystem,
    system: &System,
    findings: &mut Findings,
) {
    for mailbox in &first.mailboxes {
        check(subject, mailbox, findings);
    }
    for (index, event) in system.notifications.iter().enumerate() {
        let id = NotificationId::from(index);
        let core = |is: &dyn Fn(fusee_model::TaskId) -> bool| {
            let tasks = system.task_ids().filter(|(task, _)| is(*task));
            tasks.map(|(_, task)| task.core).collect::<Vec<_>>()
        };
        let waits = core(&|task| system.awaited_by(task).contains(&id));
        let Some(&owner) = waits.first() else { continue };
        let signals = core(&|task| system.emitted_by(task).contains(&id));
        let mut boxes = first.mailboxes.iter();
        let found = boxes.find(|mailbox| mailbox.notification.at() == index);
        if waits.iter().any(|&other| other != owner) {
            findings.differs(format!("tasks of several cores wait for event `{}`", event.name));
        }
        match found {
            Some(mailbox) if u32::from(mailbox.core) == owner => {}
            None if signals.iter().all(|&other| other == owner) => {}
            _ => findings.unsound(format!(
                "signals of event `{}` from other cores do not get to core {owner}",
                event.name
            )),
        }
    }
    describe_semaphores(subject, first, system, findings);
    describe_limits(first, system, findings);
}

/// No task may signal an event of another core more often than the description says.
fn describe_limits(first: &CoreSystem, system: &System, findings: &mut Findings) {
    for sender in &first.senders {
        let mailbox = first.mailboxes.get(sender.mailbox.at());
        let event = mailbox.map(|mailbox| mailbox.notification.at());
        let Some(event) = event.filter(|&event| event < system.notifications.len()) else {
            continue;
        };
        let mut tasks = system.task_ids().filter(|(_, task)| task.core == u32::from(sender.core));
        let Some((id, task)) = tasks.nth(sender.thread.at()) else { continue };
        let PostLimit { cost, credit, back } = sender.limit;
        let right = match system.post_limit(id, NotificationId::from(event)) {
            Described::Never => false,
            Described::Unknown => true,
            Described::Once(signals) => cost > 0 && back == 0 && credit / cost <= signals.into(),
            Described::Rate { signals, period, ahead } => {
                back <= signals
                    && cost >= period
                    && credit <= u64::from(signals).saturating_mul(ahead)
            }
        };
        if !right {
            findings.unsound(format!(
                "`{}` may signal event `{}` of another core more often than is described",
                task.name, system.notifications[event].name
            ));
        }
    }
}

/// A semaphore's mailbox is on the core for which the description says that it is, or on the only
/// one whose tasks get to it; a semaphore of the first core alone needs none.
fn describe_semaphores(
    subject: &Subject<'_>,
    first: &CoreSystem,
    system: &System,
    findings: &mut Findings,
) {
    let derived = Derived::of(system);
    for (index, component) in system.components.iter().enumerate() {
        let own = system.tasks.iter().filter(|task| task.component.index() == index);
        let mut cores: BTreeSet<u32> = own.map(|task| task.core).collect();
        let gates = system.gate_ids().filter(|(_, gate)| gate.component.index() == index);
        cores.extend(gates.flat_map(|(id, _)| derived.gate(id).cores.iter().copied()));
        let semaphores = component.code.locks.iter().filter(|lock| lock.kind != LockKind::Mutex);
        for (lock, number) in semaphores.zip(semaphores_of(subject, ComponentId::from(index))) {
            let only = cores.first().filter(|_| cores.len() == 1).copied();
            let owner = lock.core.map(|core| core.value).or(only);
            let mut boxes = first.mailboxes.iter();
            let found = boxes.find(|mailbox| mailbox.notification.at() == number);
            let right = match (found, owner) {
                (Some(mailbox), Some(owner)) => u32::from(mailbox.core) == owner,
                (None, Some(owner)) => owner == 0 && cores.len() == 1,
                (_, None) => cores.is_empty(),
            };
            if !right {
                findings.unsound(format!(
                    "posts of `{}` of `{}` do not get to the core that waits for it",
                    lock.name, component.name
                ));
            }
        }
    }
}

/// The numbers of a component's semaphores, in the order of its locks.
fn semaphores_of<'s>(
    subject: &'s Subject<'_>,
    id: ComponentId,
) -> impl Iterator<Item = usize> + use<'s> {
    let roles = subject.names.notification_roles.iter().enumerate();
    let own = roles.filter(move |(_, role)| {
        role.role == NotificationRole::Semaphore && role.component == Some(id.0)
    });
    own.map(|(number, _)| number)
}

fn check(subject: &Subject<'_>, mailbox: &MailboxConfig, findings: &mut Findings) {
    let number = mailbox.notification;
    let core = subject.cores.get(usize::from(mailbox.core));
    let Some(config) = core.and_then(|core| core.raw.notifications.get(number.at())) else {
        return findings.unsound(format!("there is no notification {}", number.0));
    };
    let counts = config.releases.is_some() || config.kind != NotificationKind::Merging;
    if counts != mailbox.counts {
        findings.unsound(format!("signals of notification {} are counted otherwise", number.0));
    }
    let waits = |capability: &Capability| *capability == Capability::Wait(number);
    for (other, tables) in subject.cores.iter().enumerate() {
        let released = tables.raw.notifications.get(number.at());
        let elsewhere = other != usize::from(mailbox.core);
        if elsewhere && released.is_none_or(|config| config.releases.is_some()) {
            findings.unsound(format!("notification {} releases a job on core {other}", number.0));
        }
    }
    let consumers = subject.tables.components.iter();
    if !consumers.flat_map(|component| &component.capabilities).any(waits) {
        findings.differs(format!("nobody may wait for notification {}", number.0));
    }
}
