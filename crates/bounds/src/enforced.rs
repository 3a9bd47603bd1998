//! The time that the kernel lets a task take, whatever is said of it.
//!
//! A task with a budget that suspends it takes no more than that between two releases, with what
//! the kernel does for it on the way: it may be in a system call when the budget ends, and the path
//! on which it leaves the core is charged to who comes next. That holds whatever its code does. So
//! others count that where it is more than what its job is said to take, and it counts itself with
//! what is said.
//!
//! Each release fills the budget anew, and in a window that begins with nobody of the level ready
//! no more is used than is filled in it. That is not so of who can be under way then, because it
//! waits suspended, or may: then what is left of one budget can be used just before the next.
//!
//! *Code that is not trusted* does in this time what its capabilities allow. It may ask at gates as
//! often as it likes, so that sections of lower tasks are not counted by requests; wait for what it
//! consumes; and, where deadlines decide, go on with an old job, whose deadline is before all
//! others, so that its budget counts in all windows and as often as it is filled. A section in its
//! code lasts as long as the budget of who is in it.

use fusee_model::{GateId, InterfaceKind, Policy, Protocol, TaskId};

use crate::bound::Bound;
use crate::context::Context;
use crate::member::Member;
use crate::obstacle::Obstacle;

/// Returns a member as others count it: its budget where that is more than its jobs are said to
/// take.
///
/// # Errors
/// It does not fit.
pub(crate) fn member(
    context: &Context<'_>,
    stated: Member,
    is_under_way: bool,
) -> Result<Member, Obstacle> {
    let (task, mut member) = (stated.task, stated);
    let Some(most) = most(context, task)? else { return Ok(member) };
    let total = member.total().ok_or(Obstacle::NoEnd)?;
    // Others count the larger of what is said of a job and what the kernel lets through.
    member.beyond = most.saturating_sub(total);
    let untrusted = context.untrusted[task.index()];
    member.old_jobs = untrusted && context.system.policy_on(context.core) != Policy::FixedPriority;
    // Such a job can use what is left of its budget just before the next filling, and the new
    // budget right behind it.
    if is_under_way || (untrusted && may_wait(context, task)) {
        member.late = member.arrivals.period;
    }
    Ok(member)
}

/// Returns the longest time that a task takes between two releases; none: nothing limits it.
///
/// # Errors
/// It does not fit.
pub(crate) fn most(context: &Context<'_>, task: TaskId) -> Result<Option<u64>, Obstacle> {
    let Some(budget) = context.suspending_budget(task) else { return Ok(None) };
    // A request between cores may begin just before the budget ends, and is not cut.
    let late = late(context)?.checked_add(between_cores(context, task)?);
    late.and_then(|late| budget.checked_add(late)).map(Some).ok_or(Obstacle::NoEnd)
}

/// Returns a path of the kernel's that is under way when a budget ends, and the one on which the
/// core is left.
pub(crate) fn late(context: &Context<'_>) -> Result<u64, Obstacle> {
    context.kernel.longest_path.times(2).0.ok_or(Obstacle::NoEnd)
}

/// Returns the longest request at a gate between cores: no budget ends in it.
fn between_cores(context: &Context<'_>, task: TaskId) -> Result<u64, Obstacle> {
    let passages = context.reach.passages[task.index()].iter();
    let requests = passages.filter(|passage| context.system.gate(passage.gate).is_global());
    let mut lengths = requests.map(|passage| {
        let demand = context.demands.invocation(&context.kernel, passage.gate, passage.method);
        demand.ok().and_then(|demand| demand.total().0).ok_or(Obstacle::NoEnd)
    });
    lengths.try_fold(0, |most: u64, length| Ok(most.max(length?)))
}

