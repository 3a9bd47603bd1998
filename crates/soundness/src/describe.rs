//! A system and a broken bound in words short enough to read.

use crate::judge::Violation;
use fusee_generate::Case;
use fusee_model::{Body, GateId, NotificationId, Step, System};
use fusee_sim::Releases;
use std::fmt::Write;

/// Everything that is needed to see the violation.
pub fn describe(case: &Case, violation: &Violation) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write(&mut text, case, violation);
    text
}

fn write(text: &mut String, case: &Case, violation: &Violation) -> std::fmt::Result {
    let system = &case.system;
    if let Some(policy) = system.settings.policy {
        writeln!(text, "  policy {}", policy.value.name())?;
    }
    for (task, described) in system.tasks.iter().enumerate() {
        write!(text, "  task {}: priority {}", described.name, described.priority.value)?;
        if let Some(r) = &described.release {
            write!(
                text,
                ", {:?} period {} jitter {}",
                r.kind,
                r.period.value.ns(),
                r.jitter.value.ns()
            )?;
            write!(text, " offset {}", r.offset.ns())?;
        }
        if let Some(deadline) = &described.deadline {
            write!(text, ", deadline {}", deadline.value.ns())?;
        }
        if let Some(budget) = &described.budget {
            write!(text, ", budget {} {:?}", budget.amount.value.ns(), budget.overrun)?;
        }
        if let Releases::Phased { starts } = &violation.options.releases {
            write!(text, ", starts {}", starts.get(task).map_or(0, |start| start.ns()))?;
        }
        writeln!(text, "\n    {}", steps(system, &described.body))?;
    }
    for gate in &system.gates {
        let direct = if gate.direct { ", direct" } else { "" };
        let ceiling =
            gate.given_ceiling.map_or(String::new(), |c| format!(", ceiling {}", c.value));
        writeln!(text, "  gate {}: {}{ceiling}{direct}", gate.name, gate.protocol.value.name())?;
        for method in &gate.methods {
            writeln!(text, "    {}: {}", method.name, steps(system, &method.body))?;
        }
    }
    if let Some(slice) = system.settings.time_slice {
        writeln!(text, "  time slice {}", slice.value.ns())?;
    }
    if !case.costs.is_zero() {
        writeln!(text, "  {:?}", case.costs)?;
    }
    let options = &violation.options;
    let releases = match &options.releases {
        Releases::Phased { .. } => "phased".to_owned(),
        other => format!("{other:?}"),
    };
    writeln!(text, "  run: {releases}, {:?}, seed {}", options.execution, options.seed)?;
    let name = &system.task(violation.task).name;
    writeln!(
        text,
        "  => {name} took {} ns, its bound is {} ns",
        violation.observed.ns(),
        violation.bound.ns()
    )
}

fn steps(system: &System, body: &Body) -> String {
    let gate = |id: GateId| system.gate(id).name.as_str();
    let event = |id: NotificationId| system.notifications[id.index()].name.as_str();
    let steps = body.steps.iter().map(|step| match step {
        Step::Compute { best, worst } if best == worst => format!("{}", worst.ns()),
        Step::Compute { best, worst } => format!("{}..{}", best.ns(), worst.ns()),
        Step::Invoke { gate: id, method, .. } => {
            format!("{}.{}", gate(*id), method.map_or("any".into(), |m| format!("m{m}")))
        }
        Step::Emit(id) => format!("emit {}", event(*id)),
        Step::Wait(id) => format!("wait {}", event(*id)),
    });
    let steps: Vec<String> = steps.collect();
    if steps.is_empty() { "nothing".into() } else { steps.join(", ") }
}
