//! A task without an identity for prioritized requests.

use std::collections::BTreeMap;

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{Connection, TaskId};

use super::prioritized;
use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0522"),
    name: "requestor-missing",
    severity: Severity::Warning,
    what: "A task makes prioritised requests, and its component has no `requestor` attribute.",
    why: "The library of Sudvarg et al. 2024 tells the requests of different tasks apart by this \
          number, which travels with each request. Without it `nest` raises the wrong thread. \
          Fusee's kernel knows the thread and needs no number.",
    example: r#"
import <std_connector.camkes>;
import "priority-connectors.camkes";
procedure Log { void put(); };
component Logger { provides Log log; }
component Pump { control; uses Log log; }
assembly {
    composition {
        component Logger logger;
        component Pump pump;
        connection seL4RPCCallPrioritized1 calls(from pump.log, to logger.log);
    }
    configuration {
        pump.calls = ["log"];
        logger.log_priority_protocol = "propagated";
        logger.log_num_threads = 1;
    }
}
"#,
    instead: "Give each originating component its own number, for example `pump.requestor = 1;`.",
    reference: "Sudvarg et al. 2024, section 5",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let mut missing: BTreeMap<TaskId, &Connection> = BTreeMap::new();
    for (connection, gate) in prioritized(view) {
        for &task in &view.derived.gate(gate).tasks {
            if view.attribute(view.system.task(task).component, "requestor").is_none() {
                missing.entry(task).or_insert(connection);
            }
        }
    }
    (missing.into_iter())
        .map(|(task, connection)| {
            let task = view.system.task(task);
            Finding::of(
                &RULE,
                format!("task `{}` makes prioritised requests without a `requestor`", task.name),
            )
            .at(task.origin, "no `requestor` is set for it")
            .because(connection.origin, "its requests go through here")
            .note(format!("set `{}.requestor` to a number of its own", task.name))
        })
        .collect()
}
