//! The release of a task: by the clock, something outside, or an event.
//!
//! A task that an event releases says it with `arrival = "event tick"`, for an event that
//! it consumes. Each signal is a job, and the kernel keeps them a period apart. Where no
//! `period` is given, it is that of the task that emits the event once in each of its
//! jobs: found when all tasks are known, along chains of such tasks. A program that waits
//! for the event in a loop says so with `wait tick` among its calls: what stands behind
//! the wait up to the next one is one job, so the list is turned until it begins there.

use super::codes;
use super::connect::Place;
use super::context::Context;
use super::read::{self, Attributes, Zero};
use super::report::Report;
use super::settings::Given;
use super::value::Datum;
use crate::tree::InterfaceKind as Kind;
use fusee_diagnostics::Diagnostic;
use fusee_model::{
    Body, Duration, NotificationId, Origin, Overrun, Release, ReleaseKind, Sourced, Step, System,
    Task, TaskId,
};

/// The period of a release that is still to be found; no description can give it.
const UNKNOWN: Duration = Duration::ZERO;

/// When the jobs of an instance's control thread are released; the period may still be unknown.
pub(super) fn release(
    context: &Context<'_, '_>,
    instance: usize,
    attributes: &Attributes<'_, '_>,
    report: &mut Report,
) -> Option<Release> {
    let origin = report.origin(context.flat.instances[instance].span);
    let given = attributes.duration_or_microseconds("period", report);
    let kind = arrival(context, instance, attributes, report);
    let unknown = match kind {
        Some(Sourced { value: ReleaseKind::Notification(_), origin })
            if attributes.get("period").is_none() =>
        {
            Some(Sourced { value: UNKNOWN, origin })
        }
        _ => None,
    };
    let period = given.or(unknown)?;
    let kind = kind.map_or(ReleaseKind::Periodic, |given| given.value);
    let offset = attributes.duration("offset", Zero::Allowed, report);
    let jitter = attributes.duration("jitter", Zero::Allowed, report);
    let by_event = matches!(kind, ReleaseKind::Notification(_));
    if let Some(offset) = offset.filter(|_| kind != ReleaseKind::Periodic) {
        let whose = if by_event { "a task that an event releases" } else { "a sporadic task" };
        refuse(
            format!("{whose} has no first release to put an `offset` to"),
            offset.origin,
            report,
        );
    }
    if let Some(jitter) = jitter.filter(|_| by_event) {
        let message =
            "a task that an event releases has no `jitter`: its job arrives when the event does";
        refuse(message.to_owned(), jitter.origin, report);
    }
    let none = Sourced { value: Duration::ZERO, origin };
    let offset = offset.map_or(Duration::ZERO, |given| given.value);
    Some(Release { kind, period, offset, jitter: jitter.unwrap_or(none) })
}

fn refuse(message: String, origin: Origin, report: &mut Report) {
    if let Some(span) = report.origins.span(origin) {
        report.push(Diagnostic::error(codes::CONFLICTING_ATTRIBUTES, message).at(span, ""));
    }
}

/// Returns `true` if an event is to release the task, whether or not there is such an event.
pub(super) fn names_an_event(attributes: &Attributes<'_, '_>) -> bool {
    let arrival = attributes.get("arrival");
    arrival.is_some_and(|given| match &given.value.datum {
        Datum::Text(text) => text.trim().starts_with("event "),
        _ => false,
    })
}

fn arrival(
    context: &Context<'_, '_>,
    instance: usize,
    attributes: &Attributes<'_, '_>,
    report: &mut Report,
) -> Option<Sourced<ReleaseKind>> {
    attributes.get("arrival")?;
    let (text, given) = attributes.text("arrival", report)?;
    let kind = match text.split_once(char::is_whitespace) {
        None if text == "periodic" => ReleaseKind::Periodic,
        None if text == "sporadic" => ReleaseKind::Sporadic,
        Some(("event", event)) => {
            ReleaseKind::Notification(event_of(context, instance, (event.trim(), given), report)?)
        }
        _ => {
            let words = ["periodic", "sporadic", "event NAME"];
            report.push(read::no_choice("arrival", text, given, words.into_iter()));
            return None;
        }
    };
    Some(Sourced { value: kind, origin: report.origin(given.value.span) })
}

