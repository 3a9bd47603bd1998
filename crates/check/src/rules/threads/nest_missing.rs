//! An interface that cannot pass an inherited priority on.

use std::collections::BTreeSet;

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::Protocol;

use super::prioritized;
use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0524"),
    name: "nest-missing",
    severity: Severity::Warning,
    what: "A prioritised interface below an `inherited` one has no method `nest`.",
    why: "The library of Sudvarg et al. 2024 passes a priority that is inherited later down the \
          chain of requests by calling `nest`. Without it the lower holder keeps its old priority. \
          Fusee's kernel walks the chain itself.",
    example: r#"
import <std_connector.camkes>;
import "priority-connectors.camkes";
procedure Log { void put(); };
component Upper { provides Log log; uses Log next; }
component Lower { provides Log log; }
component Pump { control; attribute int requestor; uses Log log; }
assembly {
    composition {
        component Upper upper;
        component Lower lower;
        component Pump pump;
        connection seL4RPCCallPrioritized1 a(from pump.log, to upper.log);
        connection seL4RPCCallPrioritized2 b(from upper.next, to lower.log);
    }
    configuration {
        pump.requestor = 1;
        pump.calls = ["log"];
        upper.log_calls = ["next"];
        upper.log_priority_protocol = "inherited";
        upper.log_num_threads = 1;
        lower.log_priority_protocol = "inherited";
        lower.log_num_threads = 2;
    }
}
"#,
    instead: "Add `void nest(in int priority, in int requestor);` to the procedure.",
    reference: "Sudvarg et al. 2024, sections 4.2 and 5",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let mut gates: Vec<_> = prioritized(view).collect();
    let mut seen = BTreeSet::new();
    gates.retain(|(_, gate)| seen.insert(*gate));
    (gates.into_iter())
        .filter(|(_, id)| view.derived.gate(*id).below_inherited)
        .filter(|(_, id)| view.system.gate(*id).protocol.value != Protocol::Fixed)
        .filter(|(_, id)| view.system.gate(*id).methods.iter().all(|m| m.name != "nest"))
        .map(|(connection, id)| {
            let gate = view.system.gate(id);
            Finding::of(
                &RULE,
                format!(
                    "`{}` is below an `inherited` interface and has no method `nest`",
                    gate.name
                ),
            )
            .at(gate.origin, "add `void nest(in int priority, in int requestor);` to its procedure")
            .because(connection.origin, "requests that can inherit arrive here")
        })
        .collect()
}
