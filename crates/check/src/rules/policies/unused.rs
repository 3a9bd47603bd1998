//! A policy for a core on which no task runs.

use fusee_diagnostics::{Code, Rule, Severity};

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0567"),
    name: "policy-of-no-core",
    severity: Severity::Error,
    what: "A policy is given for a core on which no task runs.",
    why: "Nothing would be decided there. Cores are numbered from 0, and a number that is too high \
          by one gives the core that was meant another policy without a word.",
    example: r#"
component Pump { control; }
assembly {
    composition { component Pump pump; }
    configuration {
        system.core1_policy = "earliest_deadline";
        pump.period = "10 ms";
        pump.wcet = "1 ms";
    }
}
"#,
    instead: "Name a core that has tasks, or leave the line out. `system.policy` is for all cores.",
    reference: "Fusee book, \"The kernel on several cores\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let has_tasks = |core: u32| view.system.tasks.iter().any(|task| task.core == core);
    let given = view.system.settings.core_policies.iter();
    given
        .filter(|&(&core, _)| !has_tasks(core))
        .map(|(core, policy)| {
            let highest = view.system.cores() - 1;
            Finding::of(&RULE, format!("no task runs on core {core}, for which a policy is given"))
                .at(policy.origin, "decides nothing")
                .note(format!(
                    "cores are numbered from 0, and the highest with a task is {highest}"
                ))
        })
        .collect()
}
