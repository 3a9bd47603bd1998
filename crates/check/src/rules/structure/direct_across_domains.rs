//! A direct call between protection domains.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{Connection, End, InterfaceKind};

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0430"),
    name: "direct-across-domains",
    severity: Severity::Error,
    what: "A direct call connects components that are not in the same group.",
    why: "A direct call is a plain function call: caller and callee must share an address space. Instances that are in \
          no group each have their own.",
    example: r#"
import <std_connector.camkes>;
procedure Log { void put(); };
component Logger { provides Log log; }
component Pump { control; uses Log log; }
assembly {
    composition {
        component Logger logger;
        component Pump pump;
        connection seL4DirectCall calls(from pump.log, to logger.log);
    }
    configuration { pump.calls = ["log"]; }
}
"#,
    instead: "Put both instances into one `group`, or use `seL4RPCCall`.",
    reference: "CAmkES manual, \"Groups\" and \"Direct calls\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    (view.system.connections.iter())
        .filter(|c| is_direct(view, c))
        .flat_map(|c| c.from.iter().flat_map(move |from| c.to.iter().map(move |to| (c, from, to))))
        .filter(|(_, from, to)| domain(view, from) != domain(view, to))
        .map(|(connection, from, to)| {
            let ends = (view.end_name(from), view.end_name(to));
            Finding::of(&RULE, format!("direct call from `{}` to `{}` crosses address spaces", ends.0, ends.1))
                .at(connection.origin, "a direct call needs both ends in one group")
                .because(from.origin, domain(view, from).map_or_else(String::new, |d| format!("in `{d}`")))
                .because(to.origin, domain(view, to).map_or_else(String::new, |d| format!("in `{d}`")))
                .note("put both instances into one group, or use seL4RPCCall")
        })
        .collect()
}

fn is_direct(view: &View<'_>, connection: &Connection) -> bool {
    connection.to.iter().filter_map(|e| view.end(e)).any(|(_, interface)| match interface.kind {
        InterfaceKind::Provides(gate) => view.system.gates.get(gate.index()).is_some_and(|g| g.direct),
        _ => false,
    })
}

fn domain<'a>(view: &View<'a>, end: &End) -> Option<&'a str> {
    let (component, _) = view.end(end)?;
    view.system.domains.get(component.domain.index()).map(|d| d.name.as_str())
}
