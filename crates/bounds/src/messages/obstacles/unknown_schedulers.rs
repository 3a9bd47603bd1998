//! The reasons for which there is no theorem for a scheduler's decisions.
//!
//! The bounds ask whether a scheduler is known (module `trees`); whoever reads the answer "no"
//! wants to know what to change. So each condition under which one is unknown has a sentence here,
//! and a scheduler for which none of them holds is one of a table two tables deep.

use fusee_model::{Algorithm, Scheduler, Step, System, TaskId};

use crate::own_time::with_own_time;
use crate::servers::computes;
use crate::trees::is_unknown;

/// Returns the reasons for which nothing is known of the threads of the scheduler `task`, and the
/// remedies, a sentence each.
pub(super) fn reasons(system: &System, task: TaskId) -> Vec<String> {
    let Some(scheduler) = system.scheduler(task) else { return Vec::new() };
    match is_unknown(system, scheduler) {
        true => unknown(system, scheduler),
        false => nested(system, scheduler),
    }
}

/// Returns the reasons for which a scheduler is unknown.
fn unknown(system: &System, scheduler: &Scheduler) -> Vec<String> {
    let name = &system.task(scheduler.task).name;
    // No condition could make somebody's own code known, so there is nothing more to tell of it.
    let Some(kind) = scheduler.algorithm.component() else {
        return vec![format!(
            "`{name}` decides by code of its own, and no analysis knows how; the schedulers that \
             come with Fusee have bounds"
        )];
    };
    let above = system.scheduler_of(scheduler.task).map(|above| {
        let above = &system.task(above.task).name;
        format!(
            "`{name}` is a `{kind}` below the scheduler `{above}`, for which there is no theorem: \
             take `{name}.scheduler` away, or use a `FixedPriority` there"
        )
    });
    above
        .into_iter()
        .chain(beside(system, scheduler, kind))
        .chain(busy(system, scheduler))
        .collect()
}

/// Another tree that is as urgent as a `PriorityServers`.
fn beside(system: &System, scheduler: &Scheduler, kind: &str) -> Option<String> {
    let level = |root: &Scheduler| system.level(root.task);
    let mut roots = system.root_schedulers().filter(|&other| other != scheduler);
    let beside = roots.find(|other| level(other) == level(scheduler));
    let beside = beside.filter(|_| scheduler.algorithm == Algorithm::PriorityServers)?;
    let (name, other) = (&system.task(scheduler.task).name, &system.task(beside.task).name);
    Some(format!(
        "`{name}` is a `{kind}`, and the scheduler `{other}` has the same priority: give them \
         different ones"
    ))
}

/// Threads that do more than a server's may.
fn busy(system: &System, scheduler: &Scheduler) -> Vec<String> {
    let (threads, kept): (Vec<TaskId>, _) = match scheduler.algorithm {
        Algorithm::PriorityServers => (
            with_own_time(system, scheduler).collect(),
            "has time of its own, with which it may only compute and signal: take it out of \
             `delegates`, or let it invoke and wait for nothing",
        ),
        _ => (
            scheduler.threads.iter().map(|thread| thread.value).collect(),
            "is below a `DeferrableServer`, where it may only compute and signal: use a \
             `FixedPriority`, or let it invoke and wait for nothing",
        ),
    };
    let more = threads.into_iter().filter(|&thread| !computes(system, thread));
    let told = more.map(|thread| {
        format!("`{}` {}, but {kept}", system.task(thread).name, does(system, thread))
    });
    told.collect()
}

/// Returns the first thing that a thread does besides to compute and to signal.
fn does(system: &System, thread: TaskId) -> String {
    let steps = &system.task(thread).body.steps;
    let more = steps.iter().find_map(|step| match *step {
        Step::Invoke { gate, .. } => Some(format!("invokes `{}`", system.gate(gate).name)),
        Step::Wait(event) => {
            Some(format!("waits for `{}`", system.notifications[event.index()].name))
        }
        Step::Compute { .. } | Step::Emit(_) => None,
    });
    more.unwrap_or_else(|| "is a scheduler".to_owned())
}

/// Returns the reasons for which the threads of a known scheduler have no bound: it is a table too
/// deep below others. (Where one above it is unknown, that one is the reason, and is asked about.)
fn nested(system: &System, scheduler: &Scheduler) -> Vec<String> {
    if system.scheduler_of(scheduler.task).is_none() {
        return Vec::new();
    }
    vec![format!(
        "`{}` is a table in a slot of a table that is itself in a slot, for which there is no \
         theorem: let one of the tables above it be another scheduler, or take it away",
        system.task(scheduler.task).name
    )]
}
