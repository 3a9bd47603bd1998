//! A gate at which threads are suspended, asked for with another in hand.

use fusee_diagnostics::{Code, Rule, Severity};

use super::is_held;
use crate::finding::Finding;
use crate::view::View;
use crate::ways;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0574"),
    name: "suspended-while-holding",
    severity: Severity::Error,
    what: "A gate that is `mpcp` is invoked while its caller holds an exclusive gate of its own \
           core, or a mutex.",
    why: "Who waits at an `mpcp` gate is suspended. Whoever wants the gate that it holds meanwhile \
          waits for another core, which no inheritance on this one can hurry.",
    example: r#"
import <std_connector.camkes>;
procedure Log { void put(); };
component Logger { provides Log log; }
component Store { provides Log log; uses Log behind; }
component Pump { control; uses Log log; }
assembly {
    composition {
        component Logger logger;
        component Store store;
        component Pump one;
        component Pump two;
        connection seL4RPCCall inner(from store.behind, from two.log, to logger.log);
        connection seL4RPCCall outer(from one.log, to store.log);
    }
    configuration {
        one.calls = ["log"];
        two.calls = ["log"];
        two.core = 1;
        store.log_calls = ["behind"];
        store.log_priority_protocol = "inherited";
        logger.log_priority_protocol = "mpcp";
    }
}
"#,
    instead: "Use `mrsp` or `msrp` for the inner gate: who waits there stays on its core. Or make \
              the outer gate `propagated`.",
    reference: "Rajkumar 1990; Fusee book, \"The kernel on several cores\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let around = ways::around(view, is_held);
    let suspending =
        view.system.gate_ids().filter(|(_, gate)| gate.protocol.value.suspends() && !gate.direct);
    suspending
        .filter_map(|(id, gate)| {
            let outer = view.system.gate(around[id.index()].iter().flatten().next().copied()?);
            let word = outer.protocol.value.name();
            let message =
                format!("`{}` is `mpcp`, and is entered while `{}` is held", gate.name, outer.name);
            Some(
                Finding::of(&RULE, message)
                    .at(gate.protocol.origin, "who waits is suspended")
                    .because(outer.protocol.origin, format!("`{word}` and held meanwhile"))
                    .note("who waits at an `mrsp` or `msrp` gate stays on its core")
                    .fix("use `mrsp`", gate.protocol.origin, "\"mrsp\""),
            )
        })
        .collect()
}
