//! A pool with fewer threads than requests.

use fusee_diagnostics::{Code, Rule, Severity};

use crate::finding::Finding;
use crate::view::{View, count, list};

pub(crate) const RULE: Rule = Rule {
    code: Code("F0520"),
    name: "threads-too-few",
    severity: Severity::Warning,
    what: "`IFACE_num_threads` is smaller than the number of requests that can be there at once \
           (and one more for `nest` below an `inherited` interface).",
    why: "On seL4 a request that finds no thread waits at the endpoint, in no particular order, \
          and nobody inherits its priority. Fusee itself needs no pool; its bounds do not hold for \
          such a build.",
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
        one.calls = ["log"];
        two.calls = ["log"];
        logger.log_priority_protocol = "propagated";
        logger.log_num_threads = 1;
    }
}
"#,
    instead: "Set the number that the message gives, here and in the connector's name.",
    reference: "Sudvarg et al. 2024, section 4.2, Figure 3, and section 5",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    (view.system.gate_ids())
        .filter_map(|(id, gate)| {
            let given = gate.given_threads?;
            let facts = view.derived.gate(id);
            if given.value >= facts.rpc_threads {
                return None;
            }
            let tasks: Vec<&str> =
                facts.tasks.iter().map(|&t| view.system.task(t).name.as_str()).collect();
            let needed = count(facts.rpc_threads, "thread");
            let mut finding =
                Finding::of(&RULE, format!("`{}` needs {needed}, not {}", gate.name, given.value))
                    .at(
                        given.origin,
                        format!("a request can find no thread; {} are needed", facts.rpc_threads),
                    )
                    .note(format!("reached by {}", list(&tasks)))
                    .fix(
                        "give the pool a thread for each",
                        given.origin,
                        facts.rpc_threads.to_string(),
                    );
            if facts.below_inherited {
                finding = finding
                    .note("one thread is for `nest`, because an `inherited` interface is above");
            }
            Some(finding)
        })
        .collect()
}
