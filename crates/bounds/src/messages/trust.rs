//! The part of bounds that rests on code that is not trusted.

use fusee_model::derived::Derived;
use fusee_model::{GateId, Policy, System, TaskId};
use std::collections::BTreeSet;

use super::message::{Message, Places};
use crate::bound::Analysis;
use crate::rules;

/// One note for each task that runs such code in a way that nothing limits, with those whose bounds
/// rest on what is said of it.
pub(super) fn all(system: &System, analysis: &Analysis, places: Places<'_>) -> Vec<Message> {
    let derived = Derived::of(system);
    let tasks = system.task_ids().map(|(id, _)| id);
    tasks.filter_map(|task| of_task(system, &derived, (task, analysis), places)).collect()
}

/// Returns the tasks whose bounds rest on what is said of code that is not trusted, since nothing
/// that the kernel enforces limits it.
pub fn resting(system: &System, analysis: &Analysis) -> BTreeSet<TaskId> {
    let derived = Derived::of(system);
    let hostile = system.task_ids().map(|(id, _)| id);
    let rest = hostile.filter_map(|task| resting_on(system, &derived, (task, analysis)));
    rest.flat_map(|(_, tasks)| tasks).collect()
}

/// Those whose bounds rest on what is said of a task that runs such code, and why.
fn resting_on(
    system: &System,
    derived: &Derived,
    (task, analysis): (TaskId, &Analysis),
) -> Option<(&'static str, Vec<TaskId>)> {
    if system.untrusted_code(derived, task).is_empty() {
        return None;
    }
    let described = system.task(task);
    let bounded = analysis.tasks.iter().filter(|other| other.bound.is_ok());
    // A task that runs such code by calling it rests on it itself.
    let calls = system.is_trusted(described.component);
    let Some(reason) = reason(system, derived, task) else {
        let own = bounded.map(|other| other.task).filter(|&other| other == task && calls);
        return Some(("its job takes as long as that code does", own.collect()));
    };
    let reached = || derived.task(task).gates.iter().copied();
    // A task in such a section is above those of its core, and ahead of those of others.
    let open = |gate: &GateId| {
        let gate = system.gate(*gate);
        gate.is_global() || (gate.is_exclusive() && !system.is_trusted(gate.component))
    };
    let cores: BTreeSet<u32> =
        reached().filter(open).flat_map(|gate| derived.gate(gate).cores.clone()).collect();
    let rests = |other: TaskId| {
        let core = system.task(other).core;
        let shares =
            reached().any(|gate| system.gate(gate).is_exclusive() && derived.reaches(other, gate));
        // Where deadlines decide, an old job is before all others.
        let by_level = system.policy_on(core) == Policy::FixedPriority;
        let is_below = !by_level || system.level(other) <= system.level(task);
        let below = core == described.core && is_below;
        other != task && (below || shares || cores.contains(&core))
    };
    let all = bounded.map(|other| other.task);
    Some((reason, all.filter(|&other| rests(other) || (other == task && calls)).collect()))
}

fn of_task(
    system: &System,
    derived: &Derived,
    (task, analysis): (TaskId, &Analysis),
    places: Places<'_>,
) -> Option<Message> {
    let (reason, tasks) = resting_on(system, derived, (task, analysis))?;
    let described = system.task(task);
    let names: Vec<String> =
        tasks.iter().map(|&other| format!("`{}`", system.task(other).name)).collect();
    let whose = match names.as_slice() {
        [] => return None,
        [one] => format!("the bound of {one} rests"),
        [most @ .., last] if most.len() < 6 => {
            format!("the bounds of {} and {last} rest", most.join(", "))
        }
        all => format!("the bounds of {} and {} more rest", all[..6].join(", "), all.len() - 6),
    };
    let code: Vec<String> = system
        .untrusted_code(derived, task)
        .into_iter()
        .map(|id| format!("`{}`", system.component(id).name))
        .collect();
    let text = format!(
        "{whose} on what is said of `{}`, which runs code of {} that is not trusted: {reason}",
        described.name,
        code.join(", ")
    );
    Some(Message::new(&rules::UNTRUSTED, text).place(
        places,
        described.origin,
        "this task".to_owned(),
    ))
}

/// Returns the behavior of a task that nothing limits, or whose limit no bound counts.
fn reason(system: &System, derived: &Derived, task: TaskId) -> Option<&'static str> {
    let gates = &derived.task(task).gates;
    let between = gates.iter().any(|&gate| system.gate(gate).is_global());
    let waits = system.untrusted_code(derived, task).into_iter().any(|id| {
        let component = system.component(id);
        let consumes = component.interfaces.iter().any(|interface| {
            matches!(interface.kind, fusee_model::InterfaceKind::Consumes(Some(_)))
        });
        consumes || !component.code.locks.is_empty()
    });
    match () {
        () if system.enforced_budget(task).is_none() => Some("no budget ends it"),
        () if between => Some("no budget ends a section between cores, and nothing counts them"),
        () if waits => Some("it may wait, and go on, as often as it likes"),
        () => None,
    }
}
