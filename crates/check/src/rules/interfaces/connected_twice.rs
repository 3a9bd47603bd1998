//! An interface at which two connections end.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{Component, Connection, End, Interface, InterfaceKind, Origin};

use crate::finding::Finding;
use crate::view::{View, list};

pub(crate) const RULE: Rule = Rule {
    code: Code("F0402"),
    name: "connected-twice",
    severity: Severity::Error,
    what: "A `uses` interface takes part in more than one connection; or another interface but a \
           provided one takes part in connections of different connectors, or at both ends of \
           connections; or a dataport is connected to two devices.",
    why: "A call through the interface goes to one place. With two connections it would be left to \
          chance, or to the order of the text, where it goes and how long it takes. Of events and \
          dataports CAmkES makes several connections one, which takes one connector, and the \
          interface at the same end of each.",
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
    let several = view.interfaces().filter(|(_, i)| i.connections.len() > 1);
    several
        .filter_map(|(component, interface)| {
            let note = reason(view, component, interface)?;
            Some(finding(view, component, interface).note(note))
        })
        .collect()
}

/// Returns the reason for which an interface may not take part in all of its connections, if there
/// is one.
fn reason(view: &View<'_>, component: &Component, interface: &Interface) -> Option<&'static str> {
    match interface.kind {
        InterfaceKind::Uses(_) => {
            return Some(
                "a call through one interface goes to one place; remove a connection or add an \
                 interface",
            );
        }
        InterfaceKind::Provides(_) => return None,
        _ => {}
    }
    let connections =
        interface.connections.iter().filter_map(|c| view.system.connections.get(c.index()));
    let connections: Vec<&Connection> = connections.collect();
    if connections.windows(2).any(|pair| pair[0].connector != pair[1].connector) {
        return Some("several connections of one interface must be of one connector, as in CAmkES");
    }
    let is_own = |end: &End| view.end(end).is_some_and(|(_, found)| std::ptr::eq(found, interface));
    let at_from = connections.iter().filter(|c| c.from.iter().any(is_own)).count();
    if at_from > 0 && at_from < connections.len() {
        return Some(
            "in CAmkES an interface is at the same end, `from` or `to`, of all of its connections",
        );
    }
    let devices =
        connections.iter().flat_map(|c| c.from.iter().chain(&c.to)).filter_map(|end| view.end(end));
    let devices = devices.filter(|(owner, _)| owner.hardware).count();
    let is_dataport = matches!(interface.kind, InterfaceKind::Dataport(_)) && !component.hardware;
    (is_dataport && devices > 1)
        .then_some("one dataport shows the registers of one device; add another dataport")
}

fn finding(view: &View<'_>, component: &Component, interface: &Interface) -> Finding {
    let connections =
        interface.connections.iter().filter_map(|c| view.system.connections.get(c.index()));
    let (names, origins): (Vec<&str>, Vec<Origin>) =
        connections.map(|c| (c.name.as_str(), c.origin)).unzip();
    let name = format!("{}.{}", component.name, interface.name);
    let mut finding = Finding::of(
        &RULE,
        format!("`{name}` takes part in {} connections: {}", names.len(), list(&names)),
    );
    for (index, origin) in origins.into_iter().enumerate() {
        finding = match index {
            0 => finding.because(origin, "first connected here"),
            1 => finding.at(origin, "connected again here"),
            _ => finding.because(origin, "and here"),
        };
    }
    finding
}
