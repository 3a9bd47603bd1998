//! Bounds of threads that schedulers dispatch.
//!
//! What a thread has of the core, and who is in the way of it there, is told in the module `trees`.

use fusee_analysis::fixed_priority::window::Response;
use fusee_model::{Algorithm, Duration, ReleaseKind, Scheduler, Step, System, TaskId};

use crate::bound::{Bound, Theorem};
use crate::context::Context;
use crate::deadlines::Deadlines;
use crate::level::Level;
use crate::loans::{are_flat, loans};
use crate::obstacle::Obstacle;
use crate::own_budget::lasts;
use crate::own_time::{OwnTime, comes_at_once, unnoticed};
use crate::parts::{Found, parts};
use crate::scheduling::{deciding, look};
use crate::slots::supply;
use crate::split::Split;
use crate::supposed::Supposed;
use crate::trees::{self, borrowers, guests, has_carry_in, is_unknown, outside};

/// Returns the bound of a thread that a scheduler dispatches.
///
/// # Errors
/// Why it has none.
pub(crate) fn bound(
    context: &Context<'_>,
    id: TaskId,
    supposed: Supposed<'_>,
) -> Result<Bound, Obstacle> {
    let system = context.system;
    let Some(own) = system.scheduler_of(id) else { return Err(Obstacle::NoEnd) };
    let members = rivals(system, own, id)?;
    // Somebody's own code in the same table may take from the slots that this bound rests on.
    if let Some(other) = disturber(system, own) {
        return Err(Obstacle::Scheduler { task: other });
    }
    if OwnTime::of(system, id).is_some_and(|own| !lasts(context, (id, own), supposed)) {
        return Err(Obstacle::OwnTime { task: id });
    }
    let window = window(context, (id, &members), supposed)?;
    match own.algorithm {
        Algorithm::EarliestDeadline => by_deadline(context, window, (id, &members)),
        _ => in_order(context, &window, id),
    }
}

/// Returns a user's own code in the table that a scheduler has slots in: by that it may lose time
/// of them. The code may fund a thread whose time preempts that of others in their slots, and whose
/// release is not for the table to decide.
fn disturber(system: &System, own: &Scheduler) -> Option<TaskId> {
    system.scheduler_of(own.task)?;
    let mut guests = guests(system, own.task);
    guests.find(|other| is_unknown(system, other)).map(|other| other.task)
}

/// Those of a scheduler's threads that may go before one of them, and itself, in order.
///
/// # Errors
/// It is not known when the scheduler takes notice of one.
fn rivals(system: &System, own: &Scheduler, id: TaskId) -> Result<Vec<TaskId>, Obstacle> {
    let threads = own.threads.iter().map(|thread| thread.value);
    let priority = |task: TaskId| system.task(task).priority.value;
    if is_unknown(system, own) {
        return Err(Obstacle::Scheduler { task: own.task });
    }
    let mut rivals: Vec<TaskId> = match own.algorithm {
        Algorithm::Partitions => vec![id],
        Algorithm::FixedPriority | Algorithm::DeferrableServer | Algorithm::PriorityServers => {
            // Of equals whoever was ready first goes first, so all of them can.
            threads.filter(|&thread| priority(thread) >= priority(id)).collect()
        }
        Algorithm::Own | Algorithm::EarliestDeadline | Algorithm::RoundRobin => threads.collect(),
    };
    rivals.sort_unstable();
    let preempts = by_priority(own) || own.algorithm == Algorithm::EarliestDeadline;
    let is_seen = |task: TaskId| {
        is_clocked(system, task)
            || comes_at_once(system, own, task)
            || (by_priority(own) && is_by_event(system, task))
    };
    // In a slot of its own, or where all threads count in any order, it does not matter when one is
    // noticed. Where one must preempt another, it does.
    let unnoticed = rivals.iter().find(|&&task| preempts && !is_seen(task));
    match unnoticed {
        Some(&task) => Err(Obstacle::Unnoticed { task }),
        None => Ok(rivals),
    }
}

/// Returns `true` if a scheduler orders its threads by their priorities.
fn by_priority(own: &Scheduler) -> bool {
    matches!(
        own.algorithm,
        Algorithm::FixedPriority | Algorithm::DeferrableServer | Algorithm::PriorityServers
    )
}

/// Returns `true` if a clock releases a task, exactly.
fn is_clocked(system: &System, task: TaskId) -> bool {
    let release = system.task(task).release.as_ref();
    release.is_some_and(|release| {
        release.kind == ReleaseKind::Periodic && release.jitter.value.ns() == 0
    })
}

/// Returns `true` if nothing but an event says that a task is released.
fn is_by_event(system: &System, task: TaskId) -> bool {
    let release = system.task(task).release.as_ref();
    release.is_some_and(|release| {
        matches!(release.kind, ReleaseKind::Sporadic | ReleaseKind::Notification(_))
    })
}