/// Returns the time that a task may lend in its window to others that run out of budget in a
/// section: those that run code which is not trusted, once for each of their jobs; `None`: it does
/// not fit.
pub(crate) fn lent(context: &Context<'_>, bound: &Bound, own: TaskId) -> Option<u64> {
    // A task lends only where it waits, and without a gate that others hold it waits for nobody.
    if context.reach.passages[own.index()].is_empty() {
        return Some(0);
    }
    let borrows = |task: &TaskId| {
        *task != own
            && context.untrusted[task.index()]
            && context.suspending_budget(*task).is_some()
    };
    context.on_core(context.core).filter(borrows).try_fold(0_u64, |sum, task| {
        let lengths = context.lengths[task.index()].iter();
        // A length that nobody knows makes every budget too small.
        let longest = lengths.map(|length| length.unwrap_or(u64::MAX)).max().unwrap_or(0);
        // Besides the jobs that come in the window one can be under way when it begins.
        let jobs = bound.interference.iter().find(|part| part.task == task).map_or(0, |p| p.jobs);
        sum.checked_add(longest.checked_mul(jobs.checked_add(1)?)?)
    })
}

/// Returns `true` if code that is not trusted may leave the core with budget left, and come back:
/// it consumes events, has locks, or asks at gates at which others may be.
pub(crate) fn may_wait(context: &Context<'_>, task: TaskId) -> bool {
    let system = context.system;
    let mut components = system.untrusted_code(context.derived, task).into_iter();
    let waits = |kind: &InterfaceKind| matches!(kind, InterfaceKind::Consumes(Some(_)));
    !context.reach.passages[task.index()].is_empty()
        || components.any(|component| {
            let component = system.component(component);
            !component.code.locks.is_empty()
                || component.interfaces.iter().any(|interface| waits(&interface.kind))
        })
}

/// Returns `true` if code behind a gate is not trusted, its own or what it calls.
fn is_untrusted(context: &Context<'_>, gate: GateId) -> bool {
    let all = context.derived.within(gate).into_iter().chain([gate]);
    all.map(|gate| context.system.gate(gate).component).any(|id| !context.system.is_trusted(id))
}

/// Refuses untrusted code that its budget can suspend inside of a gate which then delays other
/// tasks than those that wait there.
///
/// A gate that raises whoever is in it, waiting or not, blocks a level once because nobody below
/// finds it held. Beside a holder that is suspended several can: those who wait for it enter one
/// after the other, each raised, and the holder goes on when its budget is filled, as raised as
/// before. With one task below that can be raised nothing comes twice.
///
/// A ceiling bars others from other gates as long as the section lasts: where its code is not
/// trusted for as many budgets as it likes.
///
/// # Errors
/// [`Obstacle::Suspended`] with the task that runs such code, and the gate.
pub(crate) fn check(
    context: &Context<'_>,
    level: i16,
    (members, below): (&[TaskId], &[TaskId]),
) -> Result<(), Obstacle> {
    let raised = below.iter().filter(|&&task| context.relevant(level, task).next().is_some());
    // With one task below that can be raised, nobody else can enter behind a suspended holder.
    let several = raised.count() > 1;
    let matters = |gate: &GateId| match context.system.gate(*gate).protocol.value {
        Protocol::Fixed | Protocol::NonPreemptive | Protocol::Srp => several,
        Protocol::Ceiling => is_untrusted(context, *gate),
        _ => false,
    };
    let hostile = members.iter().chain(below).copied().filter(|&task| {
        context.untrusted[task.index()] && context.suspending_budget(task).is_some()
    });
    for task in hostile {
        let mut gates = context.relevant(level, task).map(|(passage, _)| passage.gate);
        if let Some(gate) = gates.find(matters) {
            return Err(Obstacle::Suspended { task, gate: Some(gate) });
        }
    }
    Ok(())
}

impl Context<'_> {
    /// Returns the length of a section that is said to last `stated`, in nanoseconds: where code
    /// that is not trusted executes it, the budget of the task inside.
    ///
    /// # Errors
    /// It does not fit.
    pub(crate) fn enforced_section(
        &self,
        task: TaskId,
        gate: GateId,
        stated: u64,
    ) -> Result<u64, Obstacle> {
        // Between cores no budget ends it.
        let ends = !self.system.gate(gate).is_global();
        match most(self, task)?.filter(|_| is_untrusted(self, gate)) {
            Some(most) if ends => Ok(stated.max(most)),
            _ => Ok(stated),
        }
    }
}
