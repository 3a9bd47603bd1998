//! Windows of deadlines in which waiting for an event is no execution.
//!
//! Let J be a job with the absolute deadline d, t0 the last instant up to its release before which
//! no thread with an effective deadline of at most d is ready, and x = d - t0. Up to J's release
//! the core is busy with such threads. Behind it J is ready, or waits at a gate, for who has its
//! deadline then; or it waits for an event. So between t0 and J's end there are, but for the time
//! in which J waits for events,
//!
//! - jobs of tasks that never wait for events, with deadlines at most d. None of them is unfinished
//!   at t0: as in module `deadlines`;
//! - jobs of tasks that do, with deadlines at most d. Such a job can have waited at t0 for as long
//!   as its response R allows, with all of its execution still to come: its jitter is R, and not
//!   less as under fixed priorities (module `suspension`), because no job that is due by d is cut
//!   off at the window's end;
//! - sections of jobs that are due later than d. They run only raised, and enter none while
//!   somebody is ready who is due by d. Those in progress at t0 are of tasks with D > x, at any
//!   gates: also at one whose users are all due later than x, since a job that has waited can ask
//!   there. Whenever J goes on after a wait, others run that have come meanwhile: then a section of
//!   each task can be in progress;
//! - releases, and a kernel path in progress at t0, and whenever J goes on.
//!
//! If J waits for events, this is so as long as its predecessor is over when it is released: its
//! task has a bound here only if that is not above its period.

use fusee_analysis::fixed_priority::window::Response;
use fusee_model::TaskId;

use crate::blocking::Blocking;
use crate::bound::{Bound, EventPart, Theorem};
use crate::context::Context;
use crate::deadlines::{Class, Deadlines, Latest};
use crate::level::Level;
use crate::levels::relative;
use crate::obstacle::Obstacle;
use crate::parts::{Found, parts};
use crate::split::Split;
use crate::supposed::Supposed;
use crate::suspension::late;
use crate::waiting_suspended::{phases, suspends};

/// Returns true if this analysis covers a core: no budget cuts jobs that wait for events, no task
/// runs code that waits as it likes, and no task asks at gates between cores.
pub(crate) fn is_known(context: &Context<'_>, supposed: Supposed<'_>) -> bool {
    let differs = |task: TaskId| {
        let mut gates = context.reach.counts[task.index()].keys();
        context.untrusted[task.index()]
            || supposed.ending[task.index()].is_some()
            || suspends(context, task) && context.suspending_budget(task).is_some()
            || gates.any(|&gate| context.system.gate(gate).is_global())
    };
    context.system.schedulers.is_empty() && !context.on_core(context.core).any(differs)
}

/// The bounds of some tasks of a core, in their order.
pub(crate) fn bounds(
    context: &Context<'_>,
    tasks: &[TaskId],
    supposed: Supposed<'_>,
) -> Vec<Result<Bound, Obstacle>> {
    let others: Vec<TaskId> =
        tasks.iter().copied().filter(|&task| !suspends(context, task)).collect();
    let mut of_others = of_others(context, &others, supposed).into_iter();
    let bound = |&task: &TaskId| match suspends(context, task) {
        true => of_waiting(context, task, supposed),
        false => of_others.next().unwrap_or(Err(Obstacle::NoEnd)),
    };
    tasks.iter().map(bound).collect()
}

/// Those of tasks that never wait for events.
fn of_others(
    context: &Context<'_>,
    tasks: &[TaskId],
    supposed: Supposed<'_>,
) -> Vec<Result<Bound, Obstacle>> {
    let windows = windows(context, None, supposed);
    let latest = windows.as_ref().map_err(|&cause| cause).and_then(|all| all.latest(tasks));
    let bound = |(&task, latest): (&TaskId, Option<Latest<'_>>)| match latest {
        Some(latest) => found(context, (task, 1), latest, Vec::new()),
        None => without_deadline(context, task, supposed),
    };
    match latest {
        Ok(latest) => tasks.iter().zip(latest).map(bound).collect(),
        Err(cause) => vec![Err(cause); tasks.len()],
    }
}

/// Returns the bound of a task without deadline, which yields to all others: at the lowest of all
/// levels, where the order of the others does not matter.
fn without_deadline(
    context: &Context<'_>,
    task: TaskId,
    supposed: Supposed<'_>,
) -> Result<Bound, Obstacle> {
    let everybody = Level::of(context, context.core, 0, supposed)?;
    let response = everybody.response(task)?;
    let reach = everybody.reach(response.window);
    let jobs = everybody.position(task).zip(reach);
    let jobs = jobs.and_then(|(own, reach)| everybody.jobs(own, response.job + 1, reach));
    let jobs = jobs.ok_or(Obstacle::NoEnd)?;
    let found = Found::window(response, &jobs, Theorem::Suspension);
    parts(context, &everybody, task, found).ok_or(Obstacle::NoEnd)
}

