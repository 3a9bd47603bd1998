//! Threads with time of their own, under `PriorityServers`.
//!
//! What such a thread has is filled up in each period of its scheduler's: it is a deferrable server
//! for one thread (Strosnider, Lehoczky and Sha 1995). It is released when something says so, as an
//! interrupt, and preempts less urgent threads of its scheduler at once, because its account has
//! budget and everybody with a say agrees.
//!
//! # As long as it lasts
//!
//! A thread whose time never ends in the middle of a job is one like others, but for the moment at
//! which it is noticed. Between two fillings it uses what its jobs execute then, and what was not
//! given back at the first one, since only what the scheduler has heard of is: what a job under way
//! had executed. Each job that is concerned has been released no longer before the first filling
//! than its response takes. So the time lasts if all jobs of a window as long as the period and the
//! response need less than it. As elsewhere that is supposed until the bounds confirm it.
//!
//! # Where it does not last
//!
//! Then nothing is known of the thread itself, but the others lose no more to it than to a task of
//! the period T that executes for what it has, Q, and may be T - Q late: the last Q of one period
//! and the first of the next follow each other. How often it is released does not matter.
//!
//! # When it is noticed
//!
//! Who comes while another one runs whom it must not preempt is stopped, and its scheduler is told,
//! but not woken. If that other one is whom the scheduler has dispatched, it decides when that
//! waits. If it is a more urgent thread that came by itself, or one of another tree, the scheduler
//! has to look: after `look`, or when all is filled up.

use fusee_model::{Algorithm, Scheduler, System, TaskId};

use crate::context::Context;
use crate::member::{Member, jobs_within};
use crate::obstacle::Obstacle;
use crate::servers::{Server, computes};
use crate::supposed::Supposed;

/// What a thread has of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OwnTime {
    pub(crate) every: u64,
    pub(crate) amount: u64,
}

impl OwnTime {
    /// That of a task; none: it has none, or its scheduler gives it otherwise.
    pub(crate) fn of(system: &System, task: TaskId) -> Option<Self> {
        let own = system.scheduler_of(task)?;
        let every = own.every?.value.ns();
        let amount = system.account_limit(task).ns().min(every);
        let serves = own.algorithm == Algorithm::PriorityServers;
        (serves && amount > 0).then_some(Self { every, amount })
    }

    /// Whether it never ends in the middle of a job, if jobs are over as supposed.
    pub(crate) fn lasts(self, context: &Context<'_>, task: TaskId, supposed: Supposed<'_>) -> bool {
        let needed = || {
            let demand = context.demands.tasks[task.index()].ok()?;
            let each = demand.execution.plus(context.job_kernel(&demand)).0?;
            let response = supposed.responses[task.index()].ok()?;
            let window = self.every.checked_add(response)?;
            let signalled = context.event_arrivals(supposed).of_task(task);
            let known = (context.arrivals(task), signalled.as_ref());
            jobs_within(known, window)?.checked_mul(each)
        };
        context.system.task(task).release.is_some()
            && needed().is_some_and(|needed| needed < self.amount)
    }
}

/// A thread whose own time may end before its jobs do, as a member of a window; none: it is like
/// others.
pub(crate) fn capped(
    context: &Context<'_>,
    task: TaskId,
    supposed: Supposed<'_>,
) -> Option<Result<Member, Obstacle>> {
    let own = OwnTime::of(context.system, task)?;
    if own.lasts(context, task, supposed) {
        return None;
    }
    if !context.kernel.is_free {
        return Some(Err(Obstacle::OwnTime { task }));
    }
    let server = Server { every: own.every, capacity: own.amount };
    Some(Ok(Member::cut(task, server.taken(), 0)))
}

/// Whether there is a theorem for a scheduler's threads with time of their own: it is the root of
/// its tree, they do nothing but compute and signal, and no other tree is as urgent. While one of
/// those runs, a thread that comes by itself overtakes whoever waits behind that, more urgent ones
/// of its own scheduler as well.
pub(crate) fn is_known(system: &System, scheduler: &Scheduler) -> bool {
    let level = |root: &Scheduler| system.level(root.task);
    let as_urgent = |other: &Scheduler| other != scheduler && level(other) == level(scheduler);
    system.scheduler_of(scheduler.task).is_none()
        && !system.root_schedulers().any(as_urgent)
        && with_own_time(system, scheduler).all(|thread| computes(system, thread))
}

/// A scheduler's threads that have time of their own.
fn with_own_time(system: &System, scheduler: &Scheduler) -> impl Iterator<Item = TaskId> {
    let threads = scheduler.threads.iter().map(|thread| thread.value);
    threads.filter(|&thread| OwnTime::of(system, thread).is_some())
}

/// Whether a thread preempts all less urgent ones of its scheduler whenever it is released: no
/// other that comes by itself is more urgent.
pub(crate) fn comes_at_once(system: &System, own: &Scheduler, task: TaskId) -> bool {
    let priority = |task: TaskId| system.task(task).priority.value;
    let mut others = with_own_time(system, own);
    OwnTime::of(system, task).is_some() && others.all(|other| priority(other) <= priority(task))
}

/// How long such a thread may stay unnoticed, behind threads of other trees, until all is filled
/// up.
pub(crate) fn unnoticed(system: &System, own: &Scheduler) -> u64 {
    let level = system.level(own.task);
    let behind = system.root_schedulers().any(|root| system.level(root.task) > level);
    if behind { own.every.map_or(u64::MAX, |every| every.value.ns()) } else { 0 }
}
