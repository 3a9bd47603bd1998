//! A gate that is used from more than one core.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::TaskId;

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0507"),
    name: "several-cores",
    severity: Severity::Error,
    what: "Tasks on different cores can get to the same exclusive gate.",
    why: "`fixed`, `inherited` and `fifo` are protocols for one core: a raised priority means \
          nothing to a thread on another one. Gates between cores need other protocols, which this \
          version does not have.",
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
        one.core = 0;
        two.core = 1;
        logger.log_priority_protocol = "inherited";
    }
}
"#,
    instead: "Put the tasks on one core, give each core its own instance, or share data through a \
              dataport.",
    reference: "Fusee book, \"Gates\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for (id, gate) in view.system.gate_ids() {
        let facts = view.derived.gate(id);
        let Some((here, there)) = two_cores(view, &facts.tasks) else { continue };
        if gate.protocol.value.is_exclusive() {
            let (one, two) = (view.system.task(here), view.system.task(there));
            let message =
                format!("`{}` is used from cores {} and {}", gate.name, one.core, two.core);
            found.push(
                Finding::of(&RULE, message)
                    .at(
                        gate.protocol.origin,
                        format!("`{}` works on one core", gate.protocol.value.name()),
                    )
                    .because(one.origin, format!("task `{}` runs on core {}", one.name, one.core))
                    .because(two.origin, format!("task `{}` runs on core {}", two.name, two.core))
                    .note("put the tasks on one core, or give each core its own instance"),
            );
        }
    }
    found
}

fn two_cores(view: &View<'_>, tasks: &[TaskId]) -> Option<(TaskId, TaskId)> {
    let first = *tasks.first()?;
    let other =
        tasks.iter().find(|&&t| view.system.task(t).core != view.system.task(first).core)?;
    Some((first, *other))
}
