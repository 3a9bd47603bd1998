//! One task's deadline, asked for alone.
//!
//! A search asks thousands of times for the bound of one task. Where tasks meet only at gates,
//! a bound needs the bounds of no other task: then its own window is all that is worked out.
//! Elsewhere (events, budgets, schedulers, deadlines that decide, jobs that wait suspended) bounds
//! rest on each other, and the whole system is analyzed for one of them.

use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::{Policy, System, TaskId};

use crate::analyze::{analyze, costs_in};
use crate::bound::TaskBound;
use crate::by_priority;
use crate::context::Context;
use crate::limits;
use crate::obstacle::Obstacle;
use crate::task_bounds::{of_all, task_bound};

/// Returns `true` if a task's deadline is guaranteed, as [`analyze`] says of it in the whole
/// system.
pub fn fits(system: &System, derived: &Derived, costs: &CostTable, task: TaskId) -> bool {
    if !is_plain(system) {
        return analyze(system, derived, costs).tasks[task.index()].is_schedulable();
    }
    let costs = costs_in(system, derived, costs);
    if limits::exceeded(system, derived, &costs).is_some() {
        return system.task(task).release.is_none();
    }
    let contexts = Context::of_cores(system, derived, &costs);
    // What is known is not looked for: all others count as known, with a bound that nobody reads.
    let others = |context: &Context<'_>, id: TaskId| task_bound(context, id, Err(Obstacle::NoEnd));
    let mut known: Vec<Option<TaskBound>> =
        of_all(&contexts, others).into_iter().map(Some).collect();
    known[task.index()] = None;
    let ending = vec![None; system.tasks.len()];
    by_priority::bounds(&contexts, &ending, &known)[task.index()].is_schedulable()
}

/// Returns `true` if tasks meet only at gates, at which they stay on their cores, and priorities
/// decide everywhere: then no task's bound needs that of another one.
pub fn is_plain(system: &System) -> bool {
    let by_priority = |policy: Policy| policy == Policy::FixedPriority;
    system.schedulers.is_empty()
        && system.notifications.is_empty()
        && system.policies().into_iter().all(by_priority)
        && system.tasks.iter().all(|task| task.budget.is_none() && task.release_event().is_none())
        && system.gates.iter().all(|gate| !gate.protocol.value.suspends())
        && system.components.iter().all(|component| {
            component.trusted && component.code.locks.is_empty() && !component.dependencies
        })
}
