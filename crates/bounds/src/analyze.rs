//! The analysis of a whole system.
//!
//! Levels are worked out once for all tasks that share them. Budgets need a second
//! look: that a task's own budget never ends is first supposed, then checked against
//! the bounds found, and withdrawn where it does not hold, until nothing changes.
//! Supposing it is sound: up to the first instant at which a budget ends that should
//! not all bounds hold, and by them it does not. Where it is withdrawn because there
//! was no bound to check against, the reason for that stays the reason: a budget that
//! may end early is then only what follows.

use fusee_analysis::fixed_priority::window::Response;
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::{Duration, Overrun, Policy, System, TaskId};

use crate::bound::{Analysis, Bound, TaskBound, Theorem};
use crate::by_priority;
use crate::chains;
use crate::closing::Ending;
use crate::context::Context;
use crate::deadlines::{Deadlines, Latest};
use crate::level::Level;
use crate::limits;
use crate::locks;
use crate::mixes;
use crate::obstacle::Obstacle;
use crate::parts::{Found, parts};
use crate::posts;
use crate::signals;
use crate::slots;
use crate::supposed::Supposed;

/// Bounds the response time of every task.
pub fn analyze(system: &System, derived: &Derived, costs: &CostTable) -> Analysis {
    let contexts = Context::of_cores(system, derived, costs);
    let refused = limits::exceeded(system, derived, costs);
    let mut ending: Vec<Option<Obstacle>> = vec![None; system.tasks.len()];
    loop {
        let mut tasks = match (refused, system.policy()) {
            (Some(obstacle), _) => {
                of_all(&contexts, |context, id| task_bound(context, id, Err(obstacle)))
            }
            (None, Policy::FixedPriority) => by_priority::bounds(&contexts, &ending),
            (None, Policy::EarliestDeadline) => bounds_of_deadlines(&contexts, &ending),
        };
        signals::withdraw(system, (costs, &contexts[0].kernel), &mut tasks);
        posts::withdraw(system, &contexts[0].kernel, &mut tasks);
        let context = |i: usize| &contexts[system.tasks[i].core as usize];
        let newly: Vec<usize> = (0..ending.len())
            .filter(|&i| ending[i].is_none() && can_end(context(i), &tasks[i]))
            .collect();
        if newly.is_empty() {
            let response = |task: &TaskBound| match &task.bound {
                Ok(bound) => Ok(bound.response.ns()),
                Err(obstacle) => Err(*obstacle),
            };
            let responses: Vec<_> = tasks.iter().map(response).collect();
            let supposed = Supposed { ending: &ending, responses: &responses };
            return Analysis {
                supplies: slots::supplies(&contexts[0], supposed),
                chains: chains::bounds(system, &tasks),
                tasks,
                platform: costs.platform.clone(),
                provenance: costs.weakest(),
                has_kernel_costs: !costs.is_zero(),
            };
        }
        newly.into_iter().for_each(|i| ending[i] = Some(cause(&tasks[i])));
    }
}

/// Whether a task's own budget can end, and that is felt: in the middle of a job, or with it.
///
/// Never if each job is over before the next release, and the budget is more than
/// the job and every interrupt that may be charged to it. A budget that is just used
/// up is not enough: the last return or completion takes no time, but a thread that
/// has nothing left may be suspended before it.
fn can_end(context: &Context<'_>, task: &TaskBound) -> bool {
    let felt = context
        .system
        .task(task.task)
        .budget
        .as_ref()
        .filter(|budget| budget.overrun != Overrun::Continue);
    let Some(budget) = felt.map(|budget| budget.amount.value.ns()) else { return false };
    let arrivals = context.arrivals(task.task);
    match &task.bound {
        Ok(bound) if bound.response.ns() <= arrivals.period => {
            let need = task.wcet.and_then(|w| w.checked_add(bound.kernel));
            let need = need.and_then(|need| need.checked_add(bound.waiting_time()));
            need.is_none_or(|need| need.ns() >= budget)
        }
        _ => true,
    }
}

/// Why a task's budget may end.
fn cause(task: &TaskBound) -> Obstacle {
    match task.bound {
        Ok(_) => Obstacle::Suspended { task: task.task, gate: None },
        Err(obstacle) => obstacle,
    }
}

/// What is found for each task in the context of its core.
pub(crate) fn of_all<'a>(
    contexts: &[Context<'a>],
    mut found: impl FnMut(&Context<'a>, TaskId) -> TaskBound,
) -> Vec<TaskBound> {
    let tasks = contexts[0].system.task_ids();
    tasks.map(|(id, task)| found(&contexts[task.core as usize], id)).collect()
}

/// Bounds under earliest deadline: a core has them all, or none, and tasks without deadline yield
/// to everybody.
fn bounds_of_deadlines(contexts: &[Context<'_>], ending: &Ending) -> Vec<TaskBound> {
    let locks = locks::worst(contexts[0].system, contexts[0].derived);
    let mut all: Vec<TaskBound> =
        of_all(contexts, |context, id| task_bound(context, id, Err(Obstacle::NoEnd)));
    for context in contexts {
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
            all[id.index()] = task_bound(context, id, bound);
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

pub(crate) fn task_bound(
    context: &Context<'_>,
    id: TaskId,
    bound: Result<Bound, Obstacle>,
) -> TaskBound {
    let task = context.system.task(id);
    let demand = context.demands.tasks[id.index()].ok();
    let kernel = demand.map(|d| context.job_kernel(&d));
    TaskBound {
        task: id,
        deadline: task.release.as_ref().map(|r| task.deadline.unwrap_or(r.period).value),
        wcet: demand.and_then(|d| d.execution.0).map(Duration),
        job_kernel: kernel.and_then(|k| k.0).map(Duration),
        bound,
    }
}
