//! Budgets that can end in the middle of a job, and how large they would have to be.
//!
//! The kernel takes its paths from the budget of whoever runs, those of interrupts, too. So a
//! budget must last for a job and for all of the kernel's paths in its window.
//!
//! *The least that last.* If no budget ends, what a job needs does not depend on its own budget. But
//! others count what a budget lets through, which is more where it is larger: so all budgets that
//! end are raised together to the least that lasts, until none ends. Then the supposition that none
//! does holds.

use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::{Duration, Overrun, System, TaskId};

use crate::analyze::needs;
use crate::bound::TaskBound;
use crate::context::Context;
use crate::enforced;

/// Rounds in which budgets may make each other larger.
const MOST_ROUNDS: usize = 16;

/// Whether a task's own budget can end, and that is felt: in the middle of a job, or with it.
///
/// Never if each job is over before the next release, and the budget is more than
/// the job and every interrupt that may be charged to it. A budget that is just used
/// up is not enough: the last return or completion takes no time, but a thread that
/// has nothing left may be suspended before it.
pub(crate) fn can_end(context: &Context<'_>, task: &TaskBound) -> bool {
    let felt = context
        .system
        .task(task.task)
        .budget
        .as_ref()
        .filter(|budget| budget.overrun != Overrun::Continue);
    let Some(budget) = felt.map(|budget| budget.amount.value.ns()) else { return false };
    need(context, task).is_none_or(|need| need >= budget)
}

/// What a task's budget must be more than; `None`: no budget is certain to last for its jobs.
pub(crate) fn need(context: &Context<'_>, task: &TaskBound) -> Option<u64> {
    let arrivals = context.arrivals(task.task);
    let bound = task.bound.as_ref().ok().filter(|it| it.response.ns() <= arrivals.period)?;
    let need = task.wcet?.checked_add(bound.kernel)?.checked_add(bound.waiting_time())?;
    need.ns().checked_add(enforced::lent(context, bound, task.task)?)
}

/// The least budgets with which no budget ends in a job, of those tasks whose budgets do, if these
/// are all that is changed; empty where none end, or no budgets would do.
pub fn lasting_budgets(
    system: &System,
    derived: &Derived,
    costs: &CostTable,
) -> Vec<(TaskId, Duration)> {
    let mut changed = system.clone();
    let mut raised: Vec<(TaskId, Duration)> = Vec::new();
    for _ in 0..MOST_ROUNDS {
        let Ok(ends) = needs(&changed, derived, costs) else { return Vec::new() };
        if ends.is_empty() {
            return raised;
        }
        for (task, need) in ends {
            let least = need.checked_add(1).map(Duration);
            let budget = changed.tasks[task].budget.as_mut();
            let Some((budget, least)) = budget.zip(least) else { return Vec::new() };
            budget.amount.value = least;
            raised.retain(|(other, _)| other.index() != task);
            raised.push((TaskId::from(task), least));
        }
    }
    Vec::new()
}
