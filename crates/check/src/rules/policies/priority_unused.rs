//! Priorities where deadlines decide.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::PrioritySource;

use crate::finding::Finding;
use crate::rules::policies::deadlines_on;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0563"),
    name: "priority-unused",
    severity: Severity::Warning,
    what: "A task is given a priority, and deadlines decide who runs.",
    why: "Under earliest deadline nobody looks at it: the job whose deadline comes first runs. \
          Whoever wrote the priority expected an order.",
    example: r#"
component Pump { control; }
assembly {
    composition { component Pump pump; }
    configuration {
        system.policy = "earliest_deadline";
        pump.priority = 20;
        pump.period = "10 ms";
        pump.wcet = "1 ms";
    }
}
"#,
    instead: "Leave it out. A shorter `deadline` makes a task more urgent.",
    reference: "Liu and Layland 1973; Fusee book, \"Describing timing\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    (view.system.tasks.iter())
        .filter(|task| task.priority_source == PrioritySource::Given)
        .filter_map(|task| Some((task, deadlines_on(view.system, task.core)?)))
        .map(|(task, policy)| {
            Finding::of(&RULE, format!("the priority of task `{}` has no effect", task.name))
                .at(task.priority.origin, "nobody looks at it")
                .because(policy, "deadlines decide")
                .note("a shorter `deadline` makes a task more urgent")
        })
        .collect()
}
