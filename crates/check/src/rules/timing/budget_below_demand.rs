//! A budget that ends before the job.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::Overrun;

use super::because_of_wcet;
use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0541"),
    name: "budget-below-demand",
    severity: Severity::Warning,
    what: "A task's budget is smaller than what its job, with all that it invokes, can need.",
    why: "A job that takes its longest path overruns. With `suspend` it then stops until the next release, perhaps \
          inside a gate that others wait for; it cannot meet its deadline.",
    example: r#"
component Pump { control; }
assembly {
    composition { component Pump pump; }
    configuration { pump.period = "10 ms"; pump.wcet = "3 ms"; pump.budget = "2 ms"; }
}
"#,
    instead: "Raise the budget to the execution time that the message gives, plus the kernel's costs.",
    reference: "Fusee book, \"Budgets\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    (view.timed())
        .filter_map(|(id, task, _)| {
            let budget = task.budget.as_ref()?;
            let demand = view.demands.task(id).filter(|d| *d > budget.amount.value)?;
            let end = match budget.overrun {
                Overrun::Suspend => "suspended at its end until the next release",
                Overrun::Notify(_) => "its end is notified",
                Overrun::Continue => "its end is recorded",
            };
            let message =
                format!("the budget of task `{}` is {}, its job takes up to {demand}", task.name, budget.amount.value);
            let finding = Finding::of(&RULE, message).at(budget.amount.origin, end);
            let finding = because_of_wcet(finding, task, format!("{demand} with all that it invokes"));
            Some(finding.fix("raise the budget", budget.amount.origin, format!("\"{demand}\"")))
        })
        .collect()
}
