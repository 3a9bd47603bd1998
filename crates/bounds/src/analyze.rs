//! The analysis of a whole system.
//!
//! Levels are worked out once for all tasks that share them. Budgets need a second
//! look: that a task's own budget never ends is first supposed, then checked against
//! the bounds found, and withdrawn where it does not hold, until nothing changes.
//! Supposing it is sound: up to the first instant at which a budget ends that should
//! not all bounds hold, and by them it does not. Where it is withdrawn because there
//! was no bound to check against, the reason for that stays the reason: a budget that
//! may end early is then only what follows.

use std::collections::BTreeMap;

use fusee_analysis::fixed_priority::window::Response;
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::{Duration, Overrun, Policy, System, TaskId};

use crate::bound::{Analysis, BlockingPart, Bound, Interference, TaskBound, Theorem, WaitingPart};
use crate::chains;
use crate::closing::Ending;
use crate::context::Context;
use crate::deadlines::{Deadlines, Latest};
use crate::inversion::level_of;
use crate::level::Level;
use crate::limits;
use crate::locks;
use crate::mixes;
use crate::obstacle::Obstacle;

/// Bounds the response time of every task.
pub fn analyze(system: &System, derived: &Derived, costs: &CostTable) -> Analysis {
    let contexts = Context::of_cores(system, derived, costs);
    let refused = limits::exceeded(system, derived, costs);
    let mut ending: Vec<Option<Obstacle>> = vec![None; system.tasks.len()];
    loop {
        let tasks = match (refused, system.policy()) {
            (Some(obstacle), _) => {
                of_all(&contexts, |context, id| task_bound(context, id, Err(obstacle)))
            }
            (None, Policy::FixedPriority) => bounds(&contexts, &ending),
            (None, Policy::EarliestDeadline) => bounds_of_deadlines(&contexts, &ending),
        };
        let context = |i: usize| &contexts[system.tasks[i].core as usize];
        let newly: Vec<usize> = (0..ending.len())
            .filter(|&i| ending[i].is_none() && can_end(context(i), &tasks[i]))
            .collect();
        if newly.is_empty() {
            return Analysis {
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
fn of_all<'a>(
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
            parts(context, level, id, (found, &jobs), Theorem::ProcessorDemand)
        }
        None => {
            let everybody = Level::of(context, context.system.task(id).core, 0, ending)?;
            let found = everybody.response(id)?;
            let jobs = everybody.position(id).zip(everybody.reach(found.window));
            let jobs = jobs.and_then(|(own, reach)| everybody.jobs(own, found.job + 1, reach));
            jobs.and_then(|jobs| {
                parts(context, &everybody, id, (found, &jobs), Theorem::BusyPeriod)
            })
        }
    };
    let bound = bound.ok_or(Obstacle::NoEnd)?;
    limits::backlog(&bound, context.arrivals(id).period).map_or(Ok(bound), Err)
}

fn bounds(contexts: &[Context<'_>], ending: &Ending) -> Vec<TaskBound> {
    let mut levels: BTreeMap<(u32, i16), Result<Level, Obstacle>> = BTreeMap::new();
    let locks = locks::worst(contexts[0].system, contexts[0].derived);
    let mut bound = |context: &Context<'_>, id: TaskId| {
        let task = context.system.task(id);
        if let Some(obstacle) = mixes::refused(context, task.core) {
            return Err(obstacle);
        }
        let waits =
            locks.iter().find(|(core, top, _)| *core == task.core && task.priority.value <= *top);
        if let Some(&(_, _, obstacle)) = waits {
            return Err(obstacle);
        }
        if let Some(cause) = ending[id.index()].filter(|_| context.suspending_budget(id).is_some())
        {
            return Err(cause);
        }
        let level = level_of(context, id)?;
        let key = (task.core, level);
        let window =
            levels.entry(key).or_insert_with(|| Level::of(context, task.core, level, ending));
        let window = window.as_ref().map_err(|&obstacle| obstacle)?;
        let response = window.response(id)?;
        let theorem = match (level < context.base(id), response.time <= context.arrivals(id).period)
        {
            (true, _) => Theorem::LowerLevel,
            (false, true) => Theorem::ResponseTime,
            (false, false) => Theorem::BusyPeriod,
        };
        let reach = window.reach(response.window).ok_or(Obstacle::NoEnd)?;
        let jobs = window.position(id).and_then(|own| window.jobs(own, response.job + 1, reach));
        let jobs = jobs.ok_or(Obstacle::NoEnd)?;
        let bound =
            parts(context, window, id, (response, &jobs), theorem).ok_or(Obstacle::NoEnd)?;
        limits::backlog(&bound, context.arrivals(id).period).map_or(Ok(bound), Err)
    };
    of_all(contexts, |context, id| task_bound(context, id, bound(context, id)))
}

fn task_bound(context: &Context<'_>, id: TaskId, bound: Result<Bound, Obstacle>) -> TaskBound {
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

/// Splits a window with so many jobs of each member into its parts.
fn parts(
    context: &Context<'_>,
    level: &Level,
    own: TaskId,
    (response, jobs): (Response, &[u64]),
    theorem: Theorem,
) -> Option<Bound> {
    let Response { time, job, window } = response;
    let reach = level.reach(window)?;
    let mut kernel = level.in_progress.checked_add(level.interruption(reach)?)?;
    let mut own_time = 0;
    let mut interference = Vec::new();
    for (member, &count) in level.members.iter().zip(jobs) {
        kernel = kernel.checked_add(count.checked_mul(member.kernel)?)?;
        let time = count.checked_mul(member.execution)?;
        if member.task == own {
            own_time = time;
        } else if time > 0 {
            interference.push(Interference {
                task: member.task,
                jobs: count,
                time: Duration(time),
            });
        }
    }
    interference.sort_by_key(|i| (std::cmp::Reverse(i.time), i.task));
    let sections = level.blocking.selection(jobs).into_iter().filter(|s| s.length > 0);
    let mut blocking: Vec<BlockingPart> = sections
        .map(|s| BlockingPart {
            task: s.task,
            gate: s.gate,
            time: Duration(s.length),
            waiting: Duration(s.waiting),
            origin: s.origin,
        })
        .collect();
    blocking.sort_by_key(|b| (std::cmp::Reverse(b.time), b.task, b.gate));
    let arrivals = context.arrivals(own);
    Some(Bound {
        response: Duration(time),
        theorem,
        job,
        window: Duration(window),
        own: Duration(own_time),
        interference,
        blocking,
        waiting: waiting(context, level, jobs)?,
        kernel: Duration(kernel),
        jitter: Duration(arrivals.jitter),
    })
}

/// What the jobs of a window wait for other cores, by gate and by whose section is ahead.
fn waiting(context: &Context<'_>, level: &Level, jobs: &[u64]) -> Option<Vec<WaitingPart>> {
    let mut parts: Vec<WaitingPart> = Vec::new();
    for (member, &count) in level.members.iter().zip(jobs) {
        for (&gate, &each) in &context.reach.counts[member.task.index()] {
            let requests = count.checked_mul(each)?;
            for ahead in context.demands.waits.at(gate).ok()?.ahead {
                let time = Duration(requests.checked_mul(ahead.length)?);
                let same = |part: &&mut WaitingPart| part.task == ahead.task && part.gate == gate;
                match parts.iter_mut().find(same) {
                    Some(part) => {
                        part.requests = part.requests.checked_add(requests)?;
                        part.time = part.time.checked_add(time)?;
                    }
                    None => parts.push(WaitingPart { task: ahead.task, gate, requests, time }),
                }
            }
        }
    }
    parts.retain(|part| part.time > Duration::ZERO);
    parts.sort_by_key(|part| (std::cmp::Reverse(part.time), part.task, part.gate));
    Some(parts)
}
