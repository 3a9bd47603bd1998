//! Execution times that are unknown, or too long, as diagnostics.

use fusee_model::{ComponentId, TaskId};

use super::super::message::Message;
use super::Unbounded;
use crate::body::BodyRef;
use crate::rules;

/// Returns the message about a body of unknown execution time that a task gets to.
pub(super) fn unknown(at: Unbounded<'_>, task: TaskId, body: BodyRef) -> Message {
    let text = format!("the execution time of `{}` is unknown", body.name(at.system));
    let place = (body.origin(at.system), "how long does this take?");
    at.by_way_of(task, at.message(&rules::UNKNOWN_TIME, text, place))
}

/// Returns the message about a callback of unknown execution time.
pub(super) fn callback(at: Unbounded<'_>, component: ComponentId, interface: usize) -> Message {
    let component = at.system.component(component);
    let event = &component.interfaces[interface].name;
    let text = format!(
        "nothing says how long a callback of `{}.{event}` runs, which is as urgent or more",
        component.name
    );
    at.message(&rules::UNKNOWN_TIME, text, (component.origin, "it has a callback"))
        .note(format!("let it run below all tasks: `{}.{event}_priority = 1`", component.name))
        .note(format!("or let a task of its own take the event: `arrival = \"event {event}\"`"))
}

/// Returns the message about a task that needs more than the processor has.
pub(super) fn overload(at: Unbounded<'_>) -> Message {
    let text = "it and those it yields to need more than the whole core".to_owned();
    at.at_own(&rules::OVERLOAD, text)
}

/// Returns the message about a busy window whose end was not found.
pub(super) fn no_end(at: Unbounded<'_>) -> Message {
    at.at_own(&rules::NO_END, "its busy window does not end in sight".to_owned()).note(
        "it and those above it need almost the whole core: longer periods or shorter jobs end it",
    )
}

/// Returns the message about more releases that wait than the kernel keeps.
pub(super) fn backlog(at: Unbounded<'_>, waiting: u64, most: u64) -> Message {
    let text = format!(
        "{waiting} of its releases can wait for the job before them, and the kernel keeps {most}"
    );
    at.at_own(&rules::NO_END, text)
        .note("the next release would be lost: a longer period or shorter jobs end it")
}