/// Returns the time for which a scheduler may not know that one of its threads is ready: while it
/// has dispatched another it is not woken, and looks so long after it has decided that. A thread
/// with time of its own does not wait for that.
fn unseen(context: &Context<'_>, own: &Scheduler, task: TaskId) -> Option<u64> {
    let system = context.system;
    if !is_clocked(system, task) && comes_at_once(system, own, task) {
        return Some(unnoticed(system, own));
    }
    if !by_priority(own) || !is_by_event(system, task) {
        return Some(0);
    }
    let look = look(system, own);
    let Some(costs) = context.kernel.schedulers else { return Some(look) };
    look.checked_add(deciding(&costs, own)?)
}

/// Returns the window of a thread with those of its scheduler that may go before it.
fn window(
    context: &Context<'_>,
    (id, members): (TaskId, &[TaskId]),
    supposed: Supposed<'_>,
) -> Result<Level, Obstacle> {
    let supply = supply(context, id, supposed)?;
    let outside = outside(context, id);
    // Less urgent threads of its own tree may have kept those waiting that the tree does not yield
    // to.
    let kept = |task: TaskId| context.base(task) <= outside.level;
    let has_carry_in =
        |&task: &TaskId| !supply.is_full() || has_carry_in(context.system, task) || kept(task);
    let under_way: Vec<TaskId> = outside.members.iter().copied().filter(has_carry_in).collect();
    let mut all: Vec<TaskId> = members.iter().chain(&outside.members).copied().collect();
    all.sort_unstable();
    let Some(own) = context.system.scheduler_of(id) else { return Err(Obstacle::NoEnd) };
    let lent = borrowers(context, own, members);
    // Each slot anew, unless it is known for how many requests.
    let counts = !supply.is_full()
        && own.algorithm != Algorithm::EarliestDeadline
        && trees::holding_up(context, id).next().is_none()
        && are_flat(context, members)
        && are_flat(context, &lent);
    let mut below = outside.below.clone();
    if !counts {
        below.extend(&lent);
        below.sort_unstable();
    }
    let split = Split { members: all, below, under_way, supply, ..outside };
    let mut level = Level::between(context, &split, supposed)?;
    if counts {
        level.loans = loans(context, split.level, (&split.members, &lent))?;
    }
    let computes = |step: &Step| matches!(step, Step::Compute { .. });
    level.has_instants =
        members.iter().any(|&task| !context.system.task(task).body.steps.iter().all(computes));
    // A release that is noticed late is a release with jitter (Tindell, Burns and Wellings 1994).
    for member in level.members.iter_mut().filter(|member| members.contains(&member.task)) {
        let late = unseen(context, own, member.task);
        let jitter = late.and_then(|late| member.arrivals.jitter.checked_add(late));
        member.arrivals.jitter = jitter.ok_or(Obstacle::NoEnd)?;
    }
    Ok(level)
}

/// Returns the bound of a thread in whose windows all that come count.
fn in_order(context: &Context<'_>, window: &Level, id: TaskId) -> Result<Bound, Obstacle> {
    let response = window.response(id)?;
    let reach = window.reach(response.window).ok_or(Obstacle::NoEnd)?;
    let jobs = window.position(id).and_then(|own| window.jobs(own, response.job + 1, reach));
    let jobs = jobs.ok_or(Obstacle::NoEnd)?;
    let theorem = match (window.supply.is_full(), response.time <= context.arrivals(id).period) {
        (false, _) => Theorem::Supply,
        (true, true) => Theorem::ResponseTime,
        (true, false) => Theorem::BusyPeriod,
    };
    let found = Found::window(response, &jobs, theorem);
    let bound = parts(context, window, id, found).ok_or(Obstacle::NoEnd)?;
    // Not to be seen is to be released late.
    let own = window.members.iter().find(|member| member.task == id);
    let jitter = own.map_or(bound.jitter, |own| Duration(own.arrivals.jitter));
    Ok(Bound { jitter, ..bound })
}

/// Returns the bound of a thread that is served by deadline. Its scheduler counts deadlines from
/// the last release, so each job must be over before the next.
fn by_deadline(
    context: &Context<'_>,
    window: Level,
    (id, members): (TaskId, &[TaskId]),
) -> Result<Bound, Obstacle> {
    let theorem =
        if window.supply.is_full() { Theorem::ProcessorDemand } else { Theorem::DemandUnderSupply };
    let windows = Deadlines::among(context, window, members);
    let latest = windows.latest(members)?;
    let mut own = None;
    for (&task, latest) in members.iter().zip(latest) {
        let latest = latest.ok_or(Obstacle::NoEnd)?;
        // The scheduler counts the deadline of a late job from its next release, and so serves it
        // later than these windows say. One late thread spoils the order of all.
        if latest.response > context.arrivals(task).period {
            return Err(Obstacle::Disorder { task });
        }
        own = if task == id { Some(latest) } else { own };
    }
    let latest = own.ok_or(Obstacle::NoEnd)?;
    let place = latest.level.position(id).ok_or(Obstacle::NoEnd)?;
    let job = latest.jobs[place].saturating_sub(1);
    let found = Response { time: latest.response, job, window: latest.window };
    let found = Found::window(found, &latest.jobs, theorem);
    parts(context, latest.level, id, found).ok_or(Obstacle::NoEnd)
}
