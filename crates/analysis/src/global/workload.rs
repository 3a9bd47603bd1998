//! How much a task can execute in a window.

use crate::Task;

/// Under EDF, of jobs due by the window's end: those inside, and one that reaches into it and
/// is complete `slack` before its deadline.
pub(super) fn due(task: &Task, window: u64, slack: u64) -> u64 {
    let inside = jobs_due(task, window);
    let before = window.saturating_sub(inside.saturating_mul(task.period)).saturating_sub(slack);
    inside.saturating_mul(task.wcet).saturating_add(task.wcet.min(before))
}

/// floor((L - D) / T) + 1, or 0: jobs with release and deadline in a window.
pub(super) fn jobs_due(task: &Task, window: u64) -> u64 {
    window.checked_sub(task.deadline).map_or(0, |rest| (rest / task.period).saturating_add(1))
}

/// With work carried in, each job complete `response` after its release: the densest packing.
pub(super) fn carried_in(task: &Task, window: u64, response: u64) -> u64 {
    // The first job runs at the end of its response time, the others as soon as they come.
    let reach = window.saturating_add(response.saturating_sub(task.wcet));
    let whole = reach / task.period;
    let rest = reach - whole * task.period;
    whole.saturating_mul(task.wcet).saturating_add(task.wcet.min(rest))
}

/// Without work carried in: jobs come from the window's start, each at once.
pub(super) fn fresh(task: &Task, window: u64) -> u64 {
    let whole = window / task.period;
    whole.saturating_mul(task.wcet).saturating_add(task.wcet.min(window % task.period))
}
