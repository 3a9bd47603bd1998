//! A connector for another number of threads than the interface has.

use fusee_diagnostics::{Code, Rule, Severity};

use super::{PRIORITIZED, prioritized};
use crate::finding::Finding;
use crate::view::{View, count};

pub(crate) const RULE: Rule = Rule {
    code: Code("F0525"),
    name: "connector-threads-differ",
    severity: Severity::Warning,
    what: "The number in `seL4RPCCallPrioritizedN` differs from the interface's \
           `IFACE_num_threads`.",
    why: "The number of threads must be given twice to Sudvarg et al.'s library. Where the two \
          differ, the pool has other threads than its managers have places for.",
    example: r#"
import <std_connector.camkes>;
import "priority-connectors.camkes";
procedure Log { void put(); };
component Logger { provides Log log; }
component Pump { control; attribute int requestor; uses Log log; }
assembly {
    composition {
        component Logger logger;
        component Pump pump;
        connection seL4RPCCallPrioritized2 calls(from pump.log, to logger.log);
    }
    configuration {
        pump.requestor = 1;
        pump.calls = ["log"];
        logger.log_priority_protocol = "propagated";
        logger.log_num_threads = 1;
    }
}
"#,
    instead: "Use one macro for both places.",
    reference: "Sudvarg et al. 2024, section 5",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for (connection, id) in prioritized(view) {
        let gate = view.system.gate(id);
        let number =
            connection.connector.strip_prefix(PRIORITIZED).and_then(|n| n.parse::<u32>().ok());
        let (Some(number), Some(given)) = (number, gate.given_threads) else { continue };
        if number != given.value {
            let message = format!(
                "`{}` is for {}, but `{}` has {}",
                connection.connector,
                count(number, "thread"),
                gate.name,
                given.value
            );
            found.push(
                Finding::of(&RULE, message)
                    .at(connection.origin, format!("for {}", count(number, "thread")))
                    .because(given.origin, format!("says {}", given.value)),
            );
        }
    }
    found
}