/// Returns the bound of a task that waits for events.
fn of_waiting(
    context: &Context<'_>,
    own: TaskId,
    supposed: Supposed<'_>,
) -> Result<Bound, Obstacle> {
    let windows = windows(context, Some(own), supposed)?;
    let latest = windows.latest(&[own])?.pop().flatten();
    let latest = latest.ok_or(Obstacle::NoEnd)?;
    if latest.response > context.arrivals(own).period {
        return Err(late(context, own));
    }
    let events = waits(context, own, supposed)?;
    found(context, (own, phases(context, own)), latest, events)
}

/// A job's waits for events.
fn waits(
    context: &Context<'_>,
    own: TaskId,
    supposed: Supposed<'_>,
) -> Result<Vec<EventPart>, Obstacle> {
    let arrivals = context.event_arrivals(supposed);
    let longest = context.event_waits(own).iter().map(|wait| wait.longest(&arrivals));
    let because = |cause: Obstacle| match cause {
        Obstacle::NoEnd => late(context, own),
        known => known,
    };
    longest.collect::<Result<_, _>>().map_err(because)
}

fn found(
    context: &Context<'_>,
    (task, phases): (TaskId, u64),
    latest: Latest<'_>,
    events: Vec<EventPart>,
) -> Result<Bound, Obstacle> {
    let Latest { level, response, window, jobs } = latest;
    let job = level.position(task).map_or(0, |own| jobs[own].saturating_sub(1));
    let response = Response { time: response, job, window };
    let theorem = Theorem::DemandWithSuspension;
    let found = Found { phases, events, ..Found::window(response, &jobs, theorem) };
    parts(context, level, task, found).ok_or(Obstacle::NoEnd)
}

/// Returns the windows of all tasks that never wait for events, or those of one that does.
fn windows(
    context: &Context<'_>,
    own: Option<TaskId>,
    supposed: Supposed<'_>,
) -> Result<Deadlines, Obstacle> {
    let on_core = || context.on_core(context.core);
    let mut classes = Vec::new();
    for (level, begin, end) in context.levels.ranges() {
        let is_member = |&task: &TaskId| {
            // A job that has waited may have come long before the window, and be due in it although
            // its relative deadline is longer than the window.
            let early = context.levels.highest(task) >= level || suspends(context, task);
            early && relative(context.system.task(task)).is_some()
        };
        let members: Vec<TaskId> = on_core().filter(is_member).collect();
        let below: Vec<TaskId> = on_core().filter(|&task| context.base(task) < level).collect();
        // Behind a wait of its own a job may find anybody in a section. Others meet only those who
        // were in one when the window began.
        let in_sections: Vec<TaskId> = match own {
            Some(own) => on_core().filter(|&task| task != own).collect(),
            None => below.clone(),
        };
        let under_way = members.iter().copied().filter(|&task| suspends(context, task)).collect();
        let whole = Split::whole((context.core, level), members, below);
        let split = Split { under_way, suspended: own, ..whole };
        let level = Level::between(context, &split, supposed)?;
        let level = level.with_jobs_under_way(context, &in_sections, supposed)?;
        let class = |level| Class::of(context, level, (begin, end));
        classes.push(match own {
            Some(own) => {
                let added = added(context, own, &level, supposed)?;
                class(level).with_own((own, context.arrivals(own).jitter), added)
            }
            None => class(level),
        });
    }
    Ok(Deadlines::from(classes))
}

/// Returns the time that a job which waits for events takes of its window besides its execution, in
/// nanoseconds: its waits, and the sections and paths in progress whenever it goes on.
fn added(
    context: &Context<'_>,
    own: TaskId,
    level: &Level,
    supposed: Supposed<'_>,
) -> Result<u64, Obstacle> {
    // These sections are in progress, whoever asks, so no numbers of jobs are needed for them.
    let each = |blocking: &Blocking| blocking.bound(&[])?.checked_add(level.in_progress);
    // The first phase is in the sum of the level already.
    let again = phases(context, own) - 1;
    let again = each(&level.blocking).and_then(|each| each.checked_mul(again));
    let waits = waits(context, own, supposed)?;
    let all = waits.iter().fold(again, |sum, wait| sum?.checked_add(wait.time.ns()));
    all.ok_or_else(|| late(context, own))
}
