//! A stack resource policy among fixed priorities.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::Protocol;

use crate::finding::Finding;
use crate::rules::policies::deadlines_at;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0561"),
    name: "srp-is-fixed",
    severity: Severity::Note,
    what: "A gate is `srp`, and priorities decide who runs.",
    why: "Under fixed priorities the stack resource policy and the immediate ceiling protocol make \
          the same schedules: the gate is treated as `fixed`, with the highest priority of its \
          users as ceiling.",
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
        pump.period = "10 ms";
        pump.wcet = "1 ms";
        logger.log_wcet = "100 us";
        logger.log_priority_protocol = "srp";
    }
}
"#,
    instead: "Write `fixed`, or set `system.policy = \"earliest_deadline\"`.",
    reference: "Baker 1991, section 4; Fusee book, \"Gates\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    (view.system.gate_ids())
        .filter(|(_, gate)| gate.protocol.value == Protocol::Srp)
        .filter(|(id, _)| deadlines_at(view, *id).is_none())
        .map(|(_, gate)| {
            Finding::of(
                &RULE,
                format!("`{}` is `srp`, which under fixed priorities is `fixed`", gate.name),
            )
            .at(gate.protocol.origin, "runs at the highest priority of its users")
            .note("`system.policy = \"earliest_deadline\"` would let deadlines decide")
        })
        .collect()
}
