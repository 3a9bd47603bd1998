//! The budgets of threads' own under `PriorityServers`, and if they last.
//!
//! The module `own_time` says what threads have of their own under `PriorityServers`.
//!
//! # As long as it lasts
//!
//! A thread whose time never ends in the middle of a job is one like others, but for the moment at
//! which that is noticed. Between two fillings it uses what its jobs execute then, and what was not
//! given back at the first one, since only what the scheduler has heard of is: what a job under way
//! had executed. Each job that is concerned has been released no longer before the first filling
//! than its response takes. So the time lasts if all jobs of a window as long as the period and the
//! response need less than it. As elsewhere that is supposed until the bounds confirm it.
//!
//! # Where it does not last
//!
//! Then nothing is known of the thread itself, but the others lose no more to it than to a task of
//! the period T that executes for its budget, Q, and may be T - Q late: the last Q of one period
//! and the first of the next follow each other. The number of its releases does not matter.

use fusee_model::TaskId;

use crate::context::Context;
use crate::member::{Member, jobs_within};
use crate::obstacle::Obstacle;
use crate::own_time::OwnTime;
use crate::scheduling::Scheduling;
use crate::servers::Server;
use crate::supposed::Supposed;
use crate::trees::outside;

/// Returns `true` if a thread's own time never ends in the middle of a job, if jobs are over as
/// supposed.
pub(crate) fn lasts(
    context: &Context<'_>,
    (task, own): (TaskId, OwnTime),
    supposed: Supposed<'_>,
) -> bool {
    let needed = || {
        let demand = context.demands.tasks[task.index()].ok()?;
        let each = demand.execution.plus(context.job_kernel(&demand)).0?;
        let response = supposed.responses[task.index()].ok()?;
        // A job under way at a filling was released no earlier than a response before it. What it
        // has used by then may not be given back yet, so it counts against this period too.
        let window = own.every.checked_add(response)?;
        let signalled = context.event_arrivals(supposed).of_task(task);
        let known = (context.arrivals(task), signalled.as_ref());
        let jobs = jobs_within(known, window)?.checked_mul(each)?;
        jobs.checked_add(charged(context, task, window)?)
    };
    // An amount that is only just enough may end before the last step of a job, so less must be
    // needed. Without a release nobody knows how much is asked for.
    context.system.task(task).release.is_some()
        && needed().is_some_and(|needed| needed < own.amount)
}

/// Returns the time that may be charged to a thread in a window besides its jobs: all that the
/// kernel does for others meanwhile, and the time of schedulers.
fn charged(context: &Context<'_>, task: TaskId, window: u64) -> Option<u64> {
    let scheduling = Scheduling::of(context, &outside(context, task)).ok()?;
    // The kernel takes its paths from the time of whoever runs, and that may be this thread each
    // time.
    let here = context.interrupts.iter().filter(|other| other.core == context.core);
    let interrupts = here.map(|other| Some((other.arrivals, other.cost.0?)));
    let decisions = scheduling.decisions.iter().map(|&decision| Some(decision));
    let once = context.kernel.longest_path.plus(scheduling.each).0;
    interrupts.chain(decisions).try_fold(once?, |sum, more| {
        let (arrivals, cost) = more?;
        sum.checked_add(arrivals.within(window)?.checked_mul(cost)?)
    })
}

/// Returns a thread whose own time may end before its jobs do, as a member of a window; none: it is
/// like others.
pub(crate) fn capped(
    context: &Context<'_>,
    task: TaskId,
    supposed: Supposed<'_>,
) -> Option<Result<Member, Obstacle>> {
    let own = OwnTime::of(context.system, task)?;
    if lasts(context, (task, own), supposed) {
        return None;
    }
    // For others a thread whose time may end is a server of its own, however often it is released.
    let server = Server { every: own.every, capacity: own.amount };
    // It ends late by a path of the kernel that is under way then.
    let late = context.kernel.longest_path.0.ok_or(Obstacle::NoEnd);
    Some(late.map(|late| Member::cut(task, server.taken(), late)))
}
