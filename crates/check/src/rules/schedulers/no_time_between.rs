//! A scheduler that is to decide again before anybody has run.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{Attribute, LEAST_GIVEN, System, Value};

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0592"),
    name: "no-time-between",
    severity: Severity::Error,
    what: "The `quantum`, the `look`, the `capacity` or the `every` of a shipped scheduler is \
           shorter than 10 µs.",
    why: "A decision takes some thousand instructions. A time-out that is due before the dispatch \
          is made is refused, and so the scheduler would decide for ever and nobody would run.",
    example: r#"
import <fusee/round_robin.camkes>;
component Worker { control; }
assembly {
    composition {
        component RoundRobin root;
        component Worker worker;
        component Worker other;
    }
    configuration {
        worker.scheduler = "root";
        other.scheduler = "root";
        root.quantum = 2;
    }
}
"#,
    instead: "It is a number of nanoseconds: `2000000` is 2 ms.",
    reference: "Fusee book, \"Schedulers as components\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let system = view.system;
    let choosers = super::CHOOSERS.into_iter();
    let schedulers = choosers.flat_map(|algorithm| super::deciding(system, algorithm));
    schedulers.filter_map(|own| of_one(system, &system.task(own.task).name, own.task)).collect()
}

fn of_one(system: &System, name: &str, task: fusee_model::TaskId) -> Option<Finding> {
    let attributes = &system.component(system.task(task).component).attributes;
    let is_short = |given: &&Attribute| {
        let is_time = matches!(given.name.as_str(), "quantum" | "look" | "capacity" | "every");
        is_time && matches!(given.value, Value::Integer(time) if time < LEAST_GIVEN.ns().into())
    };
    let short = attributes.iter().find(is_short)?;
    let text = format!("`{name}` would decide before anybody has run");
    let finding = Finding::of(&RULE, text).at(short.origin, "less than 10 µs, in nanoseconds");
    Some(finding.note("`2000000` is 2 ms"))
}
