//! Bounds and their absence as diagnostics.

mod chains;
mod message;
mod obstacles;
mod trust;

pub use obstacles::cause;
pub use trust::resting;

use fusee_diagnostics::{Diagnostic, Fix, Span};
use fusee_model::costs::Provenance;
use fusee_model::{Duration, Origin, Policy, System, TaskId};

use crate::bound::{Analysis, TaskBound, Theorem};
use crate::causes::causes;
use crate::obstacle::Obstacle;
use crate::repair::Repair;
use crate::rules;
use crate::trees;
use message::{Message, Places};
use obstacles::no_bound;

/// Returns the messages about an analysis: one for each reason why a guarantee is missing, then
/// notes.
///
/// `span` leads from an origin to its place in the description.
pub fn diagnostics(
    system: &System,
    analysis: &Analysis,
    span: &dyn Fn(Origin) -> Option<Span>,
) -> Vec<Diagnostic> {
    let mut messages: Vec<Message> = failures(analysis)
        .iter()
        .map(|tasks| others(system, tasks, failure(system, tasks[0], span)))
        .collect();
    messages.extend(analysis.tasks.iter().filter_map(|task| lower_level(system, task, span)));
    messages.extend(counted_once(system, analysis, span));
    messages.extend(chains::all(system, analysis, span));
    messages.extend(trust::all(system, analysis, span));
    if analysis.has_kernel_costs {
        messages.extend(costs(analysis));
    }
    messages.into_iter().map(|m| m.diagnostic).collect()
}

/// Adds the repairs found to the messages of [`diagnostics`] about the same tasks.
///
/// A repair becomes a fix where the description gives the value that it changes, and a note
/// besides.
pub fn advise(
    system: &System,
    analysis: &Analysis,
    repairs: &[Repair],
    span: &dyn Fn(Origin) -> Option<Span>,
    messages: &mut [Diagnostic],
) {
    // The messages about failures come first, in this same order: see `diagnostics`.
    for (tasks, message) in failures(analysis).iter().zip(messages) {
        let Some(repair) = repairs.iter().find(|r| tasks.iter().any(|t| t.task == r.task)) else {
            continue;
        };
        let text = repair.change.text(system);
        let rest = if repair.complete {
            "and then every deadline holds"
        } else {
            "and no guarantee is lost"
        };
        let whose = match tasks.len() {
            1 => String::new(),
            _ => format!(" of `{}`", system.task(repair.task).name),
        };
        let kind = match repair.change.keeps_work() {
            true => "a repair",
            false => "no other repair was found than less to do",
        };
        let note =
            format!("{kind}: `{text};` bounds the response{whose} by {}, {rest}", repair.response);
        message.notes.push(note);
        if let Some((origin, value)) = repair.change.replacement(system)
            && let Some(span) = span(origin)
        {
            let title = format!("write `{text};`");
            message.fixes.push(Fix { title, span, replacement: value });
        }
    }
}

/// Adds to messages of [`diagnostics`] about budgets that end in a job which ones would do.
pub fn advise_budgets(
    system: &System,
    analysis: &Analysis,
    lasting: &[(TaskId, Duration)],
    span: &dyn Fn(Origin) -> Option<Span>,
    messages: &mut [Diagnostic],
) {
    for (tasks, message) in failures(analysis).iter().zip(messages) {
        let Err(Obstacle::Suspended { task, .. }) = tasks[0].bound else { continue };
        let Some(&(_, least)) = lasting.iter().find(|(own, _)| *own == task) else { continue };
        let described = system.task(task);
        let text = format!("{}.budget = \"{}\"", described.name, least.exact());
        let others = beside(system, task, lasting);
        message
            .notes
            .push(format!("the least budget that lasts for each job is `{text};`{others}"));
        if let Some(span) = described.budget.as_ref().and_then(|own| span(own.amount.origin)) {
            let replacement = format!("\"{}\"", least.exact());
            message.fixes.push(Fix { title: format!("write `{text};`"), span, replacement });
        }
    }
}

/// Returns half a sentence that names the other tasks whose budgets must last.
fn beside(system: &System, own: TaskId, lasting: &[(TaskId, Duration)]) -> String {
    let others = lasting.iter().filter(|&&(task, _)| task != own);
    let names: Vec<String> =
        others.map(|&(task, _)| format!("`{}`", system.task(task).name)).collect();
    match names.split_last() {
        None => String::new(),
        Some((last, [])) => format!(", if that of {last} lasts as well"),
        Some((last, first)) => {
            format!(", if those of {} and {last} last as well", first.join(", "))
        }
    }
}

