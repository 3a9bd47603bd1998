//! A task at the top priority beside a non-preemptive gate.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{Protocol, TOP_PRIORITY};

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0512"),
    name: "top-priority-task",
    severity: Severity::Error,
    what: "A `fixed` gate has the top priority (255) as its ceiling, and a task has it as its base \
           priority.",
    why: "A section at the top priority is non-preemptive only as long as nobody else has that \
          priority. With time slices the task could run in the middle of the section.",
    example: r#"
import <std_connector.camkes>;
procedure Log { void put(); };
component Logger { provides Log log; }
component Pump { control; uses Log log; }
component Valve { control; }
assembly {
    composition {
        component Logger logger;
        component Pump pump;
        component Valve valve;
        connection seL4RPCCall calls(from pump.log, to logger.log);
    }
    configuration {
        pump.calls = ["log"];
        pump.priority = 20;
        valve.priority = 255;
        logger.log_priority_protocol = "fixed";
        logger.log_ceiling = 255;
    }
}
"#,
    instead: "Give tasks priorities up to 254.",
    reference: "Sudvarg et al. 2024, section 4.1",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let is_non_preemptive = |ceiling| ceiling == Some(TOP_PRIORITY);
    let gate = (view.system.gate_ids())
        .filter(|(_, g)| g.protocol.value == Protocol::Fixed)
        .find(|(_, g)| is_non_preemptive(g.given_ceiling.map(|c| c.value)));
    let Some((_, gate)) = gate else { return Vec::new() };
    let ceiling = gate.given_ceiling.map_or(gate.origin, |c| c.origin);
    (view.system.tasks.iter())
        .filter(|t| t.priority.value == TOP_PRIORITY)
        .map(|task| {
            let message = format!(
                "task `{}` has the priority of non-preemptive gate `{}`",
                task.name, gate.name
            );
            Finding::of(&RULE, message)
                .at(task.priority.origin, "the top priority, 255")
                .because(ceiling, "non-preemptive: its ceiling is the top priority")
                .note("give tasks priorities up to 254")
        })
        .collect()
}
