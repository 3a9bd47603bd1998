//! Gates between cores where deadlines decide.

use fusee_diagnostics::{Code, Rule, Severity};

use crate::finding::Finding;
use crate::rules::policies::by_deadline;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0570"),
    name: "between-cores-by-deadline",
    severity: Severity::Error,
    what: "A gate is `msrp`, `mrsp` or `mpcp`, and deadlines decide who runs.",
    why: "The kernel has these protocols under fixed priorities: there they are explored state by \
          state, and there they have bounds. Under earliest deadline nothing of that is shown yet.",
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
        logger.log_priority_protocol = "msrp";
    }
}
"#,
    instead: "Let priorities decide (`fixed_priority`), or keep all users of the gate on one core \
              and make it `srp`.",
    reference: "Fusee book, \"The kernel on several cores\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let Some(policy) = view.system.settings.policy.filter(|_| by_deadline(view.system)) else {
        return Vec::new();
    };
    let gates = view.system.gates.iter().filter(|gate| gate.is_global());
    gates
        .map(|gate| {
            let word = gate.protocol.value.name();
            let message = format!(
                "`{}` is `{word}`, which goes with fixed priorities, and deadlines decide",
                gate.name
            );
            Finding::of(&RULE, message)
                .at(gate.protocol.origin, "needs fixed priorities")
                .because(policy.origin, "decides by deadlines")
                .note("let priorities decide, or keep all users on one core with `srp`")
        })
        .collect()
}
