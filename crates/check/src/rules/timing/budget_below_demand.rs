//! A budget that ends before the job.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{Duration, Overrun, Task, Value};

use super::because_of_wcet;
use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0541"),
    name: "budget-below-demand",
    severity: Severity::Warning,
    what: "A task's budget is smaller than what its job, with all that it invokes, can need.",
    why: "A job that takes its longest path overruns. With `suspend` it then stops until the next \
          release, perhaps inside a gate that others wait for; it cannot meet its deadline.",
    example: r#"
component Pump { control; }
assembly {
    composition { component Pump pump; }
    configuration { pump.period = "10 ms"; pump.wcet = "3 ms"; pump.budget = "2 ms"; }
}
"#,
    instead: "Raise the budget above the execution time that the message gives, by what the kernel \
              costs at least. As much as the job takes is not enough: what has nothing left may be \
              suspended before its last return.",
    reference: "Fusee book, \"Budgets\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    (view.timed())
        .filter_map(|(id, task, release)| {
            let budget = task.budget.as_ref()?;
            let demand = view.demands.task(id).filter(|d| *d > budget.amount.value)?;
            let end = match budget.overrun {
                Overrun::Suspend => "suspended at its end until the next release",
                Overrun::Notify(_) => "its end is notified",
                Overrun::Continue => "its end is recorded",
            };
            let message = format!(
                "the budget of task `{}` is {}, its job takes up to {demand}",
                task.name, budget.amount.value
            );
            let finding = Finding::of(&RULE, message).at(budget.amount.origin, end);
            let finding =
                because_of_wcet(finding, task, format!("{demand} with all that it invokes"));
            Some(match enough(demand, release.period.value) {
                Some(more) => {
                    let title =
                        "raise the budget: to what the job takes, and a tenth of it for the kernel";
                    finding.fix(title, budget.amount.origin, written(view, task, more))
                }
                None => finding.note("the period leaves no time for a budget that is long enough"),
            })
        })
        .collect()
}

/// Returns a budget as its attribute is written: what CAmkES reads is a number of microseconds, no
/// text.
fn written(view: &View<'_>, task: &Task, budget: Duration) -> String {
    let given = |name: &str| view.attribute(task.component, name);
    let is_number = given("budget")
        .or_else(|| given("_budget"))
        .is_some_and(|given| matches!(given.value, Value::Integer(_)));
    if is_number {
        budget.ns().div_ceil(1000).to_string()
    } else {
        format!("\"{}\"", budget.exact())
    }
}

/// Returns a budget for a job that takes so long, a tenth more and in two digits, or else the whole
/// period.
///
/// Exactly as long is not enough: a thread that has used up its budget may be suspended
/// before its last return, and the kernel's interrupts are charged too.
fn enough(demand: Duration, period: Duration) -> Option<Duration> {
    let more = demand.ns().checked_add(demand.ns() / 10 + 1)?;
    let digit = 10_u64.pow(more.ilog10().saturating_sub(1));
    let round = more.div_ceil(digit).checked_mul(digit).map_or(period, Duration);
    Some(round.min(period)).filter(|budget| *budget > demand)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suggested_budget_is_longer_than_the_job_and_no_longer_than_the_period() {
        let suggested =
            |demand, period| enough(Duration(demand), Duration(period)).map(Duration::ns);
        assert_eq!(suggested(3_000_000, 10_000_000), Some(3_400_000));
        assert_eq!(suggested(1, 10), Some(2));
        assert_eq!(suggested(95, 100), Some(100));
        assert_eq!(suggested(100, 100), None);
        assert_eq!(suggested(u64::MAX, u64::MAX), None);
    }
}
