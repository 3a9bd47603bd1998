//! Budgets that can end in a job as diagnostics.

use fusee_model::{Duration, GateId, TaskId};

use super::super::message::Message;
use super::Unbounded;
use crate::rules;

/// Returns the message about a budget that can end in a job, inside of a gate perhaps.
pub(super) fn suspended(at: Unbounded<'_>, task: TaskId, gate: Option<GateId>) -> Message {
    let described = at.system.task(task);
    let text = format!("the budget of `{}` can end in the middle of a job", described.name);
    let place = described.budget.as_ref().map_or(described.origin, |budget| budget.amount.origin);
    let message = at.message(&rules::SUSPENDED, text, (place, "this budget"));
    let message = match gate.map(|gate| at.system.gate(gate)) {
        Some(gate) => {
            message.place(at.places, gate.origin, format!("it can hold `{}` then", gate.name))
        }
        None => message,
    };
    // The length of the job belongs to the task without a bound, and says nothing of another's
    // budget.
    let job =
        at.bound.wcet.zip(at.bound.job_kernel).and_then(|(own, kernel)| own.checked_add(kernel));
    match (job.filter(|_| task == at.bound.task), &at.own().budget) {
        (Some(job), Some(budget)) => message.note(too_short(job, budget.amount.value)),
        _ => message,
    }
}

/// Returns a sentence about a budget that is not certain to last for a job.
fn too_short(job: Duration, budget: Duration) -> String {
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
