//! Members of a window that count by what they are given.
//!
//! What others see of a tree is told in the module `trees`.

use fusee_model::TaskId;

use crate::context::Context;
use crate::member::Member;
use crate::obstacle::Obstacle;
use crate::own_budget::capped;
use crate::own_time::OwnTime;
use crate::split::Split;
use crate::supposed::Supposed;
use crate::trees::{has_carry_in, is_waited_for, taken};

/// Returns a task that is in a slot of another tree's table, or in a server, or may use up time of
/// its own, as a member of a window; none: it is a task of its own.
pub(crate) fn supplied_member(
    context: &Context<'_>,
    split: &Split,
    task: TaskId,
    supposed: Supposed<'_>,
) -> Option<Result<Member, Obstacle>> {
    let system = context.system;
    if OwnTime::of(system, task).is_some() {
        return capped(context, task, supposed);
    }
    // Threads of the window's own scheduler count by their jobs, as do tasks that wait for no slot.
    if !has_carry_in(system, task) || !split.under_way.contains(&task) {
        return None;
    }
    let own = system.scheduler(task);
    let known = context.demands.tasks[task.index()].is_ok_and(|demand| demand.waits.is_none());
    let is_bounded = supposed.responses[task.index()].is_ok();
    // In its slots other threads may run to which it lends.
    let lends = is_waited_for(context, task);
    // A single thread whose job is bounded counts as a task that waits suspended, for its slots.
    // Only one without a bound takes all of its slots.
    if own.is_none() && known && is_bounded && !lends {
        return None;
    }
    // A slot ends late by a path of the kernel that is under way then.
    let late = context.kernel.longest_path.0;
    let taken = taken(context, task).zip(late).ok_or(Obstacle::NoEnd);
    Some(taken.map(|(taken, kernel)| Member::cut(task, taken, kernel)))
}
