//! Budgets that can end in a job as diagnostics.

use fusee_model::{Duration, System, TaskId};

use crate::message::{Message, Places};
use crate::rules;

/// Returns a sentence about a budget that is not certain to last for a job.
pub(crate) fn too_short(job: Duration, budget: Duration) -> String {
    if job >= budget {
        return format!(
            "one job takes {job}; the budget must be more than that, by the kernel's interrupts in \
             between at least"
        );
    }
    format!(
        "one job takes {job}, but with interrupts may take the whole budget, or it may not be over \
         before the next release and take from the budget of the next job"
    )
}

/// Returns a budget that can end in a job, inside of a gate perhaps.
pub(crate) fn suspended(
    system: &System,
    via: TaskId,
    gate: Option<usize>,
    start: &str,
    places: Places<'_>,
) -> Message {
    let task = system.task(via);
    let text = format!("{start}: the budget of `{}` can end in the middle of a job", task.name);
    let place = task.budget.as_ref().map_or(task.origin, |b| b.amount.origin);
    let message =
        Message::new(&rules::SUSPENDED, text).place(places, place, "this budget".to_owned());
    match gate.and_then(|g| system.gates.get(g)) {
        Some(gate) => {
            message.place(places, gate.origin, format!("it can hold `{}` then", gate.name))
        }
        None => message,
    }
}
