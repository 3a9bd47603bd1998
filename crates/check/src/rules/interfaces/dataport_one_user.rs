//! A dataport with one user.

use std::collections::BTreeSet;

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{Connection, InterfaceKind};

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0409"),
    name: "dataport-one-user",
    severity: Severity::Warning,
    what: "All ends of a dataport connection belong to the same component.",
    why: "Shared memory that is shared with nobody is a private buffer with the price of a \
          mapping; more often the second user's end is missing or names the wrong instance.",
    example: r#"
import <std_connector.camkes>;
component Pump { control; dataport Buf outlet; dataport Buf inlet; }
assembly {
    composition {
        component Pump pump;
        connection seL4SharedData memory(from pump.outlet, to pump.inlet);
    }
}
"#,
    instead: "Connect the component that should read the data, or use a plain variable.",
    reference: "CAmkES manual, \"Dataports\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    (view.system.connections.iter())
        .filter(|c| has_one_user(view, c))
        .map(|connection| {
            let user = connection.from.iter().chain(&connection.to).find_map(|e| view.end(e));
            let user = user.map_or("", |(c, _)| c.name.as_str());
            Finding::of(
                &RULE,
                format!("dataport connection `{}` has `{user}` as its only user", connection.name),
            )
            .at(connection.origin, "all ends are in the same component")
            .note("connect a second component, or use a plain variable")
        })
        .collect()
}

fn has_one_user(view: &View<'_>, connection: &Connection) -> bool {
    let ends = || connection.from.iter().chain(&connection.to);
    let is_dataport = |kind| matches!(kind, InterfaceKind::Dataport(_));
    let all_dataports = ends().all(|e| view.end(e).is_some_and(|(_, i)| is_dataport(i.kind)));
    let users: BTreeSet<_> = ends().map(|e| e.component).collect();
    all_dataports && users.len() == 1
}
