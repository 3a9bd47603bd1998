//! Time that a scheduler of servers cannot give as it is described.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{Algorithm, LEAST_GIVEN, Scheduler, System};

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0596"),
    name: "no-server",
    severity: Severity::Error,
    what: "A `PriorityServers` gives nobody time, or is itself given its time by a scheduler, or \
           gives time at a priority that is not the thread's, or in too small amounts.",
    why: "It gives its threads time of their own so that they preempt each other by their \
          priorities, whenever something releases them. Without that it is a `FixedPriority`. What \
          it gave from a slot would be used in slots of others. And a thread whose time is worse \
          than its priority would not preempt whom it goes before.",
    example: r#"
import <fusee/priority_servers.camkes>;
component Worker { control; }
assembly {
    composition {
        component PriorityServers root;
        component Worker worker;
    }
    configuration {
        worker.scheduler = "root";
        worker.priority = 10;
        root.delegates = ["1 ms to worker at 5"];
        root.delegates_every = "10 ms";
    }
}
"#,
    instead: "Leave `at` away; let the kernel's priorities decide about it, not a scheduler; or \
              take a `FixedPriority` where nobody has time of its own.",
    reference: "Fusee book, \"Schedulers as components\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let system = view.system;
    let all = super::deciding(system, Algorithm::PriorityServers);
    let right = all.filter(|own| !super::is_in_circle(system, own));
    right.flat_map(|own| of_one(system, own)).collect()
}

fn of_one(system: &System, own: &Scheduler) -> Vec<Finding> {
    let name = &system.task(own.task).name;
    if own.delegates.is_empty() {
        let first = &system.task(own.threads[0].value).name;
        let text = format!("`{name}` gives none of its threads time of its own");
        let finding = Finding::of(&RULE, text).at(system.task(own.task).origin, "");
        return vec![finding.note(format!(
            "for example `{name}.delegates = [\"1 ms to {first}\"];` and \
             `{name}.delegates_every = \"10 ms\";`; or make it a `FixedPriority`"
        ))];
    }
    if let Some(above) = system.scheduler_of(own.task) {
        let text = format!("`{name}` gives time that would be used in slots of others");
        let thread = above.threads.iter().find(|thread| thread.value == own.task);
        let origin = thread.map_or(system.task(own.task).origin, |thread| thread.origin);
        let finding = Finding::of(&RULE, text).at(origin, "another scheduler gives it its own");
        return vec![finding];
    }
    let wrong = own.delegates.iter().filter_map(|gift| {
        let to = system.task(gift.to);
        let is_its = own.threads.iter().any(|thread| thread.value == gift.to);
        let differs = is_its && gift.priority != to.priority.value;
        let is_short = gift.amount.value < LEAST_GIVEN;
        let text = match (differs, is_short) {
            (true, _) => format!("`{}` would be given time that is not at its priority", to.name),
            (_, true) => format!("`{}` would decide more than its thread runs", name),
            _ => return None,
        };
        let finding = Finding::of(&RULE, text);
        Some(match differs {
            true => finding
                .at(gift.amount.origin, format!("at {}", gift.priority))
                .because(to.priority.origin, format!("its priority is {}", to.priority.value)),
            false => finding.at(gift.amount.origin, "less than 10 µs"),
        })
    });
    wrong.collect()
}
