//! Tasks that dispatch others, and the time that they give them.
//!
//! `worker.scheduler = "root"` says who dispatches a thread; `root.delegates = ["3 ms to worker"]`,
//! in order, what it gives in each `root.delegates_every`.

use super::codes;
use super::context::Context;
use super::read::{self, Attributes, Zero};
use super::report::Report;
use super::value::Located;
use fusee_diagnostics::Diagnostic;
use fusee_model::{Algorithm, Delegation, Scheduler, Sourced, System, TaskId};
use std::collections::HashMap;

/// Reads them, when all tasks have their priorities.
pub(super) fn build(context: &Context<'_, '_>, system: &mut System, report: &mut Report) {
    let mut schedulers: Vec<Scheduler> = Vec::new();
    for (task, attributes) in tasks(context, system) {
        let Some(scheduler) = named(&attributes, system, report) else { continue };
        let own = Sourced { value: task, origin: scheduler.origin };
        match schedulers.iter_mut().find(|known| known.task == scheduler.value) {
            Some(known) => known.threads.push(own),
            None => schedulers.push(Scheduler {
                task: scheduler.value,
                algorithm: algorithm(context, system, scheduler.value),
                threads: vec![own],
                every: None,
                delegates: Vec::new(),
            }),
        }
    }
    for (task, attributes) in tasks(context, system) {
        let every = attributes.duration("delegates_every", Zero::Refused, report);
        let Some((texts, given)) =
            attributes.get("delegates").and_then(|_| attributes.texts("delegates", report))
        else {
            continue;
        };
        let Some(scheduler) = schedulers.iter_mut().find(|known| known.task == task) else {
            let text = format!("`{}` delegates, and is nobody's scheduler", system.task(task).name);
            let error = Diagnostic::error(codes::SCHEDULER, text).at(given.name_span, "");
            report.push(error.with_note("`THREAD.scheduler` says whose thread another is"));
            continue;
        };
        if every.is_none() && !report.has_errors() {
            let error =
                Diagnostic::error(codes::DELEGATION, "nothing says how often this is given")
                    .at(given.name_span, "");
            report.push(error.with_note("set `delegates_every` to the time in which it is"));
        }
        scheduler.every = every;
        let gifts = texts.iter().filter_map(|&(text, place)| gift(system, (text, place), report));
        scheduler.delegates = gifts.collect();
    }
    schedulers.sort_by_key(|scheduler| scheduler.task);
    system.schedulers = schedulers;
}

/// Returns the tasks with the attributes of their components.
fn tasks<'a, 'f, 't>(
    context: &'a Context<'f, 't>,
    system: &System,
) -> Vec<(TaskId, Attributes<'a, 't>)> {
    let components = context.objects.components.iter().enumerate();
    // Of several in a component the first.
    let mut first = HashMap::new();
    for (task, of) in system.tasks.iter().enumerate() {
        first.entry(of.component).or_insert(task);
    }
    let of = |(instance, component): (usize, &Option<fusee_model::ComponentId>)| {
        let task = *first.get(&(*component)?)?;
        Some((TaskId::from(task), context.attributes(instance)))
    };
    components.filter_map(of).collect()
}

/// Returns the algorithm by which a task's component decides: that of the component that comes with
/// Fusee, if its type is from there.
fn algorithm(context: &Context<'_, '_>, system: &System, task: TaskId) -> Algorithm {
    let id = system.task(task).component;
    let instance = context.objects.components.iter().position(|own| *own == Some(id));
    let Some(instance) = instance else { return Algorithm::Own };
    let shape = &context.flat.instances[instance].shape;
    let shipped = shape.control.is_some_and(|place| context.names.library.contains(&place.file));
    let is_it = |known: &Algorithm| known.component() == Some(shape.name.as_str());
    let known = Algorithm::SHIPPED.into_iter().find(is_it).filter(|_| shipped);
    known.unwrap_or(Algorithm::Own)
}

/// Returns the scheduler that an instance names.
fn named(
    attributes: &Attributes<'_, '_>,
    system: &System,
    report: &mut Report,
) -> Option<Sourced<TaskId>> {
    attributes.get("scheduler")?;
    // A component's own attribute of that name is its own affair.
    if attributes.declared.is_some_and(|declared| declared.contains_key("scheduler")) {
        return None;
    }
    let (text, given) = attributes.text("scheduler", report)?;
    let found = system.tasks.iter().position(|task| task.name == text);
    match found {
        Some(task) => {
            let origin = report.origin(given.value.span);
            Some(Sourced { value: TaskId::from(task), origin })
        }
        None => {
            let error = Diagnostic::error(codes::SCHEDULER, format!("there is no task `{text}`"))
                .at(given.value.span, "");
            let names = system.tasks.iter().map(|task| format!("\"{}\"", task.name));
            let names: Vec<String> = names.collect();
            let name = format!("\"{text}\"");
            report.unknown(error, (&name, given.value.span), names.iter().map(String::as_str));
            None
        }
    }
}

/// `3 ms to worker`, `3 ms to worker at 200`.
fn gift(
    system: &System,
    (text, place): (&str, &Located),
    report: &mut Report,
) -> Option<Delegation> {
    let refused = |report: &mut Report, problem: String| {
        let error = Diagnostic::error(codes::DELEGATION, problem).at(place.span, "");
        report
            .push(error.with_note("for example \"3 ms to worker\", or \"3 ms to worker at 200\""));
    };
    let Some((amount, receiver)) = text.split_once(" to ") else {
        refused(report, "this gives nobody time".to_owned());
        return None;
    };
    let (name, priority) = match receiver.split_once(" at ") {
        Some((name, priority)) => (name.trim(), Some(priority.trim())),
        None => (receiver.trim(), None),
    };
    let Some(to) = system.tasks.iter().position(|task| task.name == name).map(TaskId::from) else {
        refused(report, format!("there is no task `{name}`"));
        return None;
    };
    let own = system.task(to).priority.value;
    let Some(priority) = priority.map_or(Some(own), |text| text.parse().ok()) else {
        refused(report, "a priority is a number from 0 to 255".to_owned());
        return None;
    };
    match read::parse_duration(amount.trim(), fusee_model::Duration(1)) {
        Ok(value) if value.ns() > 0 => {
            let origin = report.origin(place.span);
            Some(Delegation { to, amount: Sourced { value, origin }, priority })
        }
        Ok(_) => {
            refused(report, "nothing is given".to_owned());
            None
        }
        Err(error) => {
            refused(report, format!("`{}`: {error}", amount.trim()));
            None
        }
    }
}
