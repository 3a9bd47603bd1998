//! A job that takes longer than its period.

use fusee_diagnostics::{Code, Rule, Severity};

use super::because_of_wcet;
use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0533"),
    name: "demand-above-period",
    severity: Severity::Warning,
    what: "A task's job, with all that it invokes, can take longer than the task's period.",
    why: "The task alone needs more than its core can give; its backlog grows without end, and so \
          do the response times of everything below it.",
    example: r#"
component Pump { control; }
assembly {
    composition { component Pump pump; }
    configuration { pump.period = "10 ms"; pump.wcet = "12 ms"; }
}
"#,
    instead: "Release the task less often, or make it do less.",
    reference: "Liu and Layland 1973",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    (view.timed())
        .filter_map(|(id, task, release)| {
            let demand = view.demands.task(id).filter(|d| *d > release.period.value)?;
            let message = format!(
                "a job of task `{}` takes up to {demand}, longer than its period",
                task.name
            );
            let finding = Finding::of(&RULE, message)
                .at(release.period.origin, format!("every {}", release.period.value));
            Some(because_of_wcet(finding, task, format!("{demand} with all that it invokes")))
        })
        .collect()
}
