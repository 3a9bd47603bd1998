//! Bounds under earliest deadline.
//!
//! A core has them all, or none, because the latest deadline met decides for each; tasks without
//! deadline yield to everybody. Where jobs wait for events each task has the smaller of two bounds:
//! one for which waits are as if they executed, and one for which they are not.

use fusee_analysis::fixed_priority::window::Response;
use fusee_model::{Duration, Policy, Priority, TaskId};

use crate::bound::{Bound, EventPart, TaskBound, Theorem};
use crate::context::Context;
use crate::deadlines::{Deadlines, Latest};
use crate::deadlines_apart;
use crate::level::Level;
use crate::limits;
use crate::locks;
use crate::mixes;
use crate::obstacle::Obstacle;
use crate::parts::{Found, parts};
use crate::supposed::{Ending, Supposed};
use crate::supposition::{confirmed, least};
use crate::task_bounds::task_bound;

/// Returns the bound of each task of cores on which deadlines decide, with the budgets that may
/// end. Where jobs wait for events the responses of others are supposed, as under fixed priorities.
pub(crate) fn bounds(contexts: &[Context<'_>], ending: &Ending) -> Vec<Option<TaskBound>> {
    let waits = |context: &&Context<'_>| by_deadline(context) && has_waits(context);
    // Only waits for events look at the responses of others. Without any, one pass is enough.
    let iterates = contexts.iter().any(|context| waits(&context));
    let mut responses = if iterates { least(contexts) } else { Vec::new() };
    // Nothing is supposed of cores by priority: their bounds rest on these.
    let system = contexts[0].system;
    for ((_, task), response) in system.task_ids().zip(&mut responses) {
        if !by_deadline(&contexts[task.core as usize]) {
            *response = Err(Obstacle::NoEnd);
        }
    }
    let locks = locks::worst(contexts);
    let find = |responses: &[_]| iteration(contexts, &locks, Supposed { ending, responses });
    confirmed(responses, find, Option::as_ref)
}

fn by_deadline(context: &Context<'_>) -> bool {
    context.system.policy_on(context.core) == Policy::EarliestDeadline
}

fn has_waits(context: &Context<'_>) -> bool {
    context.on_core(context.core).any(|task| !context.event_waits(task).is_empty())
}

/// The bounds if responses are as supposed.
fn iteration(
    contexts: &[Context<'_>],
    locks: &[(u32, Priority, Obstacle)],
    supposed: Supposed<'_>,
) -> Vec<Option<TaskBound>> {
    let system = contexts[0].system;
    let mut all: Vec<Option<TaskBound>> = vec![None; system.tasks.len()];
    for context in contexts.iter().filter(|context| by_deadline(context)) {
        let core = context.core;
        let tasks: Vec<TaskId> = context.on_core(core).collect();
        let lock = locks.iter().find(|lock| lock.0 == core).map(|&(_, _, obstacle)| obstacle);
        let refused = lock.or_else(|| mixes::refused(context, core));
        let bounds = match refused {
            Some(cause) => vec![Err(cause); tasks.len()],
            None => of_core(context, &tasks, supposed),
        };
        for (&id, bound) in tasks.iter().zip(bounds) {
            all[id.index()] = Some(task_bound(context, id, bound));
        }
    }
    all
}

/// The bounds of all tasks of a core.
fn of_core(
    context: &Context<'_>,
    tasks: &[TaskId],
    supposed: Supposed<'_>,
) -> Vec<Result<Bound, Obstacle>> {
    let windows = Deadlines::of(context, context.core, supposed);
    let latest =
        windows.as_ref().map_err(|&obstacle| obstacle).and_then(|windows| windows.latest(tasks));
    let as_if_busy = match latest {
        Ok(latest) => {
            let bound = |(&id, latest): (&TaskId, _)| of_deadline(context, id, latest, supposed);
            tasks.iter().zip(latest).map(bound).collect()
        }
        Err(obstacle) => vec![Err(obstacle); tasks.len()],
    };
    // The two analyses differ only in what a wait counts as, and the second one covers fewer
    // systems.
    if !has_waits(context) || !deadlines_apart::is_known(context, supposed) {
        return as_if_busy;
    }
    let apart = deadlines_apart::bounds(context, tasks, supposed);
    let apart = tasks.iter().zip(apart).map(|(&id, bound)| within_backlog(context, id, bound?));
    as_if_busy.into_iter().zip(apart).map(|(busy, apart)| smaller(busy, apart)).collect()
}

/// Returns the smaller of two bounds, or the second of two obstacles.
fn smaller(
    one: Result<Bound, Obstacle>,
    other: Result<Bound, Obstacle>,
) -> Result<Bound, Obstacle> {
    match (one, other) {
        (Ok(one), Ok(other)) if one.response <= other.response => Ok(one),
        (Ok(one), Err(_)) => Ok(one),
        (_, other) => other,
    }
}

/// Returns the bound that the latest window gives, or that of a task without deadline.
fn of_deadline(
    context: &Context<'_>,
    id: TaskId,
    latest: Option<Latest<'_>>,
    supposed: Supposed<'_>,
) -> Result<Bound, Obstacle> {
    if let Some(cause) =
        supposed.ending[id.index()].filter(|_| context.suspending_budget(id).is_some())
    {
        return Err(cause);
    }
    let bound = match latest {
        Some(Latest { level, response, window, jobs }) => {
            let job = level.position(id).map_or(0, |own| jobs[own].saturating_sub(1));
            let found = Response { time: response, job, window };
            let events = events(context, level, &jobs, supposed)?;
            let found = Found::window(found, &jobs, Theorem::ProcessorDemand);
            parts(context, level, id, Found { events, ..found })
        }
        None => {
            // A task without a deadline yields to everybody, so its window holds all others, in any
            // order.
            let everybody = Level::of(context, context.system.task(id).core, 0, supposed)?;
            let everybody = everybody.with_waits(context, supposed)?;
            let found = everybody.response(id)?;
            let jobs = everybody.position(id).zip(everybody.reach(found.window));
            let jobs = jobs.and_then(|(own, reach)| everybody.jobs(own, found.job + 1, reach));
            let jobs = jobs.ok_or(Obstacle::NoEnd)?;
            let events = events(context, &everybody, &jobs, supposed)?;
            let found = Found::window(found, &jobs, Theorem::BusyPeriod);
            parts(context, &everybody, id, Found { events, ..found })
        }
    };
    within_backlog(context, id, bound.ok_or(Obstacle::NoEnd)?)
}

/// Returns the bound, unless so many jobs can wait that one is lost.
fn within_backlog(context: &Context<'_>, id: TaskId, bound: Bound) -> Result<Bound, Obstacle> {
    limits::backlog(&bound, context.arrivals(id).period).map_or(Ok(bound), Err)
}

/// Returns the time that the jobs of a window wait for events, which counts as if they executed.
fn events(
    context: &Context<'_>,
    level: &Level,
    jobs: &[u64],
    supposed: Supposed<'_>,
) -> Result<Vec<EventPart>, Obstacle> {
    let arrivals = context.event_arrivals(supposed);
    let mut parts = Vec::new();
    for (member, &count) in level.members.iter().zip(jobs) {
        for wait in context.event_waits(member.task) {
            let part = wait.longest(&arrivals)?;
            let time = part.time.ns().checked_mul(count).ok_or(Obstacle::NoEnd)?;
            parts.push(EventPart { time: Duration(time), ..part });
        }
    }
    Ok(parts)
}
