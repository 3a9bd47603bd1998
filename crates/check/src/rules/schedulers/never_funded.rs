//! Time that is given by a thread that never gets any.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::Algorithm;

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0582"),
    name: "never-funded",
    severity: Severity::Error,
    what: "A scheduler that is dispatched by another gives time, and gets none.",
    why: "Its account stays empty, so nothing that it gives ever arrives.",
    example: r#"
component Scheduler { control; }
component Worker { control; }
assembly {
    composition {
        component Scheduler root;
        component Scheduler inner;
        component Worker worker;
    }
    configuration {
        inner.scheduler = "root";
        worker.scheduler = "inner";
        inner.delegates = ["1 ms to worker"];
        inner.delegates_every = "8 ms";
    }
}
"#,
    instead: "Let its own scheduler delegate to it.",
    reference: "Fusee book, \"Schedulers as components\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let system = view.system;
    let schedulers = system.schedulers.iter();
    // A circle is a mistake of its own, and so is a table without a slot for one of its threads.
    let unfunded = schedulers.filter(|scheduler| {
        let Some(parent) = system.scheduler_of(scheduler.task) else { return false };
        parent.algorithm != Algorithm::Partitions
            && !super::is_in_circle(system, scheduler)
            && system.account_limit(scheduler.task).ns() == 0
    });
    let first_gift = unfunded
        .filter_map(|scheduler| Some((scheduler, scheduler.delegates.first()?)))
        .map(|(scheduler, gift)| {
            let name = &system.task(scheduler.task).name;
            Finding::of(&RULE, format!("`{name}` gives time, and nobody gives it any"))
                .at(gift.amount.origin, "this can never be given")
        });
    first_gift.collect()
}
