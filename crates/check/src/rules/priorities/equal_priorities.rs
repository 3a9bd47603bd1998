//! Equal priorities for different periods.

use std::collections::BTreeMap;

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{Priority, Release, Task};

use crate::finding::Finding;
use crate::rules::policies::by_deadline;
use crate::view::{View, list};

pub(crate) const RULE: Rule = Rule {
    code: Code("F0551"),
    name: "equal-priorities",
    severity: Severity::Note,
    what: "Tasks with different periods have the same priority on the same core.",
    why: "Each of them can be delayed by a job of each other. The hyperbolic bound then needs the \
          form for equal priorities (Sudvarg et al. 2024, equation 4), and the utilisation bound \
          does not distinguish the tasks at all. Distinct priorities in the order of the deadlines \
          are never worse.",
    example: r#"
component Pump { control; }
assembly {
    composition { component Pump one; component Pump two; }
    configuration {
        one.period = "10 ms";
        one.wcet = "1 ms";
        one.priority = 20;
        two.period = "20 ms";
        two.wcet = "1 ms";
        two.priority = 20;
    }
}
"#,
    instead: "Leave the priorities out to have them assigned, or give the shorter deadline the \
              higher one.",
    reference: "Sudvarg et al. 2024, equation 4 and appendix A",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let mut levels: BTreeMap<(u32, Priority), Vec<(&Task, &Release)>> = BTreeMap::new();
    let timed = view.timed().filter(|(_, task, _)| !by_deadline(view.system, task.core));
    for (_, task, release) in timed {
        levels.entry((task.core, task.priority.value)).or_default().push((task, release));
    }
    levels.into_iter().filter_map(|((_, priority), tasks)| finding(priority, &tasks)).collect()
}

fn finding(priority: Priority, tasks: &[(&Task, &Release)]) -> Option<Finding> {
    let (first, first_release) = tasks.first()?;
    let (other, release) =
        tasks.iter().find(|(_, r)| r.period.value != first_release.period.value)?;
    let names: Vec<&str> = tasks.iter().map(|(t, _)| t.name.as_str()).collect();
    Some(
        Finding::of(
            &RULE,
            format!("{} have different periods and the same priority {priority}", list(&names)),
        )
        .at(other.priority.origin, format!("period {}", release.period.value))
        .because(first.priority.origin, format!("period {}", first_release.period.value)),
    )
}
