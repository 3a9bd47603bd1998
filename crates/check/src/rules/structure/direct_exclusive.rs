//! A direct call that is meant to lock.

use fusee_diagnostics::{Code, Rule, Severity};

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0431"),
    name: "direct-exclusive",
    severity: Severity::Error,
    what: "An interface that is reached by direct calls has an exclusive protocol.",
    why: "A direct call does not pass the kernel, so nobody locks, raises a priority or queues a second caller. The \
          protocol would be a promise that nothing keeps.",
    example: r#"
import <std_connector.camkes>;
procedure Log { void put(); };
component Logger { provides Log log; }
component Pump { control; uses Log log; }
assembly {
    composition {
        group one { component Logger logger; component Pump pump; }
        connection seL4DirectCall calls(from one.pump.log, to one.logger.log);
    }
    configuration {
        one.pump.calls = ["log"];
        one.logger.log_priority_protocol = "inherited";
    }
}
"#,
    instead: "Use `seL4RPCCall`, or drop the protocol if the callee is safe to enter more than once.",
    reference: "Fusee book, \"Gates\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    (view.system.gates.iter())
        .filter(|g| g.direct && g.protocol.value.is_exclusive())
        .map(|gate| {
            let protocol = gate.protocol.value.name();
            Finding::of(&RULE, format!("`{}` is `{protocol}`, but direct calls pass no gate", gate.name))
                .at(gate.protocol.origin, "nothing would lock")
                .because(gate.origin, "reached by direct calls")
                .note("use seL4RPCCall, or drop the protocol")
        })
        .collect()
}
