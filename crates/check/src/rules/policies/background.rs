//! Tasks without deadline where deadlines decide.

use fusee_diagnostics::{Code, Rule, Severity};

use crate::finding::Finding;
use crate::rules::policies::deadlines_on;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0564"),
    name: "in-the-background",
    severity: Severity::Note,
    what: "A task has no period, hence no deadline, and deadlines decide who runs.",
    why: "It yields to every job that has a deadline, and runs only when there is none: it may \
          wait for long, or for ever.",
    example: r#"
component Shell { control; }
component Pump { control; }
assembly {
    composition { component Shell shell; component Pump pump; }
    configuration {
        system.policy = "earliest_deadline";
        shell.wcet = "1 ms";
        pump.period = "10 ms";
        pump.wcet = "1 ms";
    }
}
"#,
    instead: "Give it a `period`, or be content that it has what others leave.",
    reference: "Fusee book, \"Describing timing\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    (view.system.tasks.iter())
        .filter(|task| task.release.is_none())
        .filter_map(|task| Some((task, deadlines_on(view.system, task.core)?)))
        .map(|(task, policy)| {
            Finding::of(
                &RULE,
                format!("task `{}` has no deadline and runs when nobody with one does", task.name),
            )
            .at(task.origin, "no period, hence no deadline")
            .because(policy, "deadlines decide")
        })
        .collect()
}
