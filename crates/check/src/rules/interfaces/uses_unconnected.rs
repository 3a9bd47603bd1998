//! A used interface that leads nowhere.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::InterfaceKind;

use super::unconnected;
use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0401"),
    name: "uses-unconnected",
    severity: Severity::Error,
    what: "An instance has a `uses` interface that no connection leads away from, and it is not \
           declared `maybe`.",
    why: "The component's code calls the interface's methods. Without a connection there is \
          nothing behind them, so the call can neither be built nor be given an execution time.",
    example: r#"
import <std_connector.camkes>;
procedure Log { void put(); };
component Pump { control; uses Log log; }
assembly {
    composition { component Pump pump; }
    configuration { pump.calls = []; }
}
"#,
    instead: "Connect it to an interface that is provided, or declare it `maybe uses` if the code \
              copes without it.",
    reference: "CAmkES manual, \"Connections\" and \"maybe\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let is_uses = |kind| matches!(kind, InterfaceKind::Uses(_));
    unconnected(
        view,
        &RULE,
        is_uses,
        "used interface",
        "connect it, or declare it `maybe uses` if the code copes without",
    )
}
