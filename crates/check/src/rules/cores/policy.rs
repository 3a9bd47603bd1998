//! Gates between cores where deadlines decide.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{Gate, Protocol};

use crate::finding::Finding;
use crate::rules::policies::deadlines_at;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0570"),
    name: "between-cores-by-deadline",
    severity: Severity::Error,
    what: "A gate is `mrsp` or `mpcp`, and deadlines decide who runs on a core that uses it.",
    why: "Both protocols are defined by priorities: the ceilings of `mrsp` and the queues and \
          boosts of `mpcp` compare them, and deadlines have no ceilings of that kind. Under `msrp` \
          nobody preempts who waits or is inside, whatever decides otherwise.",
    example: r#"
import <std_connector.camkes>;
procedure Log { void put(); };
component Logger { provides Log log; }
component Pump { control; uses Log log; }
assembly {
    composition {
        component Logger logger;
        component Pump one;
        component Pump two;
        connection seL4RPCCall calls(from one.log, from two.log, to logger.log);
    }
    configuration {
        system.policy = "earliest_deadline";
        one.calls = ["log"];
        one.period = "10 ms";
        one.wcet = "1 ms";
        two.calls = ["log"];
        two.period = "10 ms";
        two.wcet = "1 ms";
        two.core = 1;
        logger.log_wcet = "100 us";
        logger.log_priority_protocol = "mrsp";
    }
}
"#,
    instead: "Use `msrp`, which goes with deadlines. Or let priorities decide (`fixed_priority`).",
    reference: "Gai, Lipari and Di Natale 2001; Fusee book, \"The kernel on several cores\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let by_priority = |gate: &Gate| gate.is_global() && gate.protocol.value != Protocol::Msrp;
    let gates = view.system.gate_ids().filter(|(_, gate)| by_priority(gate));
    gates
        .filter_map(|(id, gate)| Some((gate, deadlines_at(view, id)?)))
        .map(|(gate, policy)| {
            let word = gate.protocol.value.name();
            let message = format!(
                "`{}` is `{word}`, which goes with fixed priorities, and deadlines decide",
                gate.name
            );
            Finding::of(&RULE, message)
                .at(gate.protocol.origin, "needs fixed priorities")
                .because(policy, "decides by deadlines")
                .note("or let priorities decide")
                .fix(
                    "use `msrp`, under which nobody preempts who waits or is inside",
                    gate.protocol.origin,
                    "\"msrp\"",
                )
        })
        .collect()
}
