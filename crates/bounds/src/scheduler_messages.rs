//! The obstacles to bounds for threads below schedulers, as diagnostics.

use fusee_model::{System, Task, TaskId};

use crate::message::{Message, Places};
use crate::rules;
use crate::scheduler_reason::reasons;

/// Returns the message about a scheduler with unknown decisions in the way of a task.
pub(crate) fn decides(
    system: &System,
    start: &str,
    own: &Task,
    (task, places): (TaskId, Places<'_>),
) -> Message {
    let text = format!("{start}: `{}` decides who runs", system.task(task).name);
    let place = system.scheduler(task).and_then(|scheduler| scheduler.threads.first());
    let place = place.map_or(own.origin, |thread| thread.origin);
    let label = "a component decides when this thread runs".to_owned();
    let message = Message::new(&rules::SCHEDULER, text).place(places, place, label);
    reasons(system, task).into_iter().fold(message, Message::note)
}

/// Returns the message about a scheduler whose decisions have not been measured.
pub(crate) fn costs(system: &System, start: &str, task: TaskId, places: Places<'_>) -> Message {
    let task = system.task(task);
    let text = format!("{start}: what it costs that `{}` decides is unknown", task.name);
    Message::new(&rules::SCHEDULER, text)
        .place(places, task.origin, "a component decides who runs".to_owned())
        .note("without kernel costs there may be bounds: `fusee analyze`".to_owned())
}

/// Returns a thread that may use up its own time before its jobs are done.
pub(crate) fn used_up(system: &System, start: &str, task: TaskId, places: Places<'_>) -> Message {
    let own = system.task(task);
    let text = format!("{start}: `{}` may use up its own time in the middle of a job", own.name);
    let gifts = system.scheduler_of(task).map_or(&[][..], |own| &own.delegates);
    let given = gifts.iter().find(|gift| gift.to == task).map(|gift| gift.amount.origin);
    Message::new(&rules::SCHEDULER, text)
        .place(places, given.unwrap_or(own.origin), "all that it has in each period".to_owned())
        .note(
            "jobs of one period, and of as long as one takes before it, must need less; a thread \
             without timing, or without `wcet`, may need any"
                .to_owned(),
        )
}

/// Returns the message about a thread that a scheduler dispatches.
pub(crate) fn supplied(
    (system, task, places): (&System, TaskId, Places<'_>),
    text: String,
    label: &str,
) -> Message {
    let thread = system.scheduler_of(task).and_then(|own| {
        own.threads.iter().find(|thread| thread.value == task).map(|thread| thread.origin)
    });
    let place = thread.unwrap_or(system.task(task).origin);
    Message::new(&rules::SCHEDULER, text).place(places, place, label.to_owned())
}
