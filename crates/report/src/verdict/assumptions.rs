//! The assumptions of a bound that a run contradicts.
//!
//! A bound is exceeded either because it is wrong or because something that it rests on did not
//! hold. The second is by far the more frequent, so a run is asked for it first: jobs that execute
//! longer than stated, budgets that end, arrivals that come too early.
//!
//! How long a job executes is known where the records tell who runs. On a machine that time has the
//! kernel's share in it. The analysis counts it for a window as long as the bound's; a job that
//! executes for longer may have met that many times as much, and the kernel that records
//! everything takes longer on each path. So only what is above several times that share is told.
//!
//! A task that its budget suspends takes no more from others than they count for it, whatever its
//! code does: it is a reason for its own bound only.

use fusee_diagnostics::{Diagnostic, Severity};
use fusee_model::{Duration, Overrun, Task, TaskId};

use super::{Facts, TaskVerdict, rules};
use crate::text::count;

/// The factor by which a recorded path may exceed the kernel's time in the analysis.
const RECORDING: u64 = 4;

/// Returns the messages about jobs that executed longer than stated. They are given where a bound
/// was exceeded; elsewhere a job that takes longer than stated has harmed no promise.
pub(super) fn broken(facts: &Facts<'_>, verdicts: &[TaskVerdict]) -> Vec<Diagnostic> {
    if !verdicts.iter().any(TaskVerdict::exceeded) {
        return Vec::new();
    }
    let all = facts.system.tasks.iter().enumerate();
    let concerned = all.filter(|(index, task)| !is_contained(task) || verdicts[*index].exceeded());
    concerned
        .filter_map(|(index, _)| Some(message(facts, index, too_long(facts, index)?)))
        .collect()
}

/// Returns `true` if a budget keeps a task from taking more than others count for it.
fn is_contained(task: &Task) -> bool {
    task.budget.as_ref().is_some_and(|budget| budget.overrun == Overrun::Suspend)
}

/// A job that executed longer than stated.
struct TooLong {
    executed: Duration,
    stated: Duration,
}

/// Returns the longest execution of a task's jobs, if it contradicts the description.
fn too_long(facts: &Facts<'_>, index: usize) -> Option<TooLong> {
    let seen = facts.outcome.tasks.get(index)?;
    let bounds = facts.analysis?.tasks.get(index)?;
    let stated = bounds.wcet?;
    let (share, waiting) = match &bounds.bound {
        Ok(bound) => {
            let windows = seen.execution_max.ns() / bound.window.ns().max(1) + 1;
            // Who waits on its core for another core executes meanwhile, or helps.
            (bound.kernel.ns().saturating_mul(windows), bound.waiting_time().ns())
        }
        Err(_) => return None,
    };
    let kernel = bounds.job_kernel?.ns().saturating_add(share).saturating_mul(RECORDING);
    let most = stated.ns().saturating_add(waiting).saturating_add(kernel);
    let executed = seen.execution_max;
    (executed.ns() > most).then_some(TooLong { executed, stated })
}

fn message(facts: &Facts<'_>, index: usize, found: TooLong) -> Diagnostic {
    let task = &facts.system.tasks[index];
    let TooLong { executed, stated } = found;
    let text = format!(
        "a job of task `{}` executed for {executed}, and its description states {stated}",
        task.name
    );
    let message = Diagnostic::new(rules::ASSUMPTION.code, Severity::Error, text);
    let place = task.body.wcet_origin.and_then(|origin| (facts.span)(origin));
    let message = match place.or_else(|| (facts.span)(task.origin)) {
        Some(place) => message.at(place, "stated for this task"),
        None => message,
    };
    message.with_note(
        "bounds rest on stated times: those of this task, and those of all that it can keep from \
         running",
    )
}

/// Returns the reasons for which the bound of a task says nothing about this run: contradictions to
/// the description on its core, or at gates between cores.
pub(super) fn reasons(facts: &Facts<'_>, index: usize) -> Vec<String> {
    let core = facts.system.tasks[index].core;
    let several = facts.system.gates.iter().any(|gate| gate.is_global());
    let concerns = |(other, task): &(usize, &Task)| {
        *other == index || ((several || task.core == core) && !is_contained(task))
    };
    let tasks = facts.system.tasks.iter().enumerate().filter(concerns);
    tasks
        .flat_map(|(other, task)| reasons_of(facts, other, task))
        .chain(trust(facts, index))
        .collect()
}

/// Returns a note if the bound of a task rests on statements about code that need not hold to them.
fn trust(facts: &Facts<'_>, index: usize) -> Option<String> {
    let resting = fusee_bounds::resting(facts.system, facts.analysis?);
    resting.contains(&TaskId::from(index)).then(|| {
        "its bound rests on what is said of code that is not trusted, as F0624 tells".to_owned()
    })
}

/// Returns the actions of a task that its description rules out.
fn reasons_of(facts: &Facts<'_>, index: usize, task: &Task) -> Vec<String> {
    let seen = &facts.outcome.tasks[index];
    let too_long = too_long(facts, index).map(|TooLong { executed, stated }| {
        format!("`{}` executed for {executed}, and not for {stated} as stated", task.name)
    });
    let ended = (seen.overruns > 0).then(|| {
        format!(
            "the budget of `{}` ended {}: its code runs longer than the description says",
            task.name,
            count(seen.overruns, "time")
        )
    });
    let early = (seen.early > 0).then(|| {
        format!(
            "`{}` was to be released {} earlier than its period allows",
            task.name,
            count(seen.early, "time")
        )
    });
    [too_long, ended, early].into_iter().flatten().collect()
}
