//! Waits for events in the middle of a job as diagnostics.

use fusee_model::{InterfaceKind, NotificationId, Step, System, TaskId};

use crate::body::BodyRef;
use crate::message::{Message, Places};
use crate::rules;

/// Returns the message about a body that waits for an event for an unknown time.
pub(crate) fn waits_in_its_job(
    system: &System,
    start: &str,
    (via, body, event): (TaskId, BodyRef, NotificationId),
    places: Places<'_>,
) -> Message {
    let name = &system.task(via).name;
    let known = system.notifications.get(event.index()).map_or("?", |event| event.name.as_str());
    let text = format!("{start}: `{name}` waits for `{known}` in the middle of its job");
    let message = with_rivals(system, (via, event), waits_here(system, body, text, places));
    beginning(system, (via, body, event), message)
}

/// Returns a task that may wait for longer than till its next release.
pub(crate) fn waits_too_long(
    system: &System,
    (task, start): (TaskId, &str),
    (via, event): (TaskId, NotificationId),
    places: Places<'_>,
) -> Message {
    let name = &system.task(via).name;
    let who = if via == task { "it".to_owned() } else { format!("`{name}`") };
    let event_name = &system.notifications[event.index()].name;
    let text = format!(
        "{start}: {who} waits for `{event_name}` in its job, and may not be done before its next \
         release"
    );
    let body = BodyRef::Task(via);
    let message = with_rivals(system, (via, event), waits_here(system, body, text, places));
    // A task that waits for an answer would have to be two tasks.
    let mut before =
        system.task(via).body.steps.iter().take_while(|&step| *step != Step::Wait(event));
    match before.any(|step| matches!(step, Step::Emit(_) | Step::Invoke { .. })) {
        true => message,
        false => beginning(system, (via, body, event), message),
    }
}

/// Returns the message about a wait, at the list of calls that it is in.
fn waits_here(system: &System, body: BodyRef, text: String, places: Places<'_>) -> Message {
    let place = format!("`{}` waits here", body.name(system));
    Message::new(&rules::WAITS, text).place(places, body.calls_origin(system), place)
}

/// Adds the other tasks that may take the event, and the way to exclude them.
fn with_rivals(
    system: &System,
    (via, event): (TaskId, NotificationId),
    message: Message,
) -> Message {
    let waits = |&(id, _): &(TaskId, _)| id != via && system.awaited_by(id).contains(&event);
    match system.task_ids().find(waits) {
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
    system: &System,
    (task, body, event): (TaskId, BodyRef, NotificationId),
    message: Message,
) -> Message {
    let component = system.components.get(system.task(task).component.index());
    let interfaces = component.map_or(&[][..], |component| component.interfaces.as_slice());
    let consumes = InterfaceKind::Consumes(Some(event));
    match interfaces.iter().find(|of| of.kind == consumes && body == BodyRef::Task(task)) {
        Some(own) => message.note(format!(
            "`{}.arrival = \"event {}\";` makes each of these events the beginning of a job",
            system.task(task).name,
            own.name
        )),
        None => message,
    }
}
