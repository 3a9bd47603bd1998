//! Windows that are closed at their end.
//!
//! A window of length w holds the jobs that arrive before its end, and at its end all
//! time that they take has passed. Then the job in question is done, unless what it
//! has still to do takes no time: a way back, an unlocking, its completion. No
//! interrupt comes between, since an interrupt at an instant comes after what takes no
//! time then. But an action may: a signal, sent at that instant by whoever runs,
//! releases a job of the level, which runs first; and while it executes everybody comes
//! in who arrives at that instant. Such a window is *closed*: it holds also what arrives
//! at its end, and it lasts until that is done, too.
//!
//! At the end of a window all that is counted in it has been spent, or it would have
//! ended before. So the signal has nothing behind it in its job (or section, or budget)
//! that counts:
//!
//! - Where completing a job costs the kernel time, that time is behind everything: all
//!   windows are open.
//! - Where it costs nothing and some other path does, that path can be under way while
//!   an interrupt falls due, and another just at its end: all windows are closed.
//! - Where the kernel costs nothing, a window is closed if a job of its level can be
//!   released by an *ending* signal: one with no execution behind it in a member's job or
//!   in a section of a lower task that matters to the level; any of a member that may be
//!   suspended there; the notice of a budget that can end; a signal from another core.
//!
//! Where there are schedulers all windows are closed: when a job ends a scheduler decides, at that
//! instant if the kernel costs nothing, and what is due by then comes before.
//!
//! The worst case of every execution time is meant: a job that takes less leaves the
//! window earlier, and what it releases then arrives inside.

use fusee_model::{Body, NotificationId, Overrun, ReleaseKind, Step, System, TaskId};

use crate::context::Context;
use crate::ending_signals::{Closing, Signals};
use crate::split::Split;
use crate::supposed::Ending;
use crate::waiting_suspended::suspends;

/// Returns `true` if windows of a level are closed, given its members, the tasks below, and whose
/// budgets can end.
pub(crate) fn is_closed(context: &Context<'_>, split: &Split, ending: &Ending) -> bool {
    let Split { level, members, below, under_way, .. } = split;
    // A scheduler decides when a job has ended, and what is due by then has come before.
    if !context.system.schedulers.is_empty() {
        return true;
    }
    // Code that is not trusted signals when it likes.
    if members.iter().chain(below).any(|task| context.untrusted[task.index()]) {
        return true;
    }
    // A task that has waited suspended goes on when another core tells it.
    if !under_way.is_empty() || members.iter().any(|&task| suspends(context, task)) {
        return true;
    }
    let signals = match &context.closing {
        Closing::Never => return false,
        Closing::Always => return true,
        Closing::BySignals(signals) => signals,
    };
    let releasing: Signals =
        members.iter().filter_map(|&task| released_by(context.system, task)).collect();
    // Nothing but a job of the level could run before the job in question comes back.
    if releasing.is_empty() {
        return false;
    }
    let system = context.system;
    let gives_notice = |task: TaskId| {
        ending[task.index()].is_some()
            && notice(system, task).is_some_and(|id| releasing.contains(&id))
    };
    // A job that its budget suspends may stop right behind a signal, and do the rest with a later
    // budget. So each signal of it can be the last thing before the end, wherever it stands.
    let by_member = |&task: &TaskId| {
        let suspended = ending[task.index()].is_some() && context.suspending_budget(task).is_some();
        gives_notice(task)
            || suspended && reaches_any(context, task, &releasing)
            || !signals.tasks[task.index()].is_disjoint(&releasing)
    };
    let in_section = |&task: &TaskId| {
        // A lower task runs in the window only in its section. What it signals behind that comes
        // later.
        let mut sections = context.relevant(*level, task).map(|(passage, _)| passage);
        sections.any(|p| {
            gives_notice(task) || !signals.of_invocation(p.gate, p.method).is_disjoint(&releasing)
        })
    };
    let core = members.first().map(|&task| system.task(task).core);
    // Another core executes at the same time, so its signal can come at any instant, the last
    // included.
    let elsewhere = |(task, described): (TaskId, &fusee_model::Task)| {
        Some(described.core) != core && reaches_any(context, task, &releasing)
    };
    members.iter().any(by_member)
        || below.iter().any(in_section)
        || system.task_ids().any(elsewhere)
}

/// Returns the signal that releases a task.
fn released_by(system: &System, task: TaskId) -> Option<NotificationId> {
    match system.task(task).release.as_ref()?.kind {
        ReleaseKind::Notification(id) => Some(id),
        ReleaseKind::Periodic | ReleaseKind::Sporadic => None,
    }
}

/// Returns the signal at the end of a task's budget.
fn notice(system: &System, task: TaskId) -> Option<NotificationId> {
    match system.task(task).budget.as_ref()?.overrun {
        Overrun::Notify(id) => Some(id),
        Overrun::Suspend | Overrun::Continue => None,
    }
}

/// Returns `true` if one of the signals is anywhere on a task's way.
fn reaches_any(context: &Context<'_>, task: TaskId, signals: &Signals) -> bool {
    let sends = |body: &Body| {
        body.steps.iter().any(|step| matches!(step, Step::Emit(id) if signals.contains(id)))
    };
    let passed = context
        .derived
        .task(task)
        .gates
        .iter()
        .flat_map(|&gate| &context.system.gate(gate).methods);
    notice(context.system, task).is_some_and(|id| signals.contains(&id))
        || sends(&context.system.task(task).body)
        || passed.map(|method| &method.body).any(sends)
}
