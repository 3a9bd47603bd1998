//! A provided interface without a user.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::InterfaceKind;

use super::unconnected;
use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0407"),
    name: "provides-unconnected",
    severity: Severity::Warning,
    what: "An instance provides an interface that no connection leads to.",
    why: "Nothing can call it: its code, its stack and its place in the image are dead weight, and \
          more often than not a connection was forgotten or goes to another instance.",
    example: r#"
procedure Log { void put(); };
component Logger { provides Log log; }
component Pump { control; }
assembly {
    composition { component Logger logger; component Pump pump; }
}
"#,
    instead: "Connect it, or leave the interface out of the component.",
    reference: "CAmkES manual, \"Connections\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let is_provides = |kind| matches!(kind, InterfaceKind::Provides(_));
    unconnected(
        view,
        &RULE,
        is_provides,
        "provided interface",
        "nothing can call it; connect it or remove it",
    )
}
