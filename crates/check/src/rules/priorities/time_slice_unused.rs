//! A time slice that never ends.

use std::collections::BTreeSet;

use fusee_diagnostics::{Code, Rule, Severity};

use crate::finding::Finding;
use crate::rules::policies::by_deadline;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0554"),
    name: "time-slice-unused",
    severity: Severity::Note,
    what: "A time slice is set, but no two tasks of one core have the same priority.",
    why: "A time slice shares the core among equals. Where there are none it has no effect, except \
          that it makes a reader look for them.",
    example: r#"
component Pump { control; }
assembly {
    composition { component Pump one; component Pump two; }
    configuration {
        system.time_slice = "1 ms";
        one.priority = 10;
        two.priority = 20;
    }
}
"#,
    instead: "Leave it out.",
    reference: "Fusee book, \"Describing timing\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let Some(slice) = view.system.settings.time_slice else { return Vec::new() };
    let mut levels = BTreeSet::new();
    let all_differ =
        view.system.tasks.iter().all(|t| {
            !by_deadline(view.system, t.core) && levels.insert((t.core, t.priority.value))
        });
    if !all_differ {
        return Vec::new();
    }
    let message = format!("the time slice of {} has no effect", slice.value);
    vec![
        Finding::of(&RULE, message)
            .at(slice.origin, "no two tasks of a core have the same priority"),
    ]
}
