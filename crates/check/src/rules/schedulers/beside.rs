//! Features that schedulers do not go with.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::Policy;

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0587"),
    name: "not-beside-schedulers",
    severity: Severity::Error,
    what: "There are schedulers, and deadlines decide, or there are several cores.",
    why: "A tree of schedulers is a layer on fixed priorities on one core; of anything else there \
          is no kernel.",
    example: r#"
component Scheduler { control; }
component Worker { control; }
assembly {
    composition {
        component Scheduler root;
        component Worker worker;
    }
    configuration {
        system.policy = "earliest_deadline";
        worker.scheduler = "root";
    }
}
"#,
    instead: "Use fixed priorities and one core; a scheduler can decide by deadlines itself.",
    reference: "Fusee book, \"Schedulers as components\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let system = view.system;
    let Some(scheduler) = system.schedulers.first() else { return Vec::new() };
    let place = scheduler.threads[0].origin;
    let finding = |what: &str, origin| {
        Finding::of(&RULE, format!("there are schedulers, and {what}"))
            .at(origin, "")
            .because(place, "dispatched by a scheduler")
    };
    let given = (0..system.cores()).filter_map(|core| system.policy_given(core));
    let policy = given.into_iter().find(|policy| policy.value != Policy::FixedPriority);
    let deadlines = policy.map(|policy| finding("deadlines decide", policy.origin));
    let elsewhere = system.tasks.iter().find(|task| task.core > 0);
    let cores = elsewhere.map(|task| finding("several cores", task.origin));
    deadlines.into_iter().chain(cores).collect()
}
