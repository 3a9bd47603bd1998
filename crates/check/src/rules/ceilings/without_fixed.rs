//! A ceiling that has no effect.

use fusee_diagnostics::{Code, Rule, Severity};

use crate::finding::Finding;
use crate::rules::policies::has_ceiling;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0513"),
    name: "ceiling-without-fixed",
    severity: Severity::Warning,
    what: "A ceiling is given for a gate whose protocol is neither `fixed` nor `ceiling`.",
    why: "Only these have one. The value has no effect, although whoever wrote it expected one. A \
          gate between cores has another ceiling on each of them, and all are derived.",
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
    configuration {
        pump.calls = ["log"];
        pump.priority = 20;
        logger.log_priority_protocol = "inherited";
        logger.log_ceiling = 20;
    }
}
"#,
    instead: "Remove the ceiling, or set the protocol to `fixed`.",
    reference: "Fusee book, \"Gates\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    (view.system.gate_ids())
        .filter(|(id, _)| !has_ceiling(view, *id))
        .filter_map(|(_, gate)| {
            let ceiling = gate.given_ceiling?;
            let protocol = gate.protocol.value.name();
            let finding =
                Finding::of(&RULE, format!("the ceiling of `{}` has no effect", gate.name))
                    .at(ceiling.origin, "ignored");
            if gate.protocol.value.is_global() {
                let text = format!("`{protocol}` has another one on each core");
                let finding = finding.because(gate.protocol.origin, text);
                return Some(finding.note("remove it: they follow from the users on each core"));
            }
            Some(
                finding
                    .because(gate.protocol.origin, format!("`{protocol}` gates have no ceiling"))
                    .note("remove it, or set the protocol to `fixed`"),
            )
        })
        .collect()
}
