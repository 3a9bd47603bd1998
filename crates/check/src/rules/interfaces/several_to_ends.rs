//! A procedure connection with several `to` ends.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{Connection, InterfaceKind};

use crate::finding::Finding;
use crate::view::{View, list};

pub(crate) const RULE: Rule = Rule {
    code: Code("F0403"),
    name: "several-to-ends",
    severity: Severity::Error,
    what: "A connection between procedure interfaces has more than one `to` end. (The standard \
           connectors do not allow it in the first place; one of your own may.)",
    why: "A call goes to one callee. CAmkES gives both ends one endpoint, so either could receive \
          the call; Sudvarg et al.'s templates refuse it, and no bound can be given for it.",
    example: r#"
import <std_connector.camkes>;
connector Either {
    from Procedures;
    to Procedures;
    attribute string behaves_as = "seL4RPCCall";
}
procedure Log { void put(); };
component Logger { provides Log log; }
component Pump { control; uses Log log; }
assembly {
    composition {
        component Logger near;
        component Logger far;
        component Pump pump;
        connection Either both(from pump.log, to near.log, to far.log);
    }
    configuration { pump.calls = ["log"]; }
}
"#,
    instead: "Write one connection for each `to` end, each from an interface of its own.",
    reference: "Sudvarg et al. 2024, section 5",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let is_procedure = |connection: &&Connection| {
        let kinds = connection.from.iter().filter_map(|e| view.end(e)).map(|(_, i)| i.kind);
        kinds.into_iter().any(|k| matches!(k, InterfaceKind::Uses(_)))
    };
    (view.system.connections.iter())
        .filter(|c| c.to.len() > 1)
        .filter(is_procedure)
        .map(|connection| finding(view, connection))
        .collect()
}

fn finding(view: &View<'_>, connection: &Connection) -> Finding {
    let ends: Vec<String> = connection.to.iter().map(|e| view.end_name(e)).collect();
    let message = format!(
        "connection `{}` leads to {} callees: {}",
        connection.name,
        ends.len(),
        list(&ends)
    );
    let mut finding = Finding::of(&RULE, message);
    for (index, end) in connection.to.iter().enumerate() {
        finding = match index {
            0 => finding.because(end.origin, "the first callee"),
            1 => finding.at(end.origin, "a second one"),
            _ => finding.because(end.origin, "another one"),
        };
    }
    finding.note(
        "a call goes to one callee; write one connection for each, from an interface of its own",
    )
}
