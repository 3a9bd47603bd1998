//! An event sink that no event reaches.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::InterfaceKind;

use super::unconnected;
use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0404"),
    name: "consumes-unconnected",
    severity: Severity::Error,
    what: "An instance has a `consumes` interface that no connection leads to, and it is not \
           declared `maybe`.",
    why: "Whoever waits on it waits for ever, and a task that it should release never runs.",
    example: r#"
component Pump { control; consumes Tick tick; }
assembly {
    composition { component Pump pump; }
}
"#,
    instead: "Connect it to an `emits` interface, or declare it `maybe consumes`.",
    reference: "CAmkES manual, \"Events\" and \"maybe\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let is_consumes = |kind| matches!(kind, InterfaceKind::Consumes(_));
    unconnected(
        view,
        &RULE,
        is_consumes,
        "event sink",
        "connect it, or declare it `maybe consumes`",
    )
}
