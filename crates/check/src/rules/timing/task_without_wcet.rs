//! A task with a period and without an execution time.

use fusee_diagnostics::{Code, Rule, Severity};

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0530"),
    name: "task-without-wcet",
    severity: Severity::Error,
    what: "A task has a period, so it is to be analysed, but nothing says how long its job runs.",
    why: "An execution time that is not known is not zero. Every bound of this task and of all \
          below it would be wrong.",
    example: r#"
component Pump { control; }
assembly {
    composition { component Pump pump; }
    configuration { pump.period = "10 ms"; }
}
"#,
    instead: "Set `c.wcet`, or put durations into `c.calls`. It is the component's own time, \
              without what it invokes.",
    reference: "Fusee book, \"Describing timing\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    (view.timed())
        .filter(|(_, task, _)| task.body.wcet_origin.is_none())
        .map(|(_, task, release)| {
            Finding::of(&RULE, format!("nothing says how long a job of task `{}` runs", task.name))
                .at(release.period.origin, "a period asks for a bound")
                .because(task.origin, "no `wcet` is set for it")
                .note(format!(
                    "set `{}.wcet`: its own execution time, without what it invokes",
                    task.name
                ))
        })
        .collect()
}
