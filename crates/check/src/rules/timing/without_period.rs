//! Timing for a task that is never released.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::Attribute;

use crate::finding::Finding;
use crate::view::{View, list};

pub(crate) const RULE: Rule = Rule {
    code: Code("F0532"),
    name: "timing-without-period",
    severity: Severity::Warning,
    what: "A task has a deadline, a budget, a jitter, an offset or an arrival pattern, but no period.",
    why: "Without a period (or a least distance between releases) the task runs once and is not analysed: the other \
          values have no effect, and no bound is given although one was meant.",
    example: r#"
component Pump { control; }
assembly {
    composition { component Pump pump; }
    configuration { pump.deadline = "10 ms"; pump.wcet = "1 ms"; }
}
"#,
    instead: "Set `c.period`; for `arrival = \"sporadic\"` it is the least distance between releases.",
    reference: "Fusee book, \"Describing timing\"",
};

/// Attributes that mean something only for a task with a period.
const NEEDS_PERIOD: [&str; 6] = ["arrival", "budget", "deadline", "jitter", "offset", "overrun"];

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for task in view.system.tasks.iter().filter(|t| t.release.is_none()) {
        let attributes = &view.system.component(task.component).attributes;
        let useless: Vec<&Attribute> = attributes.iter().filter(|a| NEEDS_PERIOD.contains(&a.name.as_str())).collect();
        let Some(first) = useless.first() else { continue };
        let names: Vec<&str> = useless.iter().map(|a| a.name.as_str()).collect();
        let message = format!("task `{}` has no period, so {} has no effect", task.name, list(&names));
        found.push(
            Finding::of(&RULE, message)
                .at(first.origin, "no effect without a period")
                .because(task.origin, "runs once and is not analysed")
                .note(format!("set `{}.period`", task.name)),
        );
    }
    found
}
