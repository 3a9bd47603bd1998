//! Messages about descriptions for which no choice was found.

use fusee_bounds::Change;
use fusee_diagnostics::Diagnostic;
use fusee_model::{Duration, System, TaskId};

use super::answer::Answer;
use super::conflict::{Conflict, Relaxation};
use super::judge::Judged;
use super::known::Known;
use super::refusal::Refusal;

use crate::rules;

/// More cores are in use than are asked for.
pub(super) fn too_few_cores(cores: u32, used: u32) -> Diagnostic {
    let message = format!("`--cores {cores}` is less than the description uses");
    Diagnostic::error(rules::NOTHING_TO_CHOOSE, message)
        .with_note(format!("its tasks are on {used} cores"))
        .with_note("take as many, or leave their `core` out")
}

/// Says that there is no choice, or none was found, and what would lead to one.
pub(super) fn none(
    known: &Known<'_>,
    answer: &Answer,
    widened: Option<&Judged>,
    free: &[&str],
) -> Option<Diagnostic> {
    let system = known.system;
    let kinds = match free {
        [] => "nothing was free to choose".to_owned(),
        free => format!("chosen were values of these kinds: {}", free.join(", ")),
    };
    let found = match answer {
        Answer::Holds(_) | Answer::Found(_) => return None,
        Answer::Contradiction(conflict) => contradiction(known, conflict),
        Answer::Refused(refusal) => refused(known, refusal),
        Answer::NotFound(why) => {
            let message = "no choice was found under which every deadline and chain holds";
            Diagnostic::error(rules::NO_CHOICE, message)
                .with_note(format!("this is no proof that there is none: {why}"))
        }
    };
    let found = found.with_note(kinds);
    Some(match widened {
        Some(widened) => with_wider(found, system, widened),
        None => found,
    })
}

/// Names values that the description gives and that would have to change.
fn with_wider(found: Diagnostic, system: &System, widened: &Judged) -> Diagnostic {
    let settings = widened.choice.settings();
    let lines: Vec<String> = settings.iter().map(|setting| setting.line(system)).collect();
    let names: Vec<String> = (settings.iter())
        .map(|setting| setting.subject())
        .filter(|subject| subject.is_given(system))
        .map(|subject| subject.name(system))
        .collect();
    let changes = if lines.len() == 1 { "change" } else { "changes" };
    let with = match names.as_slice() {
        [] => "with a wider search".to_owned(),
        names => format!("with `--change {}`", names.join(",")),
    };
    let (count, lines) = (lines.len(), lines.join(" "));
    found.with_note(format!("{with} all holds after {count} {changes}: `{lines}`"))
}

/// Some deadlines contradict each other.
fn contradiction(known: &Known<'_>, conflict: &Conflict) -> Diagnostic {
    let system = known.system;
    let message = match conflict.tasks.as_slice() {
        [task] => {
            format!("the deadline of `{}` holds under no choice", system.task(*task).name)
        }
        tasks => {
            let names: Vec<String> =
                tasks.iter().map(|&task| format!("`{}`", system.task(task).name)).collect();
            format!("no choice lets the deadlines of {} hold together", names.join(", "))
        }
    };
    let error = Diagnostic::error(rules::NO_CHOICE, message);
    let mut error = placed(known, error, &conflict.tasks);
    error = error.with_note("this is proved: every choice was refuted, in groups of many");
    error = match (conflict.tasks.len(), conflict.is_least) {
        (1, _) => error,
        (_, true) => error.with_note("without any one of these deadlines there is a choice"),
        (_, false) => error.with_note("fewer of these deadlines may contradict each other, too"),
    };
    for &relaxation in &conflict.relaxations {
        error = error.with_note(relaxed(system, relaxation));
    }
    if conflict.relaxations.is_empty() && conflict.is_thorough {
        error = error.with_note("no later deadline of one of these tasks alone is enough");
    }
    error
}

/// A later deadline or shorter job under which there is a choice.
fn relaxed(system: &System, relaxation: Relaxation) -> String {
    match relaxation {
        Relaxation::Deadline(task, least) => {
            let (name, now) = (&system.task(task).name, system.task(task).deadline);
            let now = now.map_or(Duration::ZERO, |now| now.value);
            let least = least.exact();
            format!("`{name}.deadline = \"{least}\";` alone leads to a choice (now {now})")
        }
        Relaxation::Time(body, most) => {
            let line = Change::Time(body, most).text(system);
            format!("`{line};` alone leads to a choice, which changes what the task does")
        }
    }
}

/// A quick proof speaks against every choice.
fn refused(known: &Known<'_>, refusal: &Refusal) -> Diagnostic {
    let system = known.system;
    match refusal {
        Refusal::Longer { task, takes } => {
            let name = &system.task(*task).name;
            let message = format!("the deadline of `{name}` holds under no choice");
            let error = Diagnostic::error(rules::NO_CHOICE, message);
            placed(known, error, &[*task])
                .with_note(format!("this is proved: one job alone takes {takes}"))
                .with_note("give it more time, or less to do: no choice makes a job shorter")
        }
        Refusal::Load { tasks, millionths } => {
            let cores = known.cores;
            let words = if cores == 1 { "one core" } else { "all cores together" };
            let message = format!("the tasks need more than {words}");
            let need = *millionths as f64 / 10_000.0;
            let error = Diagnostic::error(rules::NO_CHOICE, message);
            placed(known, error, tasks)
                .with_note(format!(
                    "this is proved: these tasks need {need:.1} % of a core, and there are \
                     {cores}00.0 %"
                ))
                .with_note("take more cores (`--cores`), or give the tasks less to do")
        }
    }
}

/// Points to the deadlines of tasks.
fn placed(known: &Known<'_>, mut error: Diagnostic, tasks: &[TaskId]) -> Diagnostic {
    let span = |task: TaskId| {
        let task = known.system.task(task);
        let origin = task.deadline.map_or(task.origin, |given| given.origin);
        known.loaded.origins.span(origin)
    };
    let mut spans = tasks.iter().filter_map(|&task| span(task));
    if let Some(first) = spans.next() {
        error = error.at(first, "this deadline");
    }
    spans.fold(error, |error, span| error.because(span, "and this one"))
}
