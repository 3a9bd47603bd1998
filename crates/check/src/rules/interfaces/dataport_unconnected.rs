//! A dataport without memory behind it.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::InterfaceKind;

use super::unconnected;
use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0406"),
    name: "dataport-unconnected",
    severity: Severity::Error,
    what: "An instance has a dataport without a connection, and it is not declared `maybe`.",
    why: "A dataport is memory that its connection provides. Without one the code's pointer is \
          null.",
    example: r#"
component Pump { control; dataport Buf buffer; }
assembly {
    composition { component Pump pump; }
}
"#,
    instead: "Connect it to another dataport or to a device's memory, or declare it `maybe \
              dataport`.",
    reference: "CAmkES manual, \"Dataports\" and \"maybe\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let is_dataport = |kind| matches!(kind, InterfaceKind::Dataport(_));
    unconnected(view, &RULE, is_dataport, "dataport", "connect it, or declare it `maybe dataport`")
}
