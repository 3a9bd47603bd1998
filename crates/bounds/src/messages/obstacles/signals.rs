//! Signals from other cores that nothing limits, as diagnostics.

use fusee_model::{ComponentId, NotificationId, TaskId};

use super::super::message::Message;
use super::Unbounded;
use crate::rules;

/// Returns the message about signals of a task that nothing bounds by a period.
pub(super) fn by_task(at: Unbounded<'_>, task: TaskId, event: NotificationId) -> Message {
    let event = &at.system.notifications[event.index()];
    let task = at.system.task(task);
    let text = format!(
        "its core looks for signals of `{}`, and nothing bounds by a period when `{}` sends them",
        event.name, task.name
    );
    at.message(&rules::SIGNALS, text, (event.origin, "signalled from another core")).place(
        at.places,
        task.origin,
        "by this task".to_owned(),
    )
}

/// Returns the message about signals of callbacks whose number nobody says.
pub(super) fn by_callbacks(
    at: Unbounded<'_>,
    component: ComponentId,
    event: NotificationId,
) -> Message {
    let event = &at.system.notifications[event.index()];
    let component = at.system.component(component);
    let text = format!(
        "its core looks for signals of `{}`, and nothing says how often callbacks of `{}` send \
         them",
        event.name, component.name
    );
    at.message(&rules::SIGNALS, text, (event.origin, "signalled from another core"))
        .place(at.places, component.origin, "by callbacks of this component".to_owned())
        .note("a task that the event releases (`arrival`) says how often it signals")
}

/// Returns the message about costs that leave out what it takes to look for signals.
pub(super) fn look(at: Unbounded<'_>, event: NotificationId) -> Message {
    let event = &at.system.notifications[event.index()];
    let text = format!("what looking for signals of `{}` costs is unknown", event.name);
    at.message(&rules::PASSAGE, text, (event.origin, "signalled from another core"))
        .note("the table of costs lacks `look` of `[cores]`")
}

/// Returns the message about a semaphore that tasks of other cores post.
pub(super) fn posts(at: Unbounded<'_>, component: ComponentId, lock: usize) -> Message {
    let component = at.system.component(component);
    let lock = &component.code.locks[lock];
    let text = format!(
        "its core looks each time that another one posts `{}` of `{}`, and nobody says how often",
        lock.name, component.name
    );
    let place = lock.core.map_or(lock.origin, |core| core.origin);
    at.message(&rules::LOCK, text, (place, "for tasks of this core"))
        .note("without costs (`--platform sim`) looking takes no time")
        .note("an event that `calls` list (`emit`) says how often it comes")
}
