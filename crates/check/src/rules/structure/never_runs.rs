//! A component in which nothing can ever run.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{Component, InterfaceKind};

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0434"),
    name: "never-runs",
    severity: Severity::Warning,
    what: "A component has no control thread, provides no procedure and consumes no event.",
    why: "No thread ever gets into it, so none of its code runs. Usually the keyword `control` is \
          missing.",
    example: r#"
import <std_connector.camkes>;
procedure Log { void put(); };
component Logger { provides Log log; }
component Pump { uses Log log; }
component Valve { control; uses Log log; }
assembly {
    composition {
        component Logger logger;
        component Pump pump;
        component Valve valve;
        connection seL4RPCCall calls(from pump.log, from valve.log, to logger.log);
    }
    configuration { valve.calls = ["log"]; }
}
"#,
    instead: "Add `control;` to the component if it has a `run` function, or leave it out.",
    reference: "CAmkES manual, \"Components\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    (view.system.components.iter())
        .filter(|c| !c.control && !c.hardware && !has_entry(c))
        .map(|component| {
            Finding::of(&RULE, format!("nothing ever runs in `{}`", component.name))
                .at(
                    component.origin,
                    "no control thread, no provided procedure, no event that it consumes",
                )
                .note(format!("add `control;` to `{}` if it has a `run` function", component.kind))
        })
        .collect()
}

fn has_entry(component: &Component) -> bool {
    (component.interfaces.iter())
        .any(|i| matches!(i.kind, InterfaceKind::Provides(_) | InterfaceKind::Consumes(_)))
}
