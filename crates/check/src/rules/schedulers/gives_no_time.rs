//! Time that a shipped scheduler would not give.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{Algorithm, Scheduler, System};

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0589"),
    name: "gives-no-time",
    severity: Severity::Error,
    what: "A shipped scheduler that only says who is next is to give time, or one that is no \
           `Partitions` has a scheduler among its threads.",
    why: "Its threads all run on its own account. Nothing that is in `delegates` would ever be \
          given, and a scheduler that gets no time can dispatch nobody. A `PriorityServers` gives \
          time, but not to schedulers.",
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
        worker.priority = 10;
        root.delegates = ["1 ms to worker"];
        root.delegates_every = "10 ms";
    }
}
"#,
    instead: "Use `Partitions` where time is to be divided, with this scheduler below it, \
              `PriorityServers` where single threads have time of their own, or write a scheduler \
              that does both.",
    reference: "Fusee book, \"Schedulers as components\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let system = view.system;
    let all = super::CHOOSERS.into_iter();
    let all = all.flat_map(|algorithm| super::deciding(system, algorithm));
    all.flat_map(|own| of_one(system, own)).collect()
}

fn of_one(system: &System, own: &Scheduler) -> Vec<Finding> {
    let task = system.task(own.task);
    let (name, kind) = (&task.name, &system.component(task.component).kind);
    let gives = own.algorithm == Algorithm::PriorityServers;
    let gift = own.delegates.first().filter(|_| !gives).map(|gift| {
        let text = format!("`{name}` is to give time, and a `{kind}` gives none");
        Finding::of(&RULE, text).at(gift.amount.origin, "this would never be given")
    });
    let is_scheduler = |task| system.schedulers.iter().any(|other| other.task == task);
    let below = own.threads.iter().filter(|thread| is_scheduler(thread.value)).map(|thread| {
        let below = &system.task(thread.value).name;
        let text = format!("`{below}` is a scheduler, and gets no time from a `{kind}`");
        let why = if gives { "gives time to plain threads only" } else { "gives none" };
        Finding::of(&RULE, text).at(thread.origin, format!("`{name}` {why}"))
    });
    gift.into_iter().chain(below).collect()
}
