//! Threads with time of their own, under `PriorityServers`.
//!
//! What such a thread has is filled up in each period of its scheduler's: it is a deferrable server
//! for one thread (Strosnider, Lehoczky and Sha 1995). It is released when something says so, as an
//! interrupt, and preempts less urgent threads of its scheduler at once, because its account has
//! budget and everybody with a say agrees. Whether that time lasts is the matter of the module
//! `own_budget`.
//!
//! # When it is noticed
//!
//! Who comes while another one runs whom it must not preempt is stopped, and its scheduler is told,
//! but not woken. If that other one is whom the scheduler has dispatched, it decides when that
//! waits. If it is a more urgent thread that came by itself, or one of another tree, the scheduler
//! has to look: after `look`, or when all is filled up.

use fusee_model::{Algorithm, Scheduler, System, TaskId};

use crate::servers::computes;

/// The time that a thread has of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OwnTime {
    pub(crate) every: u64,
    pub(crate) amount: u64,
}

impl OwnTime {
    /// Returns the own time of a task; none: it has none, or its scheduler gives it otherwise.
    pub(crate) fn of(system: &System, task: TaskId) -> Option<Self> {
        let own = system.scheduler_of(task)?;
        let every = own.every?.value.ns();
        let amount = system.account_limit(task).ns().min(every);
        let serves = own.algorithm == Algorithm::PriorityServers;
        // Who is given nothing runs on its scheduler's time, as threads of other schedulers do.
        (serves && amount > 0).then_some(Self { every, amount })
    }
}

/// Returns `true` if there is a theorem for a scheduler's threads with time of their own: it is the
/// root of its tree, they do nothing but compute and signal, and no other tree is as urgent. While
/// one of those runs, a thread that comes by itself overtakes all that wait behind that, more
/// urgent ones of its own scheduler as well.
pub(crate) fn is_known(system: &System, scheduler: &Scheduler) -> bool {
    let level = |root: &Scheduler| system.level(root.task);
    let as_urgent = |other: &Scheduler| other != scheduler && level(other) == level(scheduler);
    system.scheduler_of(scheduler.task).is_none()
        && !system.root_schedulers().any(as_urgent)
        && with_own_time(system, scheduler).all(|thread| computes(system, thread))
}

/// Returns a scheduler's threads that have time of their own.
pub(crate) fn with_own_time(
    system: &System,
    scheduler: &Scheduler,
) -> impl Iterator<Item = TaskId> {
    let threads = scheduler.threads.iter().map(|thread| thread.value);
    threads.filter(|&thread| OwnTime::of(system, thread).is_some())
}

/// Returns `true` if a thread preempts all less urgent ones of its scheduler whenever it is
/// released: no other that comes by itself is more urgent.
pub(crate) fn comes_at_once(system: &System, own: &Scheduler, task: TaskId) -> bool {
    let priority = |task: TaskId| system.task(task).priority.value;
    let mut others = with_own_time(system, own);
    OwnTime::of(system, task).is_some() && others.all(|other| priority(other) <= priority(task))
}

/// Returns the time for which such a thread may stay unnoticed, behind threads of other trees,
/// until all is filled up.
pub(crate) fn unnoticed(system: &System, own: &Scheduler) -> u64 {
    let level = system.level(own.task);
    // Only threads of another tree above this one keep a release from being noticed at once. The
    // next filling brings control to the scheduler at the latest.
    let behind = system.root_schedulers().any(|root| system.level(root.task) > level);
    if behind { own.every.map_or(u64::MAX, |every| every.value.ns()) } else { 0 }
}
