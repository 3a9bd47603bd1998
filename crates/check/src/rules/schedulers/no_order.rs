//! A thread of `FixedPriority` without priority.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{Algorithm, PrioritySource};

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0588"),
    name: "no-order",
    severity: Severity::Error,
    what: "A thread that a `FixedPriority` dispatches has no `priority`.",
    why: "It is the order in which this scheduler dispatches. What Fusee assigns where nothing is \
          given is an order of the kernel's own threads.",
    example: r#"
import <fusee/fixed_priority.camkes>;
component Worker { control; }
assembly {
    composition {
        component FixedPriority root;
        component Worker worker;
    }
    configuration {
        worker.scheduler = "root";
    }
}
"#,
    instead: "Give it a `priority`; higher is more urgent.",
    reference: "Fusee book, \"Schedulers as components\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let system = view.system;
    let ordered =
        [Algorithm::FixedPriority, Algorithm::DeferrableServer, Algorithm::PriorityServers]
            .into_iter();
    let deciding = ordered.flat_map(|algorithm| super::deciding(system, algorithm));
    let threads = deciding.flat_map(|own| own.threads.iter().map(move |thread| (own, thread)));
    let unordered = threads
        .map(|(own, thread)| (own, system.task(thread.value), thread.origin))
        .filter(|(_, task, _)| task.priority_source != PrioritySource::Given);
    let finding = unordered.map(|(own, task, origin)| {
        let text = format!("`{}` is dispatched by priority, and has none", task.name);
        let kind = &system.component(system.task(own.task).component).kind;
        Finding::of(&RULE, text)
            .at(task.origin, "this thread")
            .because(origin, format!("dispatched by a `{kind}`"))
    });
    finding.collect()
}
