//! Release jitter that uses up the deadline.

use fusee_diagnostics::{Code, Rule, Severity};

use super::because_of_wcet;
use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0537"),
    name: "jitter-leaves-no-time",
    severity: Severity::Warning,
    what: "A task's release jitter and its execution time together exceed its deadline.",
    why: "Response times count from the nominal arrival. A job that is released late by the whole \
          jitter cannot finish in time even if it has the core to itself.",
    example: r#"
component Pump { control; }
assembly {
    composition { component Pump pump; }
    configuration {
        pump.period = "10 ms";
        pump.deadline = "5 ms";
        pump.jitter = "4 ms";
        pump.wcet = "2 ms";
    }
}
"#,
    instead: "Check the jitter's unit, or allow for it in the deadline.",
    reference: "Audsley, Burns, Richardson, Tindell and Wellings 1993",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    (view.timed())
        .filter_map(|(id, task, release)| {
            let demand = view.demands.task(id)?;
            let (jitter, deadline) = (release.jitter.value, view.deadline(task, release));
            let needed = jitter.checked_add(demand).unwrap_or(fusee_model::Duration(u64::MAX));
            if jitter.ns() == 0 || needed <= deadline || demand > deadline {
                return None;
            }
            let message = format!(
                "task `{}` can be released too late for its deadline of {deadline}",
                task.name
            );
            let finding = Finding::of(&RULE, message)
                .at(release.jitter.origin, format!("up to {jitter} late"));
            Some(because_of_wcet(finding, task, format!("and then runs for up to {demand}")))
        })
        .collect()
}
