//! An offset for a task that no timer releases.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::ReleaseKind;

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0540"),
    name: "offset-without-timer",
    severity: Severity::Warning,
    what: "A sporadic or event-driven task has an offset.",
    why: "An offset shifts the releases of the kernel's timer. What comes from outside keeps no such distance, so the \
          offset has no effect.",
    example: r#"
component Pump { control; }
assembly {
    composition { component Pump pump; }
    configuration {
        pump.period = "10 ms";
        pump.arrival = "sporadic";
        pump.offset = "5 ms";
        pump.wcet = "1 ms";
    }
}
"#,
    instead: "Remove the offset, or make the task periodic.",
    reference: "Fusee book, \"Describing timing\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    (view.timed())
        .filter(|(.., r)| r.kind != ReleaseKind::Periodic && r.offset.ns() > 0)
        .map(|(_, task, release)| {
            let place = view.attribute(task.component, "offset").map_or(release.period.origin, |a| a.origin);
            Finding::of(&RULE, format!("the offset of task `{}` has no effect", task.name))
                .at(place, "no timer releases this task")
                .because(task.origin, "released from outside")
        })
        .collect()
}
