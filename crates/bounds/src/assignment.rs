//! Audsley's priority assignment for whole systems.
//!
//! Levels are filled from the lowest: a task may stand there if it meets its
//! deadline with all tasks that are not yet placed above it. For independent tasks
//! that finds an order whenever there is one (Audsley 1991). Here blocking depends
//! on who stands below, so a found order is checked as a whole, and finding none
//! is no proof that there is none.

use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::priorities::reassign;
use fusee_model::{PrioritySource, System, TaskId};

use crate::analyze;

/// Gives the tasks whose priorities the description leaves out an order in which all deadlines
/// hold.
///
/// Returns the system with those priorities, or `None` when the search finds no such order.
pub fn assign_audsley(system: &System, costs: &CostTable) -> Option<System> {
    let mut open: Vec<TaskId> =
        system.task_ids().filter(|(_, task)| is_open(task)).map(|(id, _)| id).collect();
    // The longest deadlines are tried first, so that the order stays close to deadline-monotonic.
    open.sort_by_key(|&id| {
        (std::cmp::Reverse(system.task(id).deadline.map(|d| d.value)), std::cmp::Reverse(id))
    });
    let mut placed: Vec<TaskId> = Vec::new();
    while !open.is_empty() {
        // The first task that fits is taken: for independent tasks no other choice could do better.
        let position =
            (0..open.len()).find(|&position| stands(system, costs, &open, position, &placed))?;
        placed.insert(0, open.remove(position));
    }
    let mut assigned = system.clone();
    reassign(&mut assigned, &placed, PrioritySource::Audsley).ok()?;
    let holds = analyze(&assigned, &Derived::of(&assigned), costs).is_schedulable();
    holds.then_some(assigned)
}

fn is_open(task: &fusee_model::Task) -> bool {
    task.priority_source == PrioritySource::DeadlineMonotonic && task.release.is_some()
}

/// Returns `true` if a task meets its deadline below all other open tasks and above those that are
/// placed.
fn stands(
    system: &System,
    costs: &CostTable,
    open: &[TaskId],
    position: usize,
    placed: &[TaskId],
) -> bool {
    let candidate = open[position];
    let above = open.iter().rev().copied().filter(|&task| task != candidate);
    let order: Vec<TaskId> = above.chain([candidate]).chain(placed.iter().copied()).collect();
    let mut tried = system.clone();
    let fits = reassign(&mut tried, &order, PrioritySource::Audsley).is_ok();
    fits && analyze(&tried, &Derived::of(&tried), costs).tasks[candidate.index()].is_schedulable()
}
