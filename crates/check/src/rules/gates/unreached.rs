//! A gate that no task gets to.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{ConnectionId, InterfaceKind};

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0506"),
    name: "gate-unreached",
    severity: Severity::Warning,
    what: "An interface is provided and connected, but no task's invocations ever lead to it.",
    why: "Either it is dead weight, or a `calls` attribute leaves out an invocation that the code \
          makes. In the second case bounds do not count it, and the code can take longer than its \
          bound.",
    example: r#"
import <std_connector.camkes>;
procedure Log { void put(); };
component Logger { provides Log log; }
component Pump { control; uses Log log; }
assembly {
    composition {
        component Logger logger;
        component Pump pump;
        connection seL4RPCCall calls(from pump.log, to logger.log);
    }
    configuration { pump.calls = []; }
}
"#,
    instead: "Add the missing invocation to `calls`, or remove the connection.",
    reference: "Fusee book, \"Describing timing\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let mut connected = vec![false; view.system.gates.len()];
    for (_, interface) in view.interfaces() {
        if let InterfaceKind::Provides(gate) = interface.kind {
            connected[gate.index()] = interface.connections.iter().any(|&id| leads_here(view, id));
        }
    }
    (view.system.gate_ids())
        .filter(|(id, _)| view.derived.gate(*id).tasks.is_empty() && connected[id.index()])
        .map(|(_, gate)| {
            Finding::of(&RULE, format!("no task ever gets to `{}`", gate.name))
                .at(
                    view.system.component(gate.component).origin,
                    "provided and connected, but not invoked",
                )
                .because(gate.origin, "declared here")
                .note("add the invocation to the caller's `calls`, or remove the connection")
        })
        .collect()
}

/// Returns `true` if calls through a connection have one place to go; where they have several, that
/// is the mistake.
fn leads_here(view: &View<'_>, id: ConnectionId) -> bool {
    let Some(connection) = view.system.connections.get(id.index()) else { return false };
    let is_plain =
        |end| view.end(end).is_some_and(|(_, interface)| interface.connections.len() == 1);
    connection.to.len() == 1 && connection.from.iter().all(is_plain)
}
