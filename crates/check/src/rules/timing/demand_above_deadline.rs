//! A job that takes longer than its deadline allows.

use fusee_diagnostics::{Code, Rule, Severity};

use super::because_of_wcet;
use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0534"),
    name: "demand-above-deadline",
    severity: Severity::Warning,
    what: "A task's job, with all that it invokes, can take longer than the task's deadline, \
           though not longer than its period.",
    why: "Even alone on its core the task misses its deadline.",
    example: r#"
component Pump { control; }
assembly {
    composition { component Pump pump; }
    configuration { pump.period = "10 ms"; pump.deadline = "4 ms"; pump.wcet = "5 ms"; }
}
"#,
    instead: "Make the job shorter, or check the deadline's unit.",
    reference: "Joseph and Pandya 1986",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    (view.timed())
        .filter_map(|(id, task, release)| {
            let deadline = task.deadline.filter(|d| d.value < release.period.value)?;
            let demand = view.demands.task(id)?;
            if demand <= deadline.value || demand > release.period.value {
                return None;
            }
            let message = format!(
                "a job of task `{}` takes up to {demand}, longer than its deadline",
                task.name
            );
            let finding = Finding::of(&RULE, message)
                .at(deadline.origin, format!("due after {}", deadline.value));
            Some(because_of_wcet(finding, task, format!("{demand} with all that it invokes")))
        })
        .collect()
}
