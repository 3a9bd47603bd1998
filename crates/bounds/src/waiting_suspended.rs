//! The tasks that wait suspended, with the gates and the numbers of waits.

use fusee_model::{GateId, TaskId};

use crate::context::Context;
use crate::held;

/// Returns the `mpcp` gates at which a task asks, with how often in one job.
pub(crate) fn asks<'c>(
    context: &'c Context<'_>,
    task: TaskId,
) -> impl Iterator<Item = (GateId, u64)> + 'c {
    let counts = context.reach.counts[task.index()].iter().map(|(&gate, &count)| (gate, count));
    counts.filter(|&(gate, count)| count > 0 && context.system.gate(gate).is_suspending())
}

/// Returns `true` if a task can be suspended in its job: at a gate, until an event comes, or until
/// one has come for which a task waits inside of a gate.
pub(crate) fn suspends(context: &Context<'_>, task: TaskId) -> bool {
    // A wait of unknown length is in none of these: a task with one has no bound, nor do those
    // below.
    asks(context, task).next().is_some()
        || !context.event_waits(task).is_empty()
        || held::gates(context, task).next().is_some()
}

/// Returns `true` if any task of the context's core can be suspended in its job.
pub(crate) fn on_core(context: &Context<'_>) -> bool {
    context.on_core(context.core).any(|task| suspends(context, task))
}

/// Returns the largest number of phases in which a job of a task is not suspended, but for those
/// that holders of gates begin which wait for events.
pub(crate) fn phases(context: &Context<'_>, task: TaskId) -> u64 {
    // The job begins with one phase, and each wait begins another one.
    let waits = context.event_waits(task).len() as u64;
    asks(context, task).fold(1 + waits, |sum, (_, count)| sum.saturating_add(count))
}
