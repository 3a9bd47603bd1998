//! What a scheduler's code knows of its threads.

use super::shape::{Dispatched, Dispatches, Slot};
use fusee_model::{ComponentId, Scheduler, System, TaskId};
use fusee_tables::{opinion, symbol};

/// What a component's thread dispatches, if it is a scheduler. On one core the kernel's numbers of
/// tasks' threads are the model's.
pub(crate) fn of_component(system: &System, id: ComponentId) -> Option<Dispatches> {
    let own = |scheduler: &&Scheduler| system.task(scheduler.task).component == id;
    let scheduler = system.schedulers.iter().find(own)?;
    let name = |task: TaskId| symbol::identifier(&system.task(task).name);
    let threads = scheduler
        .threads
        .iter()
        .map(|thread| Dispatched { symbol: name(thread.value), number: thread.value.index() });
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
