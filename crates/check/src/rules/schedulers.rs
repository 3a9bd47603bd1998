//! Tasks that dispatch others, and the time that they give them.

pub(crate) mod adds_up;
pub(crate) mod beside;
pub(crate) mod circle;
pub(crate) mod never_funded;
pub(crate) mod not_its_thread;
pub(crate) mod of_its_own;
pub(crate) mod principals;
pub(crate) mod waits;

use fusee_model::{Scheduler, System, TaskId};

/// All schedulers and their threads, each once.
pub(super) fn of_trees(system: &System) -> Vec<TaskId> {
    let schedulers = system.schedulers.iter();
    let members = schedulers.flat_map(|scheduler| {
        let own = scheduler.threads.iter().map(|thread| thread.value);
        own.chain([scheduler.task])
    });
    let mut all: Vec<TaskId> = members.collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Whether the schedulers above one go round in a circle.
pub(super) fn is_in_circle(system: &System, scheduler: &Scheduler) -> bool {
    system.schedulers_above(scheduler.task).iter().any(|above| above.task == scheduler.task)
}
