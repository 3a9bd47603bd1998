//! An event source without a receiver.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::InterfaceKind;

use super::unconnected;
use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0405"),
    name: "emits-unconnected",
    severity: Severity::Warning,
    what: "An instance has an `emits` interface that no connection leads away from.",
    why: "Its signals are lost. CAmkES permits that, but more often a connection was forgotten.",
    example: r#"
component Pump { control; emits Done done; }
assembly {
    composition { component Pump pump; }
}
"#,
    instead: "Connect it to a `consumes` interface, or remove it.",
    reference: "CAmkES manual, \"Events\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let is_emits = |kind| matches!(kind, InterfaceKind::Emits(_));
    unconnected(
        view,
        &RULE,
        is_emits,
        "event source",
        "its signals are lost; connect it or remove it",
    )
}
