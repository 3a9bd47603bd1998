//! The schedulers and their threads, as the kernel takes them.

use crate::machine::{Machine, ThreadRole};
use fusee_image_format::{AccountEntry, SchedulerEntry, TreeSystem};
use fusee_kernel::tcaps::{Principal, SchedulerConfig};
use fusee_kernel::{NEVER, SchedulerIndex, ThreadIndex};
use fusee_model::{Priority, System, TOP_PRIORITY, TaskId};

/// Returns a priority as a quality has it: there a lower number is better.
pub const fn opinion(priority: Priority) -> u64 {
    (TOP_PRIORITY - priority) as u64
}

/// Returns the accounts and schedulers of a machine; none where there are no schedulers.
pub(crate) fn of(system: &System, machine: &Machine) -> Option<TreeSystem> {
    let task = |role: &ThreadRole| match *role {
        ThreadRole::Task(task) => Some(task),
        ThreadRole::Callback { .. } | ThreadRole::Boot => None,
    };
    of_threads(system, machine.threads.iter().map(task))
}

/// Returns the accounts and schedulers where these are the threads, of which no task stands behind
/// some; none where there are no schedulers.
pub fn of_threads(
    system: &System,
    threads: impl Iterator<Item = Option<TaskId>>,
) -> Option<TreeSystem> {
    if system.schedulers.is_empty() {
        return None;
    }
    let order = parents_first(system);
    let place = |task: TaskId| {
        let found = order.iter().position(|&own| own == task);
        found.map_or(SchedulerIndex::NONE, |place| SchedulerIndex(place as u16))
    };
    let parent = |task: TaskId| {
        system.scheduler_of(task).map_or(SchedulerIndex::NONE, |above| place(above.task))
    };
    let schedulers = order.iter().enumerate().map(|(number, &task)| {
        // The kernel's own opinion is 0.
        let principal = Principal(number as u16 + 1);
        let thread = ThreadIndex(task.index() as u16);
        SchedulerEntry(SchedulerConfig { thread, principal, parent: parent(task) })
    });
    let accounts = threads.map(|task| match task {
        Some(task) => account(system, task, (parent(task), place(task))),
        None => AccountEntry {
            dispatched_by: SchedulerIndex::NONE,
            owner: SchedulerIndex::NONE,
            level: 0,
            priority: 0,
            limit: NEVER,
        },
    });
    Some(TreeSystem { accounts: accounts.collect(), schedulers: schedulers.collect() })
}

/// Returns a task's account, given its scheduler and which it is itself.
fn account(
    system: &System,
    task: TaskId,
    (dispatched_by, own): (SchedulerIndex, SchedulerIndex),
) -> AccountEntry {
    let limit = system.account_limit(task).ns().clamp(1, NEVER - 1);
    AccountEntry {
        dispatched_by,
        owner: if own.is_some() { own } else { dispatched_by },
        level: opinion(system.level(task)) as u8,
        // To a scheduler nobody's time is better than its own.
        priority: if own.is_some() { 0 } else { opinion(system.task(task).priority.value) },
        limit: if dispatched_by.is_some() { limit } else { NEVER },
    }
}

/// Returns all schedulers, those above others before them.
fn parents_first(system: &System) -> Vec<TaskId> {
    let mut order: Vec<TaskId> = system.schedulers.iter().map(|scheduler| scheduler.task).collect();
    order.sort_by_key(|&task| (system.schedulers_above(task).len(), task));
    order
}
