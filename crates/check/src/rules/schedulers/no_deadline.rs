//! A thread of `EarliestDeadline` without a deadline that orders it.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{Algorithm, Sourced, System, TaskId};

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0591"),
    name: "no-deadline",
    severity: Severity::Error,
    what: "A thread that an `EarliestDeadline` dispatches has no `period`, or a `deadline` after \
           its next release.",
    why: "This scheduler orders its threads by deadlines, counted from the last release. Without \
          one a thread has no place among the others, and what is due after the next release \
          would count from that.",
    example: r#"
import <fusee/earliest_deadline.camkes>;
component Worker { control; }
assembly {
    composition {
        component EarliestDeadline root;
        component Worker worker;
    }
    configuration {
        worker.scheduler = "root";
    }
}
"#,
    instead: "Give it a `period`, and a `deadline` that is no longer, if it is due before.",
    reference: "Fusee book, \"Schedulers as components\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let system = view.system;
    let deciding = super::deciding(system, Algorithm::EarliestDeadline);
    let threads = deciding.flat_map(|own| &own.threads);
    threads.filter_map(|thread| of_one(system, thread)).collect()
}

fn of_one(system: &System, thread: &Sourced<TaskId>) -> Option<Finding> {
    let task = system.task(thread.value);
    let why = "dispatched by an `EarliestDeadline`";
    let (Some(release), Some(deadline)) = (&task.release, task.deadline) else {
        let text = format!("`{}` is dispatched by deadline, and has none", task.name);
        let finding = Finding::of(&RULE, text).at(task.origin, "this thread");
        return Some(finding.because(thread.origin, why));
    };
    (deadline.value > release.period.value).then(|| {
        let text = format!("`{}` is due after its next release", task.name);
        let finding = Finding::of(&RULE, text).at(deadline.origin, "its deadline");
        finding.because(release.period.origin, "its period").because(thread.origin, why)
    })
}
