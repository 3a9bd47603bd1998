//! Control threads with their timing.
//!
//! `_priority` is the control thread's own and wins over `priority`, which in CAmkES
//! is for all threads of a component; likewise `_period`, `_budget` and `_affinity`.
//! An attribute that has no effect (a deadline without a period, a period without a
//! control thread) is an error: somebody relies on it.

use super::bodies::{BodyNames, Inside};
use super::codes;
use super::connect::Place;
use super::context::Context;
use super::contradictions;
use super::gates::conflict;
use super::limit;
use super::read::{self, Attributes, LAST_CORE, Zero};
use super::releases;
use super::report::Report;
use super::value::Datum;
use crate::tree::InterfaceKind as Kind;
use fusee_diagnostics::Diagnostic;
use fusee_model::{Budget, ComponentId, OnFault, Overrun, PrioritySource, Release, Sourced, Task};
use std::collections::BTreeMap;

/// The priority that CAmkES gives a thread.
const DEFAULT_PRIORITY: u8 = 254;

const ON_FAULT: &[(&str, OnFault)] =
    &[("continue", OnFault::Continue), ("dead", OnFault::Dead), ("restart", OnFault::Restart)];

/// Makes the tasks, in the order of components.
pub(super) fn build(context: &Context<'_, '_>, report: &mut Report) -> Vec<Task> {
    let mut tasks = Vec::new();
    let mut requestors = BTreeMap::new();
    for (instance, flat) in context.flat.instances.iter().enumerate() {
        let Some(component) = context.objects.components[instance] else { continue };
        check_requestor(&flat.name, &context.attributes(instance), &mut requestors, report);
        match flat.shape.control {
            Some(_) => tasks.push(task(context, instance, component, report)),
            None => refuse_timing(context, instance, report),
        }
    }
    tasks
}

/// Returns the effect of a fault on a component.
pub(super) fn on_fault(attributes: &Attributes<'_, '_>, report: &mut Report) -> OnFault {
    attributes.choice("on_fault", ON_FAULT, report).map_or(OnFault::default(), |given| given.value)
}

/// Returns whether a component's code may let threads sleep on each other's account.
pub(super) fn dependencies(attributes: &Attributes<'_, '_>, report: &mut Report) -> Option<bool> {
    attributes.truth("dependencies", report)
}

/// Reads `trusted`: true if others may rest on the times and calls of a component's code.
pub(super) fn trusted(attributes: &Attributes<'_, '_>, report: &mut Report) -> Option<bool> {
    attributes.truth("trusted", report)
}

fn task(
    context: &Context<'_, '_>,
    instance: usize,
    component: ComponentId,
    report: &mut Report,
) -> Task {
    let flat = &context.flat.instances[instance];
    let attributes = context.attributes(instance);
    let origin = report.origin(flat.span);
    contradictions::refuse(flat, &attributes, report);
    let release = releases::release(context, instance, &attributes, report);
    let deadline = match &release {
        Some(release) => {
            Some(attributes.duration("deadline", Zero::Refused, report).unwrap_or(release.period))
        }
        None => {
            refuse_without_period(&attributes, report);
            None
        }
    };
    let given = attributes.priority("_priority", report);
    let given = given.or_else(|| attributes.priority("priority", report));
    let (priority, priority_source) = match (given, &release) {
        (Some(given), _) => (given, PrioritySource::Given),
        (None, Some(_)) => (Sourced { value: 0, origin }, PrioritySource::DeadlineMonotonic),
        (None, None) => (Sourced { value: DEFAULT_PRIORITY, origin }, PrioritySource::Default),
    };
    let inside = Inside {
        instance,
        shape: &flat.shape,
        attributes: context.attributes(instance),
        objects: context.objects,
        sections: context.sections,
        methods: &|gate| context.methods(gate),
    };
    let budget = budget(context, instance, (&attributes, &release), report);
    let body = inside.body(&BodyNames::of_task(), report);
    let body = releases::of_one_job(&release, body, origin, report);
    Task {
        name: flat.name.clone(),
        component,
        release,
        deadline,
        priority,
        priority_source,
        core: core(&attributes, report),
        budget,
        body,
        origin,
    }
}

fn refuse_without_period(attributes: &Attributes<'_, '_>, report: &mut Report) {
    if attributes.get("period").is_some() || releases::names_an_event(attributes) {
        return;
    }
    for name in ["deadline", "jitter", "offset", "arrival"] {
        if let Some(given) = attributes.get(name).filter(|given| given.set) {
            given.settle();
            let message = format!("`{name}` has no effect without a `period`");
            let error = Diagnostic::error(codes::WITHOUT_PERIOD, message).at(given.name_span, "");
            report.push(error.with_note("a task without a period runs once and is not analysed"));
        }
    }
}

fn refuse_timing(context: &Context<'_, '_>, instance: usize, report: &mut Report) {
    let attributes = context.attributes(instance);
    let flat = &context.flat.instances[instance];
    for name in [
        "period", "deadline", "budget", "overrun", "wcet", "bcet", "jitter", "offset", "arrival",
        "calls", "core",
    ] {
        let own = flat.shape.attributes.contains_key(name);
        let camkes = matches!(name, "period" | "budget")
            && attributes
                .get(name)
                .is_some_and(|given| matches!(given.value.datum, Datum::Integer(_)));
        if let Some(given) = attributes.get(name).filter(|given| given.set && !own && !camkes) {
            given.settle();
            let message = format!("`{name}` has no effect: `{}` has no control thread", flat.name);
            let error = Diagnostic::error(codes::WITHOUT_CONTROL, message).at(given.name_span, "");
            let error = error.because(flat.span, "its component does not say `control;`");
            let provided = flat.shape.interfaces.iter().find(|port| port.kind == Kind::Provides);
            report.push(match (provided, name) {
                (Some(port), "wcet" | "bcet" | "calls") => {
                    let meant = format!("{}_{name}", port.name.text);
                    error.with_fix(format!("did you mean `{meant}`?"), given.name_span, meant)
                }
                _ => error,
            });
        }
    }
}

