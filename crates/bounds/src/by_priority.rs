//! Bounds under fixed priorities.
//!
//! A task's windows are those of its priority, or of a lower level where a gate spoils them (module
//! `inversion`). Where tasks wait suspended, or events release some, windows depend on how long
//! jobs of others can be under way, also on other cores, and those on their windows: the responses
//! are supposed to be as short as can be, and longer as long as the bounds say so.

use std::collections::BTreeMap;

use fusee_analysis::fixed_priority::window::Response;
use fusee_model::TaskId;

use crate::bound::{Bound, EventPart, TaskBound, Theorem};
use crate::by_scheduler;
use crate::context::Context;
use crate::event_wait::EventWait;
use crate::held::Held;
use crate::inversion::level_of;
use crate::level::{Level, Suspensions};
use crate::limits;
use crate::locks;
use crate::mixes;
use crate::mpcp_queueing::{Holds, Turns};
use crate::obstacle::Obstacle;
use crate::offsets::FromStart;
use crate::parts::{Found, parts};
use crate::supposed::{Ending, Supposed};
use crate::supposition::{confirmed, least};
use crate::suspension;
use crate::task_bounds::{of_all, task_bound};
use crate::trees;
use crate::waiting_suspended;

/// Returns the bound of each task, with the budgets that may end, from the bounds of tasks on
/// cores under earliest deadline first.
pub(crate) fn bounds(
    contexts: &[Context<'_>],
    ending: &Ending,
    known: &[Option<TaskBound>],
) -> Vec<TaskBound> {
    // Where deadlines decide on all cores, everything is known already.
    if let Some(all) = known.iter().cloned().collect() {
        return all;
    }
    let holds = Holds::of(contexts);
    let trees = !contexts[0].system.schedulers.is_empty();
    let by_event = |(_, task): (TaskId, &fusee_model::Task)| task.release_event().is_some();
    // Jobs of events, jobs that wait suspended and threads of trees are seen through the responses
    // of others. Where there are none, no bound depends on another one, and one pass is enough.
    let depends = contexts[0].system.task_ids().any(by_event)
        || contexts.iter().any(waiting_suspended::on_core);
    let iterates = trees || depends;
    let responses = if iterates { least(contexts) } else { Vec::new() };
    let find = |responses: &[_]| iteration(contexts, &holds, Supposed { ending, responses }, known);
    confirmed(responses, find, |bound| Some(bound))
}

/// The bounds if responses are as supposed.
fn iteration(
    contexts: &[Context<'_>],
    holds: &Holds,
    supposed: Supposed<'_>,
    known: &[Option<TaskBound>],
) -> Vec<TaskBound> {
    // Collecting a level costs most, and is the same for all tasks at it, so each is collected
    // once.
    let mut levels: BTreeMap<(u32, i16), Result<Level, Obstacle>> = BTreeMap::new();
    let locks = locks::worst(contexts);
    let mut bound = |context: &Context<'_>, id: TaskId| {
        let task = context.system.task(id);
        if let Some(obstacle) = mixes::refused(context, task.core) {
            return Err(obstacle);
        }
        // Whoever holds such a lock may run at the priority of its most urgent user, for an unknown
        // time. That delays everybody at or below this priority.
        let own = context.system.level(id);
        let waits = locks.iter().find(|(core, top, _)| *core == task.core && own <= *top);
        if let Some(&(_, _, obstacle)) = waits {
            return Err(obstacle);
        }
        // A job that its own budget cuts goes on at later fillings, and no window holds all of
        // that.
        let ending = supposed.ending[id.index()];
        if let Some(cause) = ending.filter(|_| context.suspending_budget(id).is_some()) {
            return Err(cause);
        }
        if context.system.scheduler(id).is_some() {
            return Err(Obstacle::Scheduler { task: id });
        }
        let level = level_of(context, id)?;
        if let Some(obstacle) = trees::unknown(context, id, level) {
            return Err(obstacle);
        }
        if context.system.scheduler_of(id).is_some() {
            let bound = by_scheduler::bound(context, id, supposed)?;
            return limits::backlog(&bound, context.arrivals(id).period).map_or(Ok(bound), Err);
        }
        let bound = match waiting_suspended::suspends(context, id) {
            true => suspending(context, holds, (id, level), supposed)?,
            false => {
                let key = (task.core, level);
                let window = levels
                    .entry(key)
                    .or_insert_with(|| Level::of(context, task.core, level, supposed));
                busy(context, window.as_ref().map_err(|&obstacle| obstacle)?, id, level)?
            }
        };
        // Up to the first release that the kernel loses all this holds, so it must be shown that
        // none is.
        limits::backlog(&bound, context.arrivals(id).period).map_or(Ok(bound), Err)
    };
    of_all(contexts, |context, id| match &known[id.index()] {
        Some(known) => known.clone(),
        None => task_bound(context, id, bound(context, id)),
    })
}

/// Returns the bound of a task that is never suspended.
fn busy(context: &Context<'_>, window: &Level, id: TaskId, level: i16) -> Result<Bound, Obstacle> {
    // The bound for all offsets comes first, since that of known ones counts only where it is
    // smaller.
    let response = window.response(id)?;
    if let Some(bound) = from_offsets(context, window, id, response) {
        return Ok(bound);
    }
    let theorem = match (level < context.base(id), response.time <= context.arrivals(id).period) {
        _ if window.sees_suspension => Theorem::Suspension,
        (true, _) => Theorem::LowerLevel,
        (false, true) => Theorem::ResponseTime,
        (false, false) => Theorem::BusyPeriod,
    };
    // The parts are of the window up to the job that responds latest. Its task's jobs before it are
    // in that window as well, therefore one more than its position.
    let reach = window.reach(response.window).ok_or(Obstacle::NoEnd)?;
    let jobs = window.position(id).and_then(|own| window.jobs(own, response.job + 1, reach));
    let jobs = jobs.ok_or(Obstacle::NoEnd)?;
    let found = Found::window(response, &jobs, theorem);
    parts(context, window, id, found).ok_or(Obstacle::NoEnd)
}

/// Returns the bound that known offsets give, where it is below the one that holds for all.
fn from_offsets(
    context: &Context<'_>,
    window: &Level,
    id: TaskId,
    response: Response,
) -> Option<Bound> {
    let found = window.response_from(id, &window.starts)?;
    let FromStart { response: known, start } = found;
    if known.time >= response.time {
        return None;
    }
    // A window has at least one tick: whoever is released at its start is in it.
    let reach = window.reach(known.window)?.max(1);
    let jobs = window.jobs_from(window.position(id)?, known.job + 1, (start, reach))?;
    parts(context, window, id, Found::window(known, &jobs, Theorem::Offsets))
}

/// Returns the bound of a task that waits suspended: if it is not above the period, which all that
/// is known of such tasks rests on.
fn suspending(
    context: &Context<'_>,
    holds: &Holds,
    (id, level): (TaskId, i16),
    supposed: Supposed<'_>,
) -> Result<Bound, Obstacle> {
    let window = Level::of_suspending(context, id, level, supposed)?;
    // Too much work and too long a wait need different repairs, so the first is told apart.
    if window.is_overloaded(window.position(id)) {
        return Err(Obstacle::Overload);
    }
    let turns = Turns::of(context, holds, id, supposed)?;
    // How long it waits may grow with how long the task itself takes, until nothing is known.
    let late = |cause: Obstacle| match cause {
        Obstacle::NoEnd => suspension::late(context, id),
        known => known,
    };
    let held = Held::of(context, id, supposed).map_err(late)?;
    // Its own waits divide the job into phases. Holders that wait for events while it wants their
    // gate begin further ones.
    let asked = waiting_suspended::phases(context, id);
    let phases = |window: u64| asked.checked_add(held.suspensions(window)?);
    let own = window.position(id).ok_or(Obstacle::NoEnd)?;
    let period = context.arrivals(id).period;
    let arrivals = context.event_arrivals(supposed);
    let waits = context.event_waits(id).iter();
    let longest = |wait: &EventWait| wait.longest(&arrivals).map_err(late);
    let events: Vec<EventPart> = waits.map(longest).collect::<Result<_, _>>()?;
    let awaited = events.iter().try_fold(0_u64, |sum, wait| sum.checked_add(wait.time.ns()));
    let awaited = awaited.ok_or_else(|| suspension::late(context, id))?;
    // A job waits at one place at a time, for a turn, an event or a holder: so the three add up.
    let suspended = |time: u64| {
        turns.within(time, &window)?.checked_add(awaited)?.checked_add(held.within(time)?)
    };
    // Behind the period the next job is there, and all of this is about one whose predecessor is
    // over.
    let response =
        window.response_of_one(own, period, Suspensions { phases: &phases, suspended: &suspended });
    let response = response.ok_or_else(|| suspension::late(context, id))?;
    let reach = window.reach(response.window).ok_or(Obstacle::NoEnd)?;
    let jobs = window.jobs(own, 1, reach).ok_or(Obstacle::NoEnd)?;
    let mut suspension = turns.parts(reach, &window).ok_or(Obstacle::NoEnd)?;
    suspension.extend(held.parts(reach).ok_or(Obstacle::NoEnd)?);
    let (theorem, phases) = (Theorem::Suspension, phases(reach).ok_or(Obstacle::NoEnd)?);
    let found = Found { response, jobs: &jobs, phases, suspension, events, theorem };
    parts(context, &window, id, found).ok_or(Obstacle::NoEnd)
}
