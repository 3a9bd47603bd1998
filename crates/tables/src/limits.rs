//! The limits on each thread's signals of notifications of other cores.

use fusee_kernel::NotificationIndex;
use fusee_kernel::cores::{MailboxConfig, PostLimit, Sender};
use fusee_kernel::{MailboxIndex, ThreadIndex};
use fusee_model::{NotificationId, System, TaskId};

use crate::reach;

/// A thread that signals.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Who {
    /// A task's thread.
    Task(TaskId),
    /// The thread that sets components up.
    Boot,
    /// One that runs callbacks.
    Callback,
}

/// Returns the signals of other cores' mailboxes that threads may send, each thread with its core
/// and its number there.
pub(crate) fn senders(
    system: &System,
    (mailboxes, registrations): (&[MailboxConfig], &[NotificationIndex]),
    threads: impl Iterator<Item = (u32, usize, Who)>,
) -> Vec<Sender> {
    let mut found = Vec::new();
    for (core, thread, who) in threads {
        let others = mailboxes.iter().enumerate();
        let others = others.filter(|(_, mailbox)| u32::from(mailbox.core) != core);
        found.extend(others.map(|(number, mailbox)| Sender {
            core: core as u8,
            thread: ThreadIndex(thread as u16),
            mailbox: MailboxIndex(number as u16),
            limit: match registrations.contains(&mailbox.notification) {
                true => registration(system, who),
                false => limit(system, mailbox.notification, who),
            },
        }));
    }
    found.retain(|sender| sender.limit != PostLimit::NEVER);
    found
}

/// Returns the limit on signals of a notification by one of them.
fn limit(system: &System, notification: NotificationIndex, who: Who) -> PostLimit {
    let event = NotificationId::from(notification.at());
    let is_event = event.index() < system.notifications.len();
    match who {
        // Behind the events stand semaphores, of which no description says how often.
        _ if !is_event => PostLimit::FREE,
        Who::Callback => PostLimit::FREE,
        // For each component that can, and for the core that waits.
        Who::Boot => PostLimit::once(reach::emitters(system, event).len() as u32 + 1),
        Who::Task(task) => of_kernel(system.post_limit(task, event)),
    }
}

/// Returns the limit on notices of registered callbacks by one of them.
fn registration(system: &System, who: Who) -> PostLimit {
    match who {
        Who::Task(task) => of_kernel(system.registration_limit(task)),
        // Each component does when it is set up, now and then twice.
        Who::Boot => PostLimit::once(2),
        Who::Callback => PostLimit::FREE,
    }
}

/// Returns a limit as the kernel has it.
fn of_kernel(limit: fusee_model::PostLimit) -> PostLimit {
    match limit {
        fusee_model::PostLimit::Never => PostLimit::NEVER,
        fusee_model::PostLimit::Once(signals) => PostLimit::once(signals),
        fusee_model::PostLimit::Rate { signals, period, ahead } => {
            PostLimit::rate(signals, period, ahead)
        }
        fusee_model::PostLimit::Unknown => PostLimit::FREE,
    }
}

/// For each mailbox, for each of a core's threads: how often it may signal that.
pub(crate) fn dense(
    senders: &[Sender],
    core: usize,
    (mailboxes, threads): (usize, usize),
) -> Vec<PostLimit> {
    let mut all = vec![PostLimit::NEVER; mailboxes * threads];
    for sender in senders.iter().filter(|sender| usize::from(sender.core) == core) {
        all[sender.mailbox.at() * threads + sender.thread.at()] = sender.limit;
    }
    all
}
