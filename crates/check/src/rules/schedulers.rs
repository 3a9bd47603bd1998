//! Tasks that dispatch others, and the time that they give them.

pub(crate) mod adds_up;
pub(crate) mod beside;
pub(crate) mod circle;
pub(crate) mod gives_no_time;
pub(crate) mod language;
pub(crate) mod never_funded;
pub(crate) mod no_deadline;
pub(crate) mod no_order;
pub(crate) mod no_server;
pub(crate) mod no_slot;
pub(crate) mod no_time_between;
pub(crate) mod nobody;
pub(crate) mod not_its_thread;
pub(crate) mod of_its_own;
pub(crate) mod principals;
pub(crate) mod waits;

use fusee_model::{Algorithm, Scheduler, System, TaskId};

/// Those that come with Fusee and choose among their threads.
pub(super) const CHOOSERS: [Algorithm; 5] = [
    Algorithm::DeferrableServer,
    Algorithm::EarliestDeadline,
    Algorithm::FixedPriority,
    Algorithm::PriorityServers,
    Algorithm::RoundRobin,
];

/// Those that decide so and have threads.
pub(super) fn deciding(system: &System, algorithm: Algorithm) -> impl Iterator<Item = &Scheduler> {
    system.schedulers.iter().filter(move |own| own.algorithm == algorithm)
}

/// Returns all schedulers and their threads, each once.
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

/// Returns `true` if the schedulers above one go round in a circle.
pub(super) fn is_in_circle(system: &System, scheduler: &Scheduler) -> bool {
    system.schedulers_above(scheduler.task).iter().any(|above| above.task == scheduler.task)
}