/// Returns the notification behind a consumed event of an instance.
fn event_of(
    context: &Context<'_, '_>,
    instance: usize,
    (event, given): (&str, &Given),
    report: &mut Report,
) -> Option<NotificationId> {
    let shape = &context.flat.instances[instance].shape;
    let Some(port) =
        shape.port(event).filter(|&port| shape.interfaces[port].kind == Kind::Consumes)
    else {
        let message = format!("the component has no `consumes` interface `{event}`");
        let error = Diagnostic::error(codes::RELEASE_EVENT, message).at(given.value.span, "");
        let comes = |port| context.objects.consumed.contains_key(&Place { instance, port });
        let events = shape.interfaces.iter().enumerate().filter(|(port, _)| comes(*port));
        let fixes: Vec<String> =
            events.map(|(_, port)| format!("\"event {}\"", port.name.text)).collect();
        let name = format!("\"event {event}\"");
        report.unknown(error, (&name, given.value.span), fixes.iter().map(String::as_str));
        return None;
    };
    let found = context.objects.consumed.get(&Place { instance, port }).copied();
    if found.is_none() {
        let error = Diagnostic::error(
            codes::RELEASE_EVENT,
            format!("the event `{event}` comes from nowhere"),
        );
        let error =
            error.at(given.value.span, "").because(shape.interfaces[port].span, "not connected");
        report.push(error.with_note("connect it, or let the clock release the task"));
    }
    found
}

/// Returns the body of one job of a task: from behind its wait for the event that releases it up to
/// the next such wait.
pub(super) fn of_one_job(
    release: &Option<Release>,
    mut body: Body,
    origin: Origin,
    report: &mut Report,
) -> Body {
    let Some(ReleaseKind::Notification(event)) = release.as_ref().map(|release| release.kind)
    else {
        return body;
    };
    let is_wait = |step: &Step| *step == Step::Wait(event);
    let Some(first) = body.steps.iter().position(is_wait) else { return body };
    body.steps.rotate_left(first);
    body.steps.remove(0);
    if body.steps.iter().any(is_wait) {
        let message = "the calls wait more than once for the event that releases the task";
        let place = if let fusee_model::Calls::Given(calls) = body.calls { calls } else { origin };
        let mut error = Diagnostic::error(codes::RELEASE_EVENT, message);
        if let Some(span) = report.origins.span(place) {
            error = error
                .at(span, "each such wait is the end of one job and the beginning of the next");
        }
        report.push(error.with_note("describe one job: what is done for one event"));
    }
    body
}

/// Finds the periods that emitters give, along chains; what stays unknown is an error.
pub(super) fn derive_periods(system: &mut System, report: &mut Report) {
    loop {
        let found =
            system.task_ids().find_map(|(id, task)| Some((id, emitters_period(system, task)?)));
        let Some((id, period)) = found else { break };
        let task = &mut system.tasks[id.index()];
        if let Some(release) = &mut task.release {
            release.period = period;
        }
        if task.deadline.is_some_and(|deadline| deadline.value == UNKNOWN) {
            task.deadline = Some(period);
        }
    }
    for (_, task) in system.task_ids() {
        if let Some((event, origin)) = unknown(task) {
            say_period(system, task, (event, origin), report);
        }
    }
}

/// Returns the event of a task whose period is unknown, and where that is said.
fn unknown(task: &Task) -> Option<(NotificationId, Origin)> {
    match &task.release {
        Some(Release { kind: ReleaseKind::Notification(event), period, .. })
            if period.value == UNKNOWN =>
        {
            Some((*event, period.origin))
        }
        _ => None,
    }
}

/// Returns the known period of the one task that emits a task's event, once in a job.
fn emitters_period(system: &System, task: &Task) -> Option<Sourced<Duration>> {
    let (event, _) = unknown(task)?;
    let emitter = only_emitter(system, event)?;
    let release = system.task(emitter).release.as_ref()?;
    (release.period.value != UNKNOWN).then_some(release.period)
}

fn only_emitter(system: &System, event: NotificationId) -> Option<TaskId> {
    let emissions =
        |body: &Body| body.steps.iter().filter(|step| **step == Step::Emit(event)).count();
    let of_methods: usize =
        system.gates.iter().flat_map(|gate| &gate.methods).map(|m| emissions(&m.body)).sum();
    let notifies =
        |task: &Task| task.budget.as_ref().is_some_and(|b| b.overrun == Overrun::Notify(event));
    let of_tasks: usize =
        system.tasks.iter().map(|task| emissions(&task.body) + usize::from(notifies(task))).sum();
    let mut emitters =
        system.task_ids().filter(|(_, task)| emissions(&task.body) == 1).map(|(id, _)| id);
    emitters.next().filter(|_| of_methods == 0 && of_tasks == 1)
}

fn say_period(
    system: &System,
    task: &Task,
    (event, origin): (NotificationId, Origin),
    report: &mut Report,
) {
    let event = &system.notifications[event.index()];
    let message = format!("nothing says how often `{}` releases `{}`", event.name, task.name);
    let mut error = Diagnostic::error(codes::WITHOUT_PERIOD, message);
    if let Some(span) = report.origins.span(origin) {
        error = error.at(span, "");
    }
    if let Some(span) = report.origins.span(event.origin) {
        error = error
            .because(span, "the event does not come from one task alone, once in each of its jobs");
    }
    let note = "give a `period`: the least time between two releases, which the kernel enforces";
    report.push(error.with_note(note));
}