/// Tasks without guarantee; those without bound for the same reason together.
fn failures(analysis: &Analysis) -> Vec<Vec<&TaskBound>> {
    let mut groups: Vec<Vec<&TaskBound>> = Vec::new();
    for task in analysis.tasks.iter().filter(|t| !t.is_schedulable()) {
        // Tasks without bound for one reason have one remedy. Missed deadlines have parts of their
        // own, so each has a message.
        let same =
            |group: &&mut Vec<&TaskBound>| group[0].bound.is_err() && group[0].bound == task.bound;
        match groups.iter_mut().find(same) {
            Some(group) => group.push(task),
            None => groups.push(vec![task]),
        }
    }
    groups
}

/// Names up to five further tasks that a message is about.
fn others(system: &System, tasks: &[&TaskBound], message: Message) -> Message {
    let names: Vec<String> =
        tasks[1..].iter().map(|t| format!("`{}`", system.task(t.task).name)).collect();
    match names.len() {
        0 => message,
        1..=5 => {
            message.note(format!("for the same reason there is no bound for {}", names.join(", ")))
        }
        more => message.note(format!(
            "for the same reason there is no bound for {} and {} more",
            names[..5].join(", "),
            more - 5
        )),
    }
}

fn failure(system: &System, task: &TaskBound, places: Places<'_>) -> Message {
    match &task.bound {
        Err(obstacle) => no_bound(system, task, obstacle, places),
        Ok(bound) => {
            let described = system.task(task.task);
            let deadline = task.deadline.unwrap_or_default();
            let text = format!(
                "the deadline of `{}` is not guaranteed: its response time may be {}, {} allowed",
                described.name, bound.response, deadline
            );
            let place = described.deadline.map_or(described.origin, |d| d.origin);
            let message = Message::new(&rules::DEADLINE, text).place(
                places,
                place,
                "this deadline".to_owned(),
            );
            let parts = causes(system, task, 3);
            let message = parts
                .into_iter()
                .fold(message, |m, cause| m.place(places, cause.origin, cause.text));
            message.note(format!("the bound rests on {}", bound.theorem.name()))
        }
    }
}

fn lower_level(system: &System, task: &TaskBound, places: Places<'_>) -> Option<Message> {
    let bound = task.bound.as_ref().ok().filter(|b| b.theorem == Theorem::LowerLevel)?;
    // Nobody asks for the bound of a task without a deadline.
    task.deadline?;
    let own = system.task(task.task);
    let text = format!(
        "the bound of `{}` ({}) is that of a lower priority level",
        own.name, bound.response
    );
    let message =
        Message::new(&rules::LOWER_LEVEL, text).place(places, own.origin, "this task".to_owned());
    Some(message.note("it holds, but may be longer than need be".to_owned()))
}

fn counted_once<'a>(
    system: &'a System,
    analysis: &'a Analysis,
    places: Places<'a>,
) -> impl Iterator<Item = Message> + 'a {
    let bounded: Vec<_> = (analysis.tasks.iter())
        .filter(|t| t.deadline.is_some() && t.bound.is_ok())
        .map(|t| (system.task(t.task), system.level(t.task)))
        .collect();
    // Under earliest deadline first a task without deadline is in no other's way.
    let by_priority = |core| system.policy_on(core) == Policy::FixedPriority;
    let untimed = system.task_ids().filter(move |(id, task)| {
        task.release.is_none() && by_priority(task.core) && trees::has_one_job(system, *id)
    });
    untimed.filter_map(move |(id, task)| {
        let level = system.level(id);
        let matters = bounded
            .iter()
            .any(|&(other, level_of_other)| other.core == task.core && level_of_other <= level);
        let text = format!("`{}` has no period and is counted with one job", task.name);
        matters.then(|| {
            Message::new(&rules::ONCE, text).place(places, task.origin, "this task".to_owned())
        })
    })
}

fn costs(analysis: &Analysis) -> Option<Message> {
    // What is proved rests on nothing that a user would have to know.
    if analysis.provenance == Provenance::Proved {
        return None;
    }
    let word = analysis.provenance.name();
    let text = format!(
        "the kernel costs of `{}` are {word}, not proved, and so are the bounds",
        analysis.platform
    );
    Some(Message::new(&rules::COSTS, text))
}
