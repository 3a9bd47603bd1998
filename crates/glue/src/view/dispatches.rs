//! The facts about its threads that a scheduler's code needs.

use super::shape::{Dispatched, Dispatches, Slot};
use fusee_model::{ComponentId, ReleaseKind, Scheduler, System, TaskId};
use fusee_tables::{opinion, symbol};

/// Returns the threads that a component's thread dispatches, if it is a scheduler. On one core the
/// kernel's numbers of tasks' threads are the model's.
pub(crate) fn of_component(system: &System, id: ComponentId) -> Option<Dispatches> {
    let own = |scheduler: &&Scheduler| system.task(scheduler.task).component == id;
    let scheduler = system.schedulers.iter().find(own)?;
    let threads = scheduler.threads.iter().map(|thread| dispatched(system, thread.value));
    let slots = scheduler.delegates.iter().map(|gift| Slot {
        thread: gift.to.index(),
        priority: opinion(gift.priority),
        amount: gift.amount.value.ns(),
    });
    Some(Dispatches {
        own: scheduler.task.index(),
        threads: threads.collect(),
        slots: slots.collect(),
        period: scheduler.every.map_or(0, |every| every.value.ns()),
    })
}

fn dispatched(system: &System, id: TaskId) -> Dispatched {
    let task = system.task(id);
    let release = task.release.as_ref();
    let clocked = release.filter(|release| release.kind == ReleaseKind::Periodic);
    Dispatched {
        symbol: symbol::identifier(&task.name),
        number: id.index(),
        priority: opinion(task.priority.value),
        period: clocked.map_or(0, |release| release.period.value.ns()),
        first: clocked
            .map_or(0, |release| system.startup_time().ns().saturating_add(release.offset.ns())),
        deadline: task.deadline.map_or(0, |deadline| deadline.value.ns()),
    }
}
