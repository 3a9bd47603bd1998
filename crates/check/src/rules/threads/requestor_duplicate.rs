//! Two tasks with one identity.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{Attribute, Task};

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0523"),
    name: "requestor-duplicate",
    severity: Severity::Warning,
    what: "Two tasks have the same value of `requestor`.",
    why: "Paper 000's library takes them for one task: an inherited priority can go to the wrong thread. Fusee's kernel \
          knows the thread and does not look at the number.",
    example: r#"
component Pump { control; attribute int requestor; }
assembly {
    composition { component Pump one; component Pump two; }
    configuration { one.requestor = 1; two.requestor = 1; }
}
"#,
    instead: "Number the tasks, for example with `__COUNTER__`.",
    reference: "Sudvarg et al. 2024 (paper 000), section 5",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let with_number: Vec<(&Task, &Attribute)> = (view.system.tasks.iter())
        .filter_map(|task| Some((task, view.attribute(task.component, "requestor")?)))
        .collect();
    let mut found = Vec::new();
    for (index, (task, attribute)) in with_number.iter().enumerate() {
        if let Some((other, earlier)) = with_number[..index].iter().find(|(_, a)| a.value == attribute.value) {
            let message = format!("tasks `{}` and `{}` have the same `requestor`", other.name, task.name);
            found.push(
                Finding::of(&RULE, message)
                    .at(attribute.origin, "the same number again")
                    .because(earlier.origin, "first given here")
                    .note("give each task its own number"),
            );
        }
    }
    found
}
