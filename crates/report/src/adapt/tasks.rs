//! Tasks with what is promised.

use crate::Inputs;
use crate::view::{Bound, Part, PartKind, Proof, Task};
use fusee_bounds::TaskBound;
use fusee_model::{Duration, Origin, PrioritySource, ReleaseKind, System, TaskId};

/// Returns the tasks' identities, highest priority first, equal ones in the description's order.
pub(crate) fn by_urgency(system: &System) -> Vec<TaskId> {
    let mut order: Vec<TaskId> = system.task_ids().map(|(id, _)| id).collect();
    order.sort_by_key(|&id| std::cmp::Reverse(system.task(id).priority.value));
    order
}

/// Returns a task as the page shows it.
pub(crate) fn task(inputs: &Inputs<'_>, id: TaskId) -> Task {
    let task = inputs.system.task(id);
    let bounds = inputs.analysis.and_then(|a| a.tasks.get(id.index()));
    let arrival = match task.release.as_ref().map(|r| r.kind) {
        Some(ReleaseKind::Periodic) => "periodic",
        Some(ReleaseKind::Sporadic) => "sporadic",
        Some(ReleaseKind::Notification(_)) => "released by an event",
        None => "runs once",
    };
    Task {
        name: task.name.clone(),
        priority: task.priority.value,
        priority_source: source(task.priority_source).into(),
        period: task.release.as_ref().map(|r| r.period.value),
        arrival: arrival.into(),
        deadline: task.deadline.map(|d| d.value),
        wcet: bounds.and_then(|b| b.wcet),
        bound: bounds.map_or(Bound::NotAnalysed, |b| bound(inputs, b)),
        repair: None,
        observed: None,
    }
}

fn source(source: PrioritySource) -> &'static str {
    match source {
        PrioritySource::Given => "from the description",
        PrioritySource::Default => "CAmkES's default",
        PrioritySource::DeadlineMonotonic => "assigned deadline-monotonically",
        PrioritySource::Audsley => "assigned by Audsley's method",
    }
}

fn bound(inputs: &Inputs<'_>, bounds: &TaskBound) -> Bound {
    if bounds.deadline.is_none() {
        return Bound::NotAnalysed;
    }
    match &bounds.bound {
        Err(_) => Bound::None { reasons: reason(inputs.system, bounds).into_iter().collect() },
        Ok(bound) => Bound::Proven(proof(inputs, bounds.task, bound)),
    }
}

fn proof(inputs: &Inputs<'_>, task: TaskId, bound: &fusee_bounds::Bound) -> Proof {
    let system = inputs.system;
    let name = |id: TaskId| system.task(id).name.clone();
    let place = |origin: Origin| {
        (inputs.span)(origin).map(|span| super::messages::place(inputs.sources, span))
    };
    let body =
        |id: TaskId| place(system.task(id).body.wcet_origin.unwrap_or(system.task(id).origin));
    let part = |kind, source, time, place| Part { kind, source, time, place };
    let mut parts = vec![part(PartKind::Own, String::new(), bound.own, body(task))];
    let interference = bound.interference.iter().map(|other| {
        let source = format!("{} ({})", name(other.task), crate::text::count(other.jobs, "job"));
        part(PartKind::Interference, source, other.time, body(other.task))
    });
    parts.extend(most(interference.collect(), "other tasks"));
    let blocking = bound.blocking.iter().map(|section| {
        let source = format!("{} in {}", name(section.task), system.gate(section.gate).name);
        let source = match section.waiting {
            Duration::ZERO => source,
            waiting => format!("{source} ({waiting} of it waiting for other cores)"),
        };
        part(PartKind::Blocking, source, section.time, place(section.origin))
    });
    parts.extend(most(blocking.collect(), "other sections"));
    let waiting = bound.waiting.iter().map(|wait| {
        let requests = crate::text::count(wait.requests, "request");
        let core = system.task(wait.task).core;
        let gate = &system.gate(wait.gate).name;
        let source = format!("{} on core {core} at {gate} ({requests})", name(wait.task));
        part(PartKind::OtherCores, source, wait.time, place(system.gate(wait.gate).protocol.origin))
    });
    parts.extend(most(waiting.collect(), "other waits"));
    let suspended = bound.suspension.iter().map(|wait| {
        let sections = crate::text::count(wait.requests, "section");
        let gate = system.gate(wait.gate);
        let source = format!("{} at {} ({sections}), suspended", name(wait.task), gate.name);
        part(PartKind::OtherCores, source, wait.time, place(gate.protocol.origin))
    });
    parts.extend(most(suspended.collect(), "other waits, suspended"));
    let events = bound.events.iter().map(|wait| {
        let event = &system.notifications[wait.event.index()];
        let source = format!("{} of {}", event.name, name(wait.task));
        part(PartKind::Events, source, wait.time, place(event.origin))
    });
    parts.extend(most(events.collect(), "other events"));
    parts.push(part(PartKind::Kernel, String::new(), bound.kernel, None));
    let table = system.scheduler_of(task).map_or(String::new(), |own| name(own.task));
    parts.push(part(PartKind::Withheld, table, bound.withheld, None));
    parts.push(part(PartKind::Jitter, String::new(), bound.jitter, None));
    let mut notes = Vec::new();
    if bound.job > 0 {
        notes.push(format!(
            "The latest response is that of job {} of {} in a busy period, so the parts cover {} \
             jobs of it; the bound counts from that job's arrival.",
            bound.job + 1,
            name(task),
            bound.job + 1
        ));
    }
    Proof { response: bound.response, parts, theorem: bound.theorem.name().into(), notes }
}

/// More parts of a kind than this are not told apart.
const MOST_PARTS: usize = 16;

/// Returns the first parts of a kind one by one (they come longest first), the others as one.
fn most(mut parts: Vec<Part>, others: &str) -> Vec<Part> {
    if parts.len() > MOST_PARTS {
        let rest = parts.split_off(MOST_PARTS - 1);
        let time = Duration(rest.iter().map(|part| part.time.ns()).sum());
        let source = format!("{} {others}", rest.len());
        parts.push(Part { kind: rest[0].kind, source, time, place: None });
    }
    parts
}

/// Returns why a task has no bound, as a whole sentence.
fn reason(system: &System, bounds: &TaskBound) -> Option<String> {
    let (_, cause) = fusee_bounds::cause(system, bounds)?;
    let mut letters = cause.chars();
    let first = letters.next()?.to_uppercase();
    Some(format!("{first}{}.", letters.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_parts_become_one_and_nothing_is_lost() {
        let (kind, place) = (PartKind::Interference, None);
        let part =
            |i| Part { kind, source: format!("t{i}"), time: Duration(i), place: place.clone() };
        let parts = |count| (1..=count).map(part).collect::<Vec<_>>();
        assert_eq!(most(parts(16), "other tasks").len(), 16);
        let shown = most(parts(100), "other tasks");
        assert_eq!((shown.len(), shown[15].source.as_str()), (16, "85 other tasks"));
        assert_eq!(shown.iter().map(|part| part.time.ns()).sum::<u64>(), 5050);
    }
}
