//! Bounds under earliest deadline.
//!
//! A core has them all, or none, because the latest deadline met decides for each; tasks without
//! deadline yield to everybody.

use fusee_analysis::fixed_priority::window::Response;
use fusee_model::{Policy, TaskId};

use crate::bound::{Bound, TaskBound, Theorem};
use crate::context::Context;
use crate::deadlines::{Deadlines, Latest};
use crate::level::Level;
use crate::limits;
use crate::locks;
use crate::mixes;
use crate::obstacle::Obstacle;
use crate::parts::{Found, parts};
use crate::supposed::{Ending, Supposed};
use crate::task_bounds::task_bound;

/// The bound of each task of cores on which deadlines decide, with the budgets that may end.
pub(crate) fn bounds(contexts: &[Context<'_>], ending: &Ending) -> Vec<Option<TaskBound>> {
    let system = contexts[0].system;
    let locks = locks::worst(system, contexts[0].derived);
    let mut all: Vec<Option<TaskBound>> = vec![None; system.tasks.len()];
    let by_deadline =
        |context: &&Context<'_>| system.policy_on(context.core) == Policy::EarliestDeadline;
    for context in contexts.iter().filter(by_deadline) {
        let core = context.core;
        let tasks: Vec<TaskId> = context.on_core(core).collect();
        let lock = locks.iter().find(|lock| lock.0 == core).map(|&(_, _, obstacle)| obstacle);
        let refused = lock.or_else(|| mixes::refused(context, core));
        let windows = refused.map_or_else(|| Deadlines::of(context, core, ending), Err);
        let latest = windows
            .as_ref()
            .map_err(|&obstacle| obstacle)
            .and_then(|windows| windows.latest(&tasks));
        let bounds = latest.map(|latest| {
            let bound = |(&id, latest): (&TaskId, _)| of_deadline(context, id, latest, ending);
            tasks.iter().zip(latest).map(bound).collect::<Vec<_>>()
        });
        for (place, &id) in tasks.iter().enumerate() {
            let bound = bounds
                .as_ref()
                .map_or_else(|&obstacle| Err(obstacle), |bounds| bounds[place].clone());
            all[id.index()] = Some(task_bound(context, id, bound));
        }
    }
    all
}

/// The bound that the latest window gives, or that of a task without deadline.
fn of_deadline(
    context: &Context<'_>,
    id: TaskId,
    latest: Option<Latest<'_>>,
    ending: &Ending,
) -> Result<Bound, Obstacle> {
    if let Some(cause) = ending[id.index()].filter(|_| context.suspending_budget(id).is_some()) {
        return Err(cause);
    }
    let bound = match latest {
        Some(Latest { level, response, window, jobs }) => {
            let job = level.position(id).map_or(0, |own| jobs[own].saturating_sub(1));
            let found = Response { time: response, job, window };
            parts(context, level, id, Found::window(found, &jobs, Theorem::ProcessorDemand))
        }
        None => {
            let supposed = Supposed { ending, responses: &[] };
            let everybody = Level::of(context, context.system.task(id).core, 0, supposed)?;
            let found = everybody.response(id)?;
            let jobs = everybody.position(id).zip(everybody.reach(found.window));
            let jobs = jobs.and_then(|(own, reach)| everybody.jobs(own, found.job + 1, reach));
            jobs.and_then(|jobs| {
                parts(context, &everybody, id, Found::window(found, &jobs, Theorem::BusyPeriod))
            })
        }
    };
    let bound = bound.ok_or(Obstacle::NoEnd)?;
    limits::backlog(&bound, context.arrivals(id).period).map_or(Ok(bound), Err)
}
