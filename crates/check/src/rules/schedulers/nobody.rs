//! A shipped scheduler without threads.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::Algorithm;

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0590"),
    name: "schedules-nobody",
    severity: Severity::Error,
    what: "A scheduler that comes with Fusee has no threads.",
    why: "There is nobody for it to choose from, and its code is made around a table of them.",
    example: r#"
import <fusee/fixed_priority.camkes>;
component Worker { control; }
assembly {
    composition {
        component FixedPriority root;
        component Worker worker;
    }
    configuration {
        worker.priority = 10;
    }
}
"#,
    instead: "Set `scheduler` of those that it is to dispatch to its name.",
    reference: "Fusee book, \"Schedulers as components\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let system = view.system;
    let is_known = |task| system.schedulers.iter().any(|own| system.task(own.task).name == task);
    let idle = system.tasks.iter().filter(|task| {
        let kind = &system.component(task.component).kind;
        let is_it = |chooser: &Algorithm| chooser.component() == Some(kind.as_str());
        super::CHOOSERS.iter().any(is_it) && !is_known(task.name.as_str())
    });
    let finding = idle.map(|task| {
        let text = format!("nobody has the scheduler `{}`", task.name);
        let note = format!("for example `THREAD.scheduler = \"{}\";`", task.name);
        Finding::of(&RULE, text).at(task.origin, "it dispatches nobody").note(note)
    });
    finding.collect()
}
