//! Assigns the priorities that a description leaves out.
//!
//! Deadline-monotonic order: the shorter the deadline, the higher the priority,
//! and equal deadlines share one. It is optimal among fixed priorities for
//! independent tasks with deadlines no longer than their periods (Leung and
//! Whitehead 1982), and where it is not optimal it is still what people expect.
//!
//! The rule in full. Levels 253 down to 0 may be assigned, save those that some
//! other task was given; 254 stays CAmkES's default and 255 the top. Deadlines are taken from
//! the shortest on, each gets the highest level left below the one before it and below
//! every given priority of a task with a shorter deadline. Given priorities may be in the
//! way of that (a short deadline at priority 2): if levels run out, assignment starts over
//! without regard to them, in deadline order among the assigned tasks alone. More different
//! deadlines than levels are an error.
//!
//! Tasks on different cores are ordered together: priorities then mean the same
//! everywhere, which gates that several cores use need.

use crate::{Duration, Priority, PrioritySource, System, TaskId};
use std::collections::BTreeMap;

/// The highest priority that is assigned.
pub const HIGHEST_ASSIGNED: Priority = 253;

/// There are more different deadlines than free levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{levels} free priorities are not enough")]
pub struct NoLevelLeft {
    /// The first task for which no level was left.
    pub task: TaskId,
    /// The number of levels that could be assigned.
    pub levels: usize,
}

/// Gives every task with [`PrioritySource::DeadlineMonotonic`] its priority.
///
/// # Errors
/// [`NoLevelLeft`]; the system is then unchanged.
pub fn assign_deadline_monotonic(system: &mut System) -> Result<(), NoLevelLeft> {
    let mut classes: BTreeMap<Duration, Vec<TaskId>> = BTreeMap::new();
    for (id, task) in system.task_ids() {
        if let (PrioritySource::DeadlineMonotonic, Some(deadline)) =
            (task.priority_source, task.deadline)
        {
            classes.entry(deadline.value).or_default().push(id);
        }
    }
    let free = free_levels(system);
    let classes: Vec<(Duration, Vec<TaskId>)> = classes.into_iter().collect();
    let levels = match levels(system, &classes, &free) {
        Some(levels) => levels,
        None if classes.len() <= free.len() => free[..classes.len()].to_vec(),
        None => return Err(NoLevelLeft { task: classes[free.len()].1[0], levels: free.len() }),
    };
    for ((_, tasks), level) in classes.iter().zip(levels) {
        for task in tasks {
            system.tasks[task.index()].priority.value = level;
        }
    }
    Ok(())
}

/// Gives the listed tasks, the most urgent first, distinct free levels from [`HIGHEST_ASSIGNED`]
/// down.
///
/// This is the hook for assignments that need analysis, such as Audsley's: tasks that
/// are not listed keep their priorities.
///
/// # Errors
/// [`NoLevelLeft`]; the system is then unchanged.
pub fn reassign(
    system: &mut System,
    order: &[TaskId],
    source: PrioritySource,
) -> Result<(), NoLevelLeft> {
    let mut listed = vec![false; system.tasks.len()];
    order.iter().for_each(|task| listed[task.index()] = true);
    let mut taken = [false; 256];
    for (id, task) in system.task_ids().filter(|(id, _)| !listed[id.index()]) {
        debug_assert!(!listed[id.index()]);
        taken[usize::from(task.priority.value)] = true;
    }
    let free: Vec<Priority> =
        (0..=HIGHEST_ASSIGNED).rev().filter(|&level| !taken[usize::from(level)]).collect();
    if let Some(&task) = order.get(free.len()) {
        return Err(NoLevelLeft { task, levels: free.len() });
    }
    for (task, level) in order.iter().zip(free) {
        let task = &mut system.tasks[task.index()];
        task.priority.value = level;
        task.priority_source = source;
    }
    Ok(())
}

/// Levels that no task was given, the highest first.
fn free_levels(system: &System) -> Vec<Priority> {
    let mut taken = [false; 256];
    for task in
        system.tasks.iter().filter(|task| task.priority_source != PrioritySource::DeadlineMonotonic)
    {
        taken[usize::from(task.priority.value)] = true;
    }
    (0..=HIGHEST_ASSIGNED).rev().filter(|&level| !taken[usize::from(level)]).collect()
}

