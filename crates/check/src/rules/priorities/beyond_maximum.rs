//! A priority above what the thread may have on seL4.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{Attribute, Component, Value};

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0553"),
    name: "priority-beyond-maximum",
    severity: Severity::Warning,
    what: "A priority or ceiling is higher than the maximum that an attribute `*_max_priority` of \
           the same component gives.",
    why: "On seL4 the maximum limits what a thread can be raised to; raising it further fails. \
          Fusee has no such limit.",
    example: r#"
component Pump { control; }
assembly {
    composition { component Pump pump; }
    configuration { pump._priority = 200; pump._max_priority = 100; }
}
"#,
    instead: "Raise the maximum, or lower the priority.",
    reference: "CAmkES manual, \"Thread priorities\"",
};

const SUFFIX: &str = "_max_priority";

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    view.system.components.iter().flat_map(component).collect()
}

fn component(component: &Component) -> Vec<Finding> {
    let mut found = Vec::new();
    for maximum in &component.attributes {
        let Some(prefix) = maximum.name.strip_suffix(SUFFIX) else { continue };
        let priority = format!("{prefix}_priority");
        let priority = component.attributes.iter().find(|a| a.name == priority);
        let Some(priority) = priority.filter(|p| number(p) > number(maximum)) else { continue };
        let message = format!("`{}.{}` is above `{}`", component.name, priority.name, maximum.name);
        found.push(
            Finding::of(&RULE, message)
                .at(priority.origin, "seL4 refuses this")
                .because(maximum.origin, "the maximum")
                .note("raise the maximum, or lower the priority"),
        );
    }
    found
}

fn number(attribute: &Attribute) -> Option<i128> {
    if let Value::Integer(number) = attribute.value { Some(number) } else { None }
}