fn core(attributes: &Attributes<'_, '_>, report: &mut Report) -> u32 {
    let own = attributes.integer("core", (0, LAST_CORE), report);
    let thread = attributes.integer("_affinity", (0, LAST_CORE), report);
    let camkes = thread.or_else(|| attributes.integer("affinity", (0, LAST_CORE), report));
    if let (Some(own), Some(camkes)) = (own, camkes)
        && own.value != camkes.value
    {
        let message =
            format!("the core is {} by one attribute and {} by another", own.value, camkes.value);
        report.push(conflict(message, own.origin, camkes.origin, report));
    }
    own.or(camkes).map_or(0, |core| core.value)
}

fn budget(
    context: &Context<'_, '_>,
    instance: usize,
    (attributes, release): (&Attributes<'_, '_>, &Option<Release>),
    report: &mut Report,
) -> Option<Budget> {
    let own = attributes.duration_or_microseconds("budget", report);
    let amount = own.or_else(|| limit::of_jobs(attributes, release, report));
    let overrun = overrun(context, instance, attributes, report);
    if let (None, Some(given)) = (amount, attributes.get("overrun").filter(|given| given.set))
        && attributes.get("budget").or(attributes.get("_budget")).is_none()
    {
        given.settle();
        let message = "`overrun` has no effect without a `budget`";
        report.push(Diagnostic::error(codes::WITHOUT_PERIOD, message).at(given.name_span, ""));
    }
    Some(Budget { amount: amount?, overrun: overrun? })
}

fn overrun(
    context: &Context<'_, '_>,
    instance: usize,
    attributes: &Attributes<'_, '_>,
    report: &mut Report,
) -> Option<Overrun> {
    if attributes.get("overrun").is_none() {
        return Some(Overrun::Suspend);
    }
    let (text, given) = attributes.text("overrun", report)?;
    match text.split_once(char::is_whitespace) {
        None if text == "suspend" => Some(Overrun::Suspend),
        None if text == "continue" => Some(Overrun::Continue),
        Some(("notify", event)) => notified(context, instance, event.trim(), given, report),
        _ => {
            let words = ["suspend", "continue", "notify EVENT"];
            report.push(read::no_choice("overrun", text, given, words.into_iter()));
            None
        }
    }
}

fn notified(
    context: &Context<'_, '_>,
    instance: usize,
    event: &str,
    given: &super::settings::Given,
    report: &mut Report,
) -> Option<Overrun> {
    let shape = &context.flat.instances[instance].shape;
    let port = shape.port(event).filter(|&port| shape.interfaces[port].kind == Kind::Emits);
    let Some(port) = port else {
        let message = format!("the component has no `emits` interface `{event}`");
        let error = Diagnostic::error(codes::OVERRUN_EVENT, message).at(given.value.span, "");
        let one = |port| {
            context.objects.emitted.get(&Place { instance, port }).is_some_and(|all| all.len() == 1)
        };
        let events = shape
            .interfaces
            .iter()
            .enumerate()
            .filter(|(port, p)| p.kind == Kind::Emits && one(*port));
        let fixes: Vec<String> =
            events.map(|(_, p)| format!("\"notify {}\"", p.name.text)).collect();
        let name = format!("\"notify {event}\"");
        report.unknown(error, (&name, given.value.span), fixes.iter().map(String::as_str));
        return None;
    };
    let signalled = context.objects.emitted.get(&Place { instance, port }).map(Vec::as_slice);
    match signalled {
        Some(&[notification]) => Some(Overrun::Notify(notification)),
        other => {
            let what = if other.is_none() {
                "leads nowhere"
            } else {
                "has several consumers, an overrun notifies one"
            };
            let error =
                Diagnostic::error(codes::OVERRUN_EVENT, format!("the event `{event}` {what}"));
            report.push(
                error
                    .at(given.value.span, "")
                    .because(shape.interfaces[port].span, "declared here"),
            );
            None
        }
    }
}

fn check_requestor<'n>(
    name: &'n str,
    attributes: &Attributes<'_, '_>,
    known: &mut BTreeMap<u32, (&'n str, Sourced<u32>)>,
    report: &mut Report,
) {
    let Some(own) = attributes.integer("requestor", (0, u32::MAX), report) else { return };
    if let Some((other, first)) = known.insert(own.value, (name, own)) {
        let message = format!("`{other}` and `{name}` both have the requestor {}", own.value);
        let mut warning = Diagnostic::warning(codes::SAME_REQUESTOR, message);
        if let Some(span) = report.origins.span(own.origin) {
            warning = warning.at(span, format!("of `{name}`"));
        }
        if let Some(span) = report.origins.span(first.origin) {
            warning = warning.because(span, format!("of `{other}`"));
        }
        report
            .push(warning.with_note(
                "a request says by this number whose it is, so each task needs its own",
            ));
    }
}
