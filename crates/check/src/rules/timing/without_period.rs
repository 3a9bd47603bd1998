//! Timing for a task that is released only once.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::Attribute;

use crate::finding::Finding;
use crate::view::{View, list};

pub(crate) const RULE: Rule = Rule {
    code: Code("F0532"),
    name: "timing-without-period",
    severity: Severity::Warning,
    what: "A task has an execution time or a budget, but no period. (A deadline, a jitter, an offset or an arrival pattern \
           without a period is an error: F0310.)",
    why: "Without a period (or a least distance between releases) the task runs once and is not analysed: no bound is \
          given, although its timing seems to be known.",
    example: r#"
component Pump { control; }
assembly {
    composition { component Pump pump; }
    configuration { pump.wcet = "1 ms"; pump.priority = 10; }
}
"#,
    instead: "Set `c.period`; for `arrival = \"sporadic\"` it is the least distance between releases.",
    reference: "Fusee book, \"Describing timing\"",
};

/// Attributes that are seldom given for a task that runs once.
const TIMING: [&str; 2] = ["budget", "wcet"];

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for task in view.system.tasks.iter().filter(|t| t.release.is_none()) {
        let attributes = &view.system.component(task.component).attributes;
        let timing: Vec<&Attribute> = attributes.iter().filter(|a| TIMING.contains(&a.name.as_str())).collect();
        let Some(first) = timing.first() else { continue };
        let names: Vec<&str> = timing.iter().map(|a| a.name.as_str()).collect();
        let message = format!("task `{}` has {}, but no period", task.name, list(&names));
        found.push(
            Finding::of(&RULE, message)
                .at(first.origin, "runs once all the same")
                .because(task.origin, "not analysed")
                .note(format!("set `{}.period`", task.name)),
        );
    }
    found
}
