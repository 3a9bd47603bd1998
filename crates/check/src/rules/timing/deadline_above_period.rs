//! A deadline beyond the next release.

use fusee_diagnostics::{Code, Rule, Severity};

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0535"),
    name: "deadline-above-period",
    severity: Severity::Note,
    what: "A task's deadline is longer than its period.",
    why: "A job may then still be running when the next one is released. Response-time analysis \
          covers that by looking at every job of a busy period; tests by utilisation (Liu and \
          Layland, hyperbolic) do not apply.",
    example: r#"
component Pump { control; }
assembly {
    composition { component Pump pump; }
    configuration { pump.period = "10 ms"; pump.deadline = "15 ms"; pump.wcet = "1 ms"; }
}
"#,
    instead: "Nothing, if it is meant. Otherwise leave the deadline out: it then is the period.",
    reference: "Lehoczky 1990; Tindell, Burns and Wellings 1994",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    (view.timed())
        .filter_map(|(_, task, release)| {
            let deadline = task.deadline.filter(|d| d.value > release.period.value)?;
            // Jobs that overlap because of their jitter are another rule's.
            if release.jitter.value > release.period.value {
                return None;
            }
            Some(
                Finding::of(
                    &RULE,
                    format!("the deadline of task `{}` is longer than its period", task.name),
                )
                .at(deadline.origin, "jobs may overlap; tests by utilisation do not apply")
                .because(release.period.origin, format!("released every {}", release.period.value)),
            )
        })
        .collect()
}
