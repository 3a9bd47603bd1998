//! Schedulers that dispatch each other.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::Scheduler;

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0580"),
    name: "schedulers-in-circle",
    severity: Severity::Error,
    what: "Schedulers dispatch each other in a circle.",
    why: "Nobody in it runs before another one does, so nobody ever runs.",
    example: r#"
component Scheduler { control; }
component Worker { control; }
assembly {
    composition {
        component Scheduler root;
        component Worker worker;
    }
    configuration {
        worker.scheduler = "root";
        root.scheduler = "worker";
    }
}
"#,
    instead: "Let one of them be a thread of the kernel: take its `scheduler` away.",
    reference: "Fusee book, \"Schedulers as components\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let round = |scheduler: &&Scheduler| super::is_in_circle(view.system, scheduler);
    let first = view.system.schedulers.iter().find(round);
    first
        .map(|scheduler| {
            let name = &view.system.task(scheduler.task).name;
            let place = &scheduler.threads[0];
            Finding::of(
                &RULE,
                format!("the scheduler `{name}` is dispatched by whom it dispatches"),
            )
            .at(place.origin, "one of its threads")
        })
        .into_iter()
        .collect()
}
