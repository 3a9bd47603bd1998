//! A scheduler whose code there is in other languages.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{Algorithm, Attribute, System, TaskId, Value};

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0594"),
    name: "no-such-language",
    severity: Severity::Error,
    what: "The `language` of a shipped scheduler is neither `c` nor `rust`.",
    why: "Each comes with Fusee twice, and decides the same in both languages. There is no code of \
          it in any other.",
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
        root.language = "Rust";
    }
}
"#,
    instead: "Say `\"c\"` or `\"rust\"`, or leave it out: then it is C.",
    reference: "Fusee book, \"Schedulers as components\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let system = view.system;
    let shipped = system.schedulers.iter().filter(|own| own.algorithm != Algorithm::Own);
    shipped.filter_map(|own| of_one(system, own.task)).collect()
}

fn of_one(system: &System, task: TaskId) -> Option<Finding> {
    let component = system.component(system.task(task).component);
    let is_unknown = |given: &&Attribute| {
        let is_there =
            matches!(&given.value, Value::Text(text) if matches!(text.as_str(), "c" | "rust"));
        given.name == "language" && !is_there
    };
    let unknown = component.attributes.iter().find(is_unknown)?;
    let text = format!("`{}` comes in C and in Rust only", component.kind);
    let finding = Finding::of(&RULE, text).at(unknown.origin, "neither `\"c\"` nor `\"rust\"`");
    Some(finding.note("leave `language` out for C"))
}
