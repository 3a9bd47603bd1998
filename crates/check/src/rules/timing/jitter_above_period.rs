//! Release jitter longer than the period.

use fusee_diagnostics::{Code, Rule, Severity};

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0538"),
    name: "jitter-above-period",
    severity: Severity::Note,
    what: "A task's release jitter is longer than its period.",
    why: "Several jobs can then be released at the same instant. Bounds allow for that, but it is \
          seldom meant.",
    example: r#"
component Pump { control; }
assembly {
    composition { component Pump pump; }
    configuration {
        pump.period = "10 ms";
        pump.deadline = "40 ms";
        pump.jitter = "12 ms";
        pump.wcet = "1 ms";
    }
}
"#,
    instead: "Check the jitter's unit.",
    reference: "Tindell, Burns and Wellings 1994",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    (view.timed())
        .filter(|(.., release)| release.jitter.value > release.period.value)
        .map(|(_, task, release)| {
            Finding::of(
                &RULE,
                format!("the release jitter of task `{}` is longer than its period", task.name),
            )
            .at(release.jitter.origin, "several jobs can be released at once")
            .because(release.period.origin, format!("released every {}", release.period.value))
        })
        .collect()
}
