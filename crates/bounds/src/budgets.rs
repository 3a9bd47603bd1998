//! Budgets that can end in the middle of a job.
//!
//! The kernel takes its paths from the budget of whoever runs, those of interrupts, too. So a
//! budget must last for a job and for all of the kernel's paths in its window.

use fusee_model::Overrun;

use crate::bound::TaskBound;
use crate::context::Context;
use crate::enforced;

/// Returns true if a task's own budget can end in the middle of a job or with it, and then does
/// something to the task.
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
        // A budget that ends without an effect on its task or on others does not matter.
        .filter(|budget| budget.overrun != Overrun::Continue);
    let Some(budget) = felt.map(|budget| budget.amount.value.ns()) else { return false };
    need(context, task).is_none_or(|need| need >= budget)
}

/// Returns the time that a task's budget must exceed, in nanoseconds; `None`: no budget is certain
/// to last for its jobs.
pub(crate) fn need(context: &Context<'_>, task: &TaskBound) -> Option<u64> {
    let arrivals = context.arrivals(task.task);
    // A job that lasts longer takes from the budget that the next release fills, and no size is
    // certain to be enough.
    let bound = task.bound.as_ref().ok().filter(|it| it.response.ns() <= arrivals.period)?;
    // All kernel paths of the window may come while this task runs, and are then taken from its
    // budget. So is waiting for other cores, which keeps its own core.
    let need = task.wcet?.checked_add(bound.kernel)?.checked_add(bound.waiting_time())?;
    need.ns().checked_add(enforced::lent(context, bound, task.task)?)
}
