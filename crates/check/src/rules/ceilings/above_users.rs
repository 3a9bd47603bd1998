//! A ceiling that blocks more tasks than it must.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::TOP_PRIORITY;

use super::given;
use crate::finding::Finding;
use crate::view::{View, list};

pub(crate) const RULE: Rule = Rule {
    code: Code("F0511"),
    name: "ceiling-above-users",
    severity: Severity::Warning,
    what: "The ceiling given for a `fixed` gate is higher than all its users, and there are tasks \
           in between. The top priority is not reported: it asks for a non-preemptive section.",
    why: "Tasks between the highest user and the ceiling have nothing to do with the gate, and are \
          blocked by it all the same.",
    example: r#"
import <std_connector.camkes>;
procedure Log { void put(); };
component Logger { provides Log log; }
component Pump { control; uses Log log; }
component Valve { control; }
assembly {
    composition {
        component Logger logger;
        component Pump pump;
        component Valve valve;
        connection seL4RPCCall calls(from pump.log, to logger.log);
    }
    configuration {
        pump.calls = ["log"];
        pump.priority = 20;
        valve.priority = 30;
        logger.log_priority_protocol = "fixed";
        logger.log_ceiling = 40;
    }
}
"#,
    instead: "Lower the ceiling to the highest priority among the users, or leave it out.",
    reference: "Sudvarg et al. 2024, section 3.2.2",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    given(view)
        .filter(|(.., ceiling)| ceiling.value != TOP_PRIORITY)
        .filter_map(|(id, gate, ceiling)| {
            let highest = view.derived.gate(id).highest.filter(|h| *h < ceiling.value)?;
            let between = view
                .system
                .tasks
                .iter()
                .filter(|t| (highest + 1..=ceiling.value).contains(&t.priority.value));
            let blocked: Vec<&str> = between.map(|t| t.name.as_str()).collect();
            if blocked.is_empty() {
                return None;
            }
            let message =
                format!("ceiling {} of `{}` is above all its users", ceiling.value, gate.name);
            Some(
                Finding::of(&RULE, message)
                    .at(ceiling.origin, format!("{highest} is enough"))
                    .note(format!("blocked without need: {}", list(&blocked)))
                    .fix("lower the ceiling", ceiling.origin, highest.to_string()),
            )
        })
        .collect()
}
