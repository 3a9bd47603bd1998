//! A component that is connected to itself.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::InterfaceKind;

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0408"),
    name: "own-interface",
    severity: Severity::Warning,
    what: "A component uses an interface that it provides itself.",
    why: "The call passes a gate, with its cost and its protocol, to get to code of the same \
          component. Where the interface serves one caller at a time it can also deadlock as soon \
          as it is called from inside.",
    example: r#"
import <std_connector.camkes>;
procedure Log { void put(); };
component Pump { control; uses Log outlet; provides Log inlet; }
assembly {
    composition {
        component Pump pump;
        connection seL4RPCCall loop(from pump.outlet, to pump.inlet);
    }
    configuration {
        pump.calls = ["outlet"];
        pump.inlet_calls = [];
    }
}
"#,
    instead: "Call the function directly, or put what is shared into a component of its own.",
    reference: "CAmkES manual, \"Connections\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for connection in &view.system.connections {
        for from in &connection.from {
            let is_uses =
                view.end(from).is_some_and(|(_, i)| matches!(i.kind, InterfaceKind::Uses(_)));
            let Some(to) =
                connection.to.iter().find(|to| is_uses && to.component == from.component)
            else {
                continue;
            };
            let message = format!(
                "`{}` is connected to its own component's `{}`",
                view.end_name(from),
                view.end_name(to)
            );
            found.push(
                Finding::of(&RULE, message)
                    .at(connection.origin, "a call here passes a gate to stay where it is")
                    .note(
                        "call the function directly, or put what is shared into a component of \
                           its own",
                    ),
            );
        }
    }
    found
}
