//! A ceiling that one of the users is above.

use fusee_diagnostics::{Code, Rule, Severity};

use super::given;
use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0510"),
    name: "ceiling-below-user",
    severity: Severity::Error,
    what: "The ceiling given for a `fixed` gate is lower than the priority of a task that can \
           reach it.",
    why: "The protocol rests on the ceiling: whoever is inside runs at it, so no other user can \
          preempt and find the gate taken. A user above it can, and then waits for a thread that \
          has no reason to hurry.",
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
        pump.priority = 50;
        logger.log_priority_protocol = "fixed";
        logger.log_ceiling = 40;
    }
}
"#,
    instead: "Raise the ceiling to the highest priority among the users, or leave it out: Fusee \
              then derives it.",
    reference: "Sudvarg et al. 2024, section 3.2.2; Sha, Rajkumar and Lehoczky 1990",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    given(view)
        .filter_map(|(id, gate, ceiling)| {
            let facts = view.derived.gate(id);
            let highest = facts.highest.filter(|h| *h > ceiling.value)?;
            let user = facts
                .tasks
                .iter()
                .map(|&t| view.system.task(t))
                .find(|t| t.priority.value == highest)?;
            let message = format!(
                "ceiling {} of `{}` is below task `{}`",
                ceiling.value, gate.name, user.name
            );
            Some(
                Finding::of(&RULE, message)
                    .at(ceiling.origin, format!("must be at least {highest}"))
                    .because(
                        user.priority.origin,
                        format!("task `{}` has priority {highest}", user.name),
                    )
                    .note("leave the ceiling out to have it derived")
                    .fix("raise the ceiling", ceiling.origin, highest.to_string()),
            )
        })
        .collect()
}
