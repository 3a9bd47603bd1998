//! An interface at which two connections end.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{Component, Interface, InterfaceKind, Origin};

use crate::finding::Finding;
use crate::view::{View, list};

pub(crate) const RULE: Rule = Rule {
    code: Code("F0402"),
    name: "connected-twice",
    severity: Severity::Error,
    what: "A `uses` interface takes part in more than one connection.",
    why: "A call through the interface goes to one place. With two connections it would be left to chance, or to the \
          order of the text, where it goes and how long it takes.",
    example: r#"
import <std_connector.camkes>;
procedure Log { void put(); };
component Logger { provides Log log; }
component Pump { control; uses Log log; }
assembly {
    composition {
        component Logger near;
        component Logger far;
        component Pump pump;
        connection seL4RPCCall one(from pump.log, to near.log);
        connection seL4RPCCall two(from pump.log, to far.log);
    }
    configuration { pump.calls = ["log"]; }
}
"#,
    instead: "Remove one of the connections, or give the component a second interface.",
    reference: "CAmkES manual, \"Connections\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    (view.interfaces())
        .filter(|(_, i)| matches!(i.kind, InterfaceKind::Uses(_)))
        .filter(|(_, i)| i.connections.len() > 1)
        .map(|(component, interface)| finding(view, component, interface))
        .collect()
}

fn finding(view: &View<'_>, component: &Component, interface: &Interface) -> Finding {
    let connections = interface.connections.iter().filter_map(|c| view.system.connections.get(c.index()));
    let (names, origins): (Vec<&str>, Vec<Origin>) = connections.map(|c| (c.name.as_str(), c.origin)).unzip();
    let name = format!("{}.{}", component.name, interface.name);
    let mut finding =
        Finding::of(&RULE, format!("`{name}` takes part in {} connections: {}", names.len(), list(&names)));
    for (index, origin) in origins.into_iter().enumerate() {
        finding = match index {
            0 => finding.because(origin, "first connected here"),
            1 => finding.at(origin, "connected again here"),
            _ => finding.because(origin, "and here"),
        };
    }
    finding.note("a call through one interface goes to one place; remove a connection or add an interface")
}
