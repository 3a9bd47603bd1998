//! A budget that limits nothing.

use fusee_diagnostics::{Code, Rule, Severity};

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0542"),
    name: "budget-above-period",
    severity: Severity::Warning,
    what: "A task's budget is longer than its period.",
    why: "A job that used it up would have taken the whole core from one release to the next: \
          nothing is protected from this task. Often budget and period are swapped.",
    example: r#"
component Pump { control; }
assembly {
    composition { component Pump pump; }
    configuration { pump.period = "10 ms"; pump.wcet = "3 ms"; pump.budget = "12 ms"; }
}
"#,
    instead: "Set the budget a little above the job's execution time, or leave it out.",
    reference: "Fusee book, \"Budgets\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    (view.timed())
        .filter_map(|(_, task, release)| {
            let budget = task.budget.as_ref().filter(|b| b.amount.value > release.period.value)?;
            Some(
                Finding::of(
                    &RULE,
                    format!("the budget of task `{}` is longer than its period", task.name),
                )
                .at(budget.amount.origin, "limits nothing")
                .because(release.period.origin, format!("released every {}", release.period.value)),
            )
        })
        .collect()
}
