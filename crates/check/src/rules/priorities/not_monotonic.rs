//! Given priorities against the order of the deadlines.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{Duration, PrioritySource, Task};

use crate::finding::Finding;
use crate::rules::policies::by_deadline;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0552"),
    name: "not-deadline-monotonic",
    severity: Severity::Note,
    what: "A task has a higher given priority than another one on its core whose deadline is \
           shorter.",
    why: "For deadlines up to the period and releases that may coincide, the order of the \
          deadlines is best: if any order meets all deadlines, it does. (With blocking, jitter or \
          longer deadlines that is not always so.)",
    example: r#"
component Pump { control; }
assembly {
    composition { component Pump one; component Pump two; }
    configuration {
        one.period = "10 ms";
        one.wcet = "1 ms";
        one.priority = 10;
        two.period = "20 ms";
        two.wcet = "1 ms";
        two.priority = 20;
    }
}
"#,
    instead: "Nothing, if importance is meant to win over urgency. Otherwise leave the priorities \
              out.",
    reference: "Leung and Whitehead 1982",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let mut tasks: Vec<(&Task, Duration)> = (view.timed())
        .filter(|(_, t, _)| t.priority_source == PrioritySource::Given)
        .filter(|(_, t, _)| !by_deadline(view.system, t.core))
        .map(|(_, task, release)| (task, view.deadline(task, release)))
        .collect();
    // From high to low priority; a task is out of order if somebody above it has a longer deadline.
    tasks.sort_by_key(|(t, _)| (t.core, std::cmp::Reverse(t.priority.value)));
    let mut longest: Option<(&Task, Duration)> = None;
    let mut found = Vec::new();
    for (task, deadline) in tasks {
        longest = longest.filter(|(other, _)| other.core == task.core);
        if let Some((above, other)) = longest
            && other > deadline
            && above.priority.value > task.priority.value
        {
            found.push(finding((above, other), (task, deadline)));
        }
        if longest.is_none_or(|(_, other)| deadline > other) {
            longest = Some((task, deadline));
        }
    }
    found
}

fn finding(above: (&Task, Duration), below: (&Task, Duration)) -> Finding {
    let message = format!(
        "task `{}` stands below `{}`, although its deadline is shorter",
        below.0.name, above.0.name
    );
    Finding::of(&RULE, message)
        .at(below.0.priority.origin, format!("deadline {}", below.1))
        .because(above.0.priority.origin, format!("deadline {}", above.1))
}
