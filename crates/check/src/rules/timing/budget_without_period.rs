//! A budget that is never filled again.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::Overrun;

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0532"),
    name: "budget-without-period",
    severity: Severity::Warning,
    what: "A task has a budget that suspends it, but no period.",
    why: "A budget is filled again at each release. A task without a period is released once: at \
          the end of its budget it is suspended for ever, perhaps inside a gate.",
    example: r#"
component Pump { control; }
assembly {
    composition { component Pump pump; }
    configuration { pump.budget = "10 ms"; pump.priority = 10; }
}
"#,
    instead: "Set `c.period`, or let the task `continue` at the end of its budget.",
    reference: "Fusee book, \"Budgets\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let once = view.system.tasks.iter().filter(|t| t.release.is_none());
    once.filter_map(|task| {
        let budget = task.budget.as_ref().filter(|b| b.overrun == Overrun::Suspend)?;
        Some(
            Finding::of(&RULE, format!("task `{}` has a budget, but no period", task.name))
                .at(budget.amount.origin, "at its end the task is suspended for ever")
                .because(task.origin, "released once")
                .note(format!(
                    "set `{}.period`, or `{}.overrun = \"continue\"`",
                    task.name, task.name
                )),
        )
    })
    .collect()
}
