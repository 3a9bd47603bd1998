//! A first release after the second one was due.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::ReleaseKind;

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0539"),
    name: "offset-above-period",
    severity: Severity::Warning,
    what: "A periodic task's offset is not shorter than its period.",
    why: "The offset delays only the first release; after that, an offset of a whole period is the \
          same as none. Usually the unit is wrong or the two values are swapped.",
    example: r#"
component Pump { control; }
assembly {
    composition { component Pump pump; }
    configuration { pump.period = "10 ms"; pump.offset = "25 ms"; pump.wcet = "1 ms"; }
}
"#,
    instead: "Use the offset's remainder by the period, or check its unit.",
    reference: "Fusee book, \"Describing timing\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    (view.timed())
        .filter(|(.., r)| r.kind == ReleaseKind::Periodic && r.offset >= r.period.value)
        .map(|(_, task, release)| {
            let place = view
                .attribute(task.component, "offset")
                .map_or(release.period.origin, |a| a.origin);
            Finding::of(
                &RULE,
                format!("the offset of task `{}` is not shorter than its period", task.name),
            )
            .at(place, format!("{} delays only the first release", release.offset))
            .because(release.period.origin, format!("released every {}", release.period.value))
        })
        .collect()
}
