//! The bounds of all tasks, each found in the context of its core.

use fusee_model::{Duration, TaskId};

use crate::bound::{Bound, TaskBound};
use crate::context::Context;
use crate::obstacle::Obstacle;

/// Returns the result for each task in the context of its core.
pub(crate) fn of_all<'a>(
    contexts: &[Context<'a>],
    mut found: impl FnMut(&Context<'a>, TaskId) -> TaskBound,
) -> Vec<TaskBound> {
    let tasks = contexts[0].system.task_ids();
    tasks.map(|(id, task)| found(&contexts[task.core as usize], id)).collect()
}

/// Returns the result of a task whose bound has been found, or the reason why it has none.
pub(crate) fn task_bound(
    context: &Context<'_>,
    id: TaskId,
    bound: Result<Bound, Obstacle>,
) -> TaskBound {
    let task = context.system.task(id);
    let demand = context.demands.tasks[id.index()].ok();
    let kernel = demand.map(|d| context.job_kernel(&d));
    TaskBound {
        task: id,
        // Who has no deadline of its own must be done before its next release.
        deadline: task.release.as_ref().map(|r| task.deadline.unwrap_or(r.period).value),
        wcet: demand.and_then(|d| d.execution.0).map(Duration),
        job_kernel: kernel.and_then(|k| k.0).map(Duration),
        bound,
    }
}
