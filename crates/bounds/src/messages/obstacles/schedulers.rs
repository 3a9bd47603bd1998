//! The obstacles to bounds for threads below schedulers, as diagnostics.

use fusee_model::TaskId;

use super::super::message::Message;
use super::Unbounded;
use super::unknown_schedulers::reasons;
use crate::rules;

/// Returns the message about a scheduler with unknown decisions in the way of a task.
pub(super) fn decides(at: Unbounded<'_>, task: TaskId) -> Message {
    let text = format!("`{}` decides who runs", at.name(task));
    let place = at.system.scheduler(task).and_then(|scheduler| scheduler.threads.first());
    let place = place.map_or(at.own().origin, |thread| thread.origin);
    let label = "a component decides when this thread runs";
    let message = at.message(&rules::SCHEDULER, text, (place, label));
    reasons(at.system, task).into_iter().fold(message, Message::note)
}

/// Returns the message about a scheduler whose decisions have not been measured.
pub(super) fn costs(at: Unbounded<'_>, task: TaskId) -> Message {
    let task = at.system.task(task);
    let text = format!("what it costs that `{}` decides is unknown", task.name);
    at.message(&rules::SCHEDULER, text, (task.origin, "a component decides who runs"))
        .note("without kernel costs there may be bounds: `fusee analyze`")
}

/// Returns the message about a thread that may use up its own time before its jobs are done.
pub(super) fn used_up(at: Unbounded<'_>, task: TaskId) -> Message {
    let own = at.system.task(task);
    let text = format!("`{}` may use up its own time in the middle of a job", own.name);
    let gifts = at.system.scheduler_of(task).map_or(&[][..], |own| &own.delegates);
    let given = gifts.iter().find(|gift| gift.to == task).map(|gift| gift.amount.origin);
    let place = (given.unwrap_or(own.origin), "all that it has in each period");
    at.message(&rules::SCHEDULER, text, place).note(
        "jobs of one period, and of as long as one takes before it, must need less; a thread \
         without timing, or without `wcet`, may need any",
    )
}

/// Returns the message about a thread whose scheduler does not see its releases.
pub(super) fn unnoticed(at: Unbounded<'_>, task: TaskId) -> Message {
    let text = format!("nobody knows when the scheduler of `{}` sees it", at.name(task));
    supplied(at, task, (text, "no clock alone releases this"))
}

/// Returns the message about a thread that may be late below a scheduler by deadlines.
pub(super) fn disorder(at: Unbounded<'_>, task: TaskId) -> Message {
    let text = format!("`{}` may not be done before its next release", at.name(task));
    supplied(at, task, (text, "its scheduler orders by the deadline after the last release"))
}

/// Returns the message about a thread to which its schedulers give no time for certain.
pub(super) fn no_supply(at: Unbounded<'_>, task: TaskId) -> Message {
    let text = format!("`{}` has no time for certain", at.name(task));
    supplied(at, task, (text, "no slot of this thread is left of those above it"))
}

/// Returns a message, with its text and label, about a thread that a scheduler dispatches.
fn supplied(at: Unbounded<'_>, task: TaskId, (text, label): (String, &str)) -> Message {
    let thread = at.system.scheduler_of(task).and_then(|own| {
        own.threads.iter().find(|thread| thread.value == task).map(|thread| thread.origin)
    });
    let place = thread.unwrap_or(at.system.task(task).origin);
    at.message(&rules::SCHEDULER, text, (place, label))
}
