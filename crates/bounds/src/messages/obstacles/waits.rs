//! Waits for events in the middle of a job as diagnostics.

use fusee_model::{InterfaceKind, NotificationId, Step, TaskId};

use super::super::message::Message;
use super::Unbounded;
use crate::body::BodyRef;
use crate::rules;

/// Returns the message about a body that waits for an event for an unknown time.
pub(super) fn in_its_job(
    at: Unbounded<'_>,
    (task, body, event): (TaskId, BodyRef, NotificationId),
) -> Message {
    let known = at.system.notifications.get(event.index()).map_or("?", |event| event.name.as_str());
    let text = format!("`{}` waits for `{known}` in the middle of its job", at.name(task));
    let message = with_rivals(at, (task, event), waits_here(at, body, text));
    beginning(at, (task, body, event), message)
}

/// Returns the message about a task that may wait for longer than till its next release.
pub(super) fn too_long(at: Unbounded<'_>, task: TaskId, event: NotificationId) -> Message {
    let who = at.who(task);
    let event_name = &at.system.notifications[event.index()].name;
    let text = format!(
        "{who} waits for `{event_name}` in its job, and may not be done before its next release"
    );
    let body = BodyRef::Task(task);
    let message = with_rivals(at, (task, event), waits_here(at, body, text));
    // A task that waits for an answer would have to be two tasks.
    let steps = &at.system.task(task).body.steps;
    let mut before = steps.iter().take_while(|&step| *step != Step::Wait(event));
    match before.any(|step| matches!(step, Step::Emit(_) | Step::Invoke { .. })) {
        true => message,
        false => beginning(at, (task, body, event), message),
    }
}

/// Returns the message about a wait, at the list of calls that it is in.
fn waits_here(at: Unbounded<'_>, body: BodyRef, text: String) -> Message {
    let label = format!("`{}` waits here", body.name(at.system));
    at.message(&rules::WAITS, text, (body.calls_origin(at.system), &label))
}

/// Adds the other tasks that may take the event, and the way to exclude them.
fn with_rivals(
    at: Unbounded<'_>,
    (task, event): (TaskId, NotificationId),
    message: Message,
) -> Message {
    let waits = |&(id, _): &(TaskId, _)| id != task && at.system.awaited_by(id).contains(&event);
    match at.system.task_ids().find(waits) {
        Some((_, other)) => message.note(format!(
            "`{}` may take the event first: an event of its own for each who waits, or one \
             `inherited` gate in which all ask and wait, gives everybody its own answer",
            other.name
        )),
        None => message,
    }
}

/// Adds that each event for which a task waits in its own body could be the beginning of a job.
fn beginning(
    at: Unbounded<'_>,
    (task, body, event): (TaskId, BodyRef, NotificationId),
    message: Message,
) -> Message {
    let component = at.system.components.get(at.system.task(task).component.index());
    let interfaces = component.map_or(&[][..], |component| component.interfaces.as_slice());
    let consumes = InterfaceKind::Consumes(Some(event));
    match interfaces.iter().find(|of| of.kind == consumes && body == BodyRef::Task(task)) {
        Some(own) => message.note(format!(
            "`{}.arrival = \"event {}\";` makes each of these events the beginning of a job",
            at.name(task),
            own.name
        )),
        None => message,
    }
}
