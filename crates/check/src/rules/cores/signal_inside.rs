//! Signals from within a gate between cores.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{Gate, Step};

use crate::finding::Finding;
use crate::view::{Owner, View};
use crate::ways;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0573"),
    name: "signal-inside-between-cores",
    severity: Severity::Error,
    what: "Within a gate between cores an event is emitted.",
    why: "An event belongs to one core, the one of those who wait for it. Which core executes a \
          section between cores is nobody's choice, so the signal could come from any of them. \
          The kernel refuses it.",
    example: r#"
import <std_connector.camkes>;
procedure Log { void put(); };
component Logger { provides Log log; emits Full full; }
component Pump { control; uses Log log; }
component Alarm { control; consumes Full full; }
assembly {
    composition {
        component Logger logger;
        component Pump one;
        component Pump two;
        component Alarm alarm;
        connection seL4RPCCall calls(from one.log, from two.log, to logger.log);
        connection seL4Notification fills(from logger.full, to alarm.full);
    }
    configuration {
        one.calls = ["log"];
        two.calls = ["log"];
        two.core = 1;
        logger.log_calls = ["emit full"];
        logger.log_priority_protocol = "msrp";
        alarm.calls = ["wait full"];
    }
}
"#,
    instead: "Let the method return what has happened, and the caller emit the event behind the \
              gate.",
    reference: "Fusee book, \"The kernel on several cores\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let inside = ways::inside(view, Gate::is_global);
    let mut found = Vec::new();
    for (owner, body) in view.bodies() {
        let Owner::Method(id, gate, at) = owner else { continue };
        let Some(outer) = inside[id.index()][at] else { continue };
        let signal = body.steps.iter().find_map(|step| match *step {
            Step::Emit(id) => Some(id),
            _ => None,
        });
        let Some(event) = signal.and_then(|id| view.system.notifications.get(id.index())) else {
            continue;
        };
        let around = view.system.gate(outer);
        let message = format!(
            "{} emits `{}` within `{}`, which is between cores",
            owner.name(),
            event.name,
            around.name
        );
        found.push(
            Finding::of(&RULE, message)
                .at(gate.methods[at].origin, "emitted in here")
                .because(
                    around.protocol.origin,
                    format!("`{}`: any core may execute it", around.protocol.value.name()),
                )
                .because(event.origin, "the event belongs to one core")
                .note("let the caller emit it behind the gate"),
        );
    }
    found
}
