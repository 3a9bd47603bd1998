//! A pool with threads that are never used.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::Protocol;

use crate::finding::Finding;
use crate::view::{View, count};

pub(crate) const RULE: Rule = Rule {
    code: Code("F0521"),
    name: "threads-too-many",
    severity: Severity::Warning,
    what: "`IFACE_num_threads` is larger than the number of requests that can be there at once.",
    why: "For a `propagated` or `inherited` interface the rest only costs memory. A `fixed` \
          interface with more than one thread is no longer exclusive: two threads can be inside at \
          once.",
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
        logger.log_priority_protocol = "propagated";
        logger.log_num_threads = 4;
    }
}
"#,
    instead: "Set the number that the message gives, here and in the connector's name.",
    reference: "Sudvarg et al. 2024, section 5",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    (view.system.gate_ids())
        .filter_map(|(id, gate)| {
            let given = gate.given_threads?;
            let needed = view.derived.gate(id).rpc_threads;
            if given.value <= needed {
                return None;
            }
            let wrong = match gate.protocol.value {
                Protocol::Fixed | Protocol::Fifo => {
                    "with more than one thread the gate is not exclusive on seL4"
                }
                _ => "the rest is never used",
            };
            let message =
                format!("`{}` needs {}, not {}", gate.name, count(needed, "thread"), given.value);
            let finding = Finding::of(&RULE, message).at(given.origin, wrong);
            Some(finding.fix("leave out the others", given.origin, needed.to_string()))
        })
        .collect()
}
