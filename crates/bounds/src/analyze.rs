//! The analysis of a whole system.
//!
//! Levels are worked out once for all tasks that share them. Budgets need a second
//! look: that a task's own budget never ends is first supposed, then checked against
//! the bounds found, and withdrawn where it does not hold, until nothing changes.
//! Supposing it is sound: up to the first instant at which a budget ends that should
//! not all bounds hold, and by them it does not. Where it is withdrawn because there
//! was no bound to check against, the reason for that stays the reason: a budget that
//! may end early is then only what follows.

use std::borrow::Cow;

use fusee_model::System;
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;

use crate::bound::{Analysis, TaskBound};
use crate::budgets;
use crate::by_deadline;
use crate::by_priority;
use crate::callbacks;
use crate::chains;
use crate::context::Context;
use crate::late_signals;
use crate::limits;
use crate::obstacle::Obstacle;
use crate::posts;
use crate::rows::Rows;
use crate::slots;
use crate::supposed::Supposed;
use crate::task_bounds::{of_all, task_bound};

/// Bounds the response time of every task.
pub fn analyze(system: &System, derived: &Derived, costs: &CostTable) -> Analysis {
    let costs = costs_in(system, derived, costs);
    analyze_with(&Context::of_cores(system, derived, &costs), &costs)
}

/// The same where periodic tasks come at their offsets, to the tick but for their jitter, on all
/// cores: bounds of [`analyze`] hold for all offsets, these for those of the description.
pub fn analyze_at_offsets(system: &System, derived: &Derived, costs: &CostTable) -> Analysis {
    let costs = costs_in(system, derived, costs);
    let mut contexts = Context::of_cores(system, derived, &costs);
    contexts.iter_mut().for_each(|context| context.at_offsets = true);
    analyze_with(&contexts, &costs)
}

/// Returns the costs of paths in a system: they are higher where threads lend.
pub(crate) fn costs_in<'c>(
    system: &System,
    derived: &Derived,
    costs: &'c CostTable,
) -> Cow<'c, CostTable> {
    // Where threads lend, any path may have to look along those who wait for the one who pays. The
    // table has that once for all paths (`schedulers.lend`).
    match lends(system, derived) {
        true => Cow::Owned(costs.lending()),
        false => Cow::Borrowed(costs),
    }
}

/// Returns `true` if a thread that a scheduler dispatches may wait at a gate, and lends there.
fn lends(system: &System, derived: &Derived) -> bool {
    let gates = system.gate_ids().filter(|(_, gate)| gate.is_exclusive());
    let mut users = gates.flat_map(|(id, _)| &derived.gate(id).tasks);
    users.any(|&task| system.scheduler_of(task).is_some())
}

/// The same in the contexts of all cores.
fn analyze_with(contexts: &[Context<'_>], costs: &CostTable) -> Analysis {
    let (system, derived) = (contexts[0].system, contexts[0].derived);
    // A size that nobody measured spoils every bound alike, so it is asked about before any is
    // computed.
    let refused = limits::exceeded(system, derived, costs);
    let mut ending: Vec<Option<Obstacle>> = vec![None; system.tasks.len()];
    // That a budget may end is always the safe side, since it need not. So what is withdrawn stays
    // so, each round adds at least one task, and the loop ends.
    loop {
        let tasks = match refused {
            Some(obstacle) => {
                of_all(contexts, |context, id| task_bound(context, id, Err(obstacle)))
            }
            None => bounds(contexts, costs, &ending),
        };
        let context = |i: usize| &contexts[system.tasks[i].core as usize];
        let newly: Vec<usize> = (0..ending.len())
            .filter(|&i| ending[i].is_none() && budgets::can_end(context(i), &tasks[i]))
            .collect();
        if newly.is_empty() {
            // Nothing is withdrawn any more: these bounds confirm all that was supposed, and chains
            // and supplies may rest on them.
            let response = |task: &TaskBound| match &task.bound {
                Ok(bound) => Ok(bound.response.ns()),
                Err(obstacle) => Err(*obstacle),
            };
            let responses: Vec<_> = tasks.iter().map(response).collect();
            let supposed = Supposed { ending: &ending, responses: &responses };
            return Analysis {
                supplies: slots::supplies(&contexts[0], supposed),
                chains: chains::bounds(&tasks, Rows { contexts, supposed }),
                tasks,
                platform: costs.platform.clone(),
                provenance: costs.weakest(),
                has_kernel_costs: !costs.is_zero(),
            };
        }
        newly.into_iter().for_each(|i| ending[i] = Some(cause(&tasks[i])));
    }
}

/// Returns the bound of each task if these budgets end.
fn bounds(
    contexts: &[Context<'_>],
    costs: &CostTable,
    ending: &[Option<Obstacle>],
) -> Vec<TaskBound> {
    let (system, kernel) = (contexts[0].system, &contexts[0].kernel);
    // Bounds by priority may rest on those of cores by deadline, and never the other way.
    let by_deadline = by_deadline::bounds(contexts, ending);
    let mut tasks = by_priority::bounds(contexts, ending, &by_deadline);
    // How often others signal is supposed in the costs of looks. Only the bounds of all cores show
    // whether that holds, so these come last.
    late_signals::withdraw(&contexts[0], costs, &mut tasks);
    posts::withdraw(system, kernel, &mut tasks);
    callbacks::withdraw(system, contexts[0].derived, &mut tasks);
    callbacks::withdraw_for_signals(system, kernel, &mut tasks);
    tasks
}

/// Returns for each task whose budget ends in a job, if no other does, the amount that its budget
/// must exceed.
///
/// # Errors
/// There is a task whose budget may end however large it is.
pub(crate) fn needs(
    system: &System,
    derived: &Derived,
    costs: &CostTable,
) -> Result<Vec<(usize, u64)>, Obstacle> {
    let costs = costs_in(system, derived, costs);
    let costs = costs.as_ref();
    let contexts = Context::of_cores(system, derived, costs);
    if let Some(obstacle) = limits::exceeded(system, derived, costs) {
        return Err(obstacle);
    }
    // No budget is supposed to end: asked is what each must exceed so that none does.
    let tasks = bounds(&contexts, costs, &vec![None; system.tasks.len()]);
    let context = |task: usize| &contexts[system.tasks[task].core as usize];
    let ends = (0..tasks.len()).filter(|&task| budgets::can_end(context(task), &tasks[task]));
    let need = |task: usize| {
        let need = budgets::need(context(task), &tasks[task]);
        need.map(|need| (task, need)).ok_or_else(|| cause(&tasks[task]))
    };
    ends.map(need).collect()
}

/// Returns the reason for which a task's budget may end.
fn cause(task: &TaskBound) -> Obstacle {
    match task.bound {
        // With a bound the budget itself is too small. Without one the budget could not be checked,
        // and the first reason stays the one that is told.
        Ok(_) => Obstacle::Suspended { task: task.task, gate: None },
        Err(obstacle) => obstacle,
    }
}
