//! What bounds rest on of code that is not trusted.

use fusee_model::derived::Derived;
use fusee_model::{GateId, System, TaskId};
use std::collections::BTreeSet;

use crate::bound::Analysis;
use crate::message::{Message, Places};
use crate::rules;

/// One note for each task that runs such code in a way that nothing limits, with those whose bounds
/// rest on what is said of it.
pub(crate) fn all(system: &System, analysis: &Analysis, places: Places<'_>) -> Vec<Message> {
    let derived = Derived::of(system);
    let tasks = system.task_ids().map(|(id, _)| id);
    let code = |task: TaskId| system.untrusted_code(&derived, task);
    let hostile = tasks.filter(|&task| !code(task).is_empty());
    hostile.filter_map(|task| of_task(system, &derived, (task, analysis), places)).collect()
}

fn of_task(
    system: &System,
    derived: &Derived,
    (task, analysis): (TaskId, &Analysis),
    places: Places<'_>,
) -> Option<Message> {
    let reason = reason(system, derived, task)?;
    let described = system.task(task);
    let bounded = analysis.tasks.iter().filter(|other| other.bound.is_ok());
    let reached = || derived.task(task).gates.iter().copied();
    // Above those of its core, and ahead of those of others, is whoever is in such a section.
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
        let below = core == described.core && system.level(other) <= system.level(task);
        other != task && (below || shares || cores.contains(&core))
    };
    // Who runs such code by calling it rests on it itself.
    let own = !system.is_trusted(described.component);
    let names: Vec<String> = bounded
        .map(|other| other.task)
        .filter(|&other| rests(other) || (other == task && !own))
        .map(|other| format!("`{}`", system.task(other).name))
        .collect();
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

/// What of a task's behaviour nothing limits, or no bound counts the limit of.
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