/// Returns a level for each class of deadlines, below given priorities of shorter ones; `None` if
/// they run out.
fn levels(
    system: &System,
    classes: &[(Duration, Vec<TaskId>)],
    free: &[Priority],
) -> Option<Vec<Priority>> {
    let mut given: Vec<(Duration, Priority)> = Vec::new();
    for task in &system.tasks {
        if let (PrioritySource::Given, Some(deadline)) = (task.priority_source, task.deadline) {
            given.push((deadline.value, task.priority.value));
        }
    }
    given.sort_unstable();
    let mut shorter = given.into_iter().peekable();
    let mut below = u16::from(HIGHEST_ASSIGNED) + 1;
    let mut free = free.iter().copied().peekable();
    let mut levels = Vec::with_capacity(classes.len());
    for (deadline, _) in classes {
        while let Some((_, priority)) = shorter.next_if(|(other, _)| other < deadline) {
            below = below.min(u16::from(priority));
        }
        while free.next_if(|&level| u16::from(level) >= below).is_some() {}
        levels.push(free.next()?);
    }
    Some(levels)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Body, ComponentId, Origin, Sourced, Task};

    fn sourced<T>(value: T) -> Sourced<T> {
        Sourced { value, origin: Origin::NONE }
    }

    fn task(deadline: u64, priority: Option<Priority>) -> Task {
        Task {
            name: format!("d{deadline}"),
            component: ComponentId(0),
            release: None,
            deadline: (deadline > 0).then(|| sourced(Duration(deadline))),
            priority: sourced(priority.unwrap_or(0)),
            priority_source: priority
                .map_or(PrioritySource::DeadlineMonotonic, |_| PrioritySource::Given),
            core: 0,
            budget: None,
            body: Body::default(),
            origin: Origin::NONE,
        }
    }

    fn assigned(tasks: Vec<Task>) -> Result<Vec<Priority>, NoLevelLeft> {
        let mut system = System { tasks, ..System::default() };
        assign_deadline_monotonic(&mut system)?;
        Ok(system.tasks.iter().map(|task| task.priority.value).collect())
    }

    #[test]
    fn shorter_deadlines_come_first_and_equal_ones_share() {
        let tasks = vec![task(30, None), task(10, None), task(20, None), task(10, None)];
        assert_eq!(assigned(tasks), Ok(vec![251, 253, 252, 253]));
    }

    #[test]
    fn given_levels_are_kept_clear_and_in_order() {
        let tasks = vec![
            task(5, None),
            task(10, Some(100)),
            task(20, None),
            task(30, None),
            task(40, Some(98)),
        ];
        assert_eq!(assigned(tasks), Ok(vec![253, 100, 99, 97, 98]));
        let untimed = vec![task(0, Some(253)), task(10, None)];
        assert_eq!(assigned(untimed), Ok(vec![253, 252]));
    }

    #[test]
    fn given_levels_in_the_way_are_passed_over() {
        let tasks = vec![task(1, Some(1)), task(10, None), task(20, None)];
        assert_eq!(assigned(tasks), Ok(vec![1, 253, 252]));
    }

    #[test]
    fn running_out_of_levels_is_an_error() {
        let many =
            |count: u64| (1..=count).map(|deadline| task(deadline, None)).collect::<Vec<_>>();
        let all = assigned(many(254)).unwrap();
        assert_eq!((all[0], all[253]), (253, 0));
        assert_eq!(assigned(many(255)), Err(NoLevelLeft { task: TaskId(254), levels: 254 }));
    }

    #[test]
    fn reassigning_gives_distinct_levels_in_order() {
        let tasks = vec![task(10, None), task(10, None), task(5, Some(252))];
        let mut system = System { tasks, ..System::default() };
        reassign(&mut system, &[TaskId(1), TaskId(0)], PrioritySource::Audsley).unwrap();
        let levels: Vec<Priority> = system.tasks.iter().map(|task| task.priority.value).collect();
        assert_eq!(levels, [251, 253, 252]);
        assert_eq!(system.tasks[0].priority_source, PrioritySource::Audsley);
        assert_eq!(system.tasks[2].priority_source, PrioritySource::Given);
    }
}
