//! A protocol between cores where one core would do.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{Gate, GateId, Protocol};

use crate::finding::Finding;
use crate::rules::policies::deadlines_at;
use crate::view::{View, list};

pub(crate) const RULE: Rule = Rule {
    code: Code("F0571"),
    name: "between-cores-on-one",
    severity: Severity::Warning,
    what: "A gate is `msrp`, `mrsp` or `mpcp`, and all tasks that use it are on one core.",
    why: "A queue under a lock, and interrupts between cores, are for users that run at the same \
          time. On one core a gate with a ceiling gives the same and costs a fraction, and an \
          image of one core has nothing else.",
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
        pump.period = "10 ms";
        pump.wcet = "1 ms";
        logger.log_wcet = "100 us";
        logger.log_priority_protocol = "mrsp";
    }
}
"#,
    instead: "Use `fixed`, which does on one core what `mrsp` does between cores; instead of \
              `msrp` also `non_preemptive`.",
    reference: "Burns and Wellings 2013; Fusee book, \"The kernel on several cores\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    // Where deadlines decide another rule refuses the others anyway.
    let fits = |(id, gate): &(GateId, &Gate)| {
        gate.protocol.value == Protocol::Msrp || deadlines_at(view, *id).is_none()
    };
    let gates = view.system.gate_ids().filter(|(_, gate)| gate.is_global()).filter(fits);
    gates.filter_map(|(id, gate)| finding(view, id, gate)).collect()
}

fn finding(view: &View<'_>, id: GateId, gate: &Gate) -> Option<Finding> {
    let facts = view.derived.gate(id);
    let [core] = facts.cores[..] else { return None };
    let users: Vec<&str> =
        facts.tasks.iter().map(|&task| view.system.task(task).name.as_str()).collect();
    let word = gate.protocol.value.name();
    let local = match gate.protocol.value {
        _ if view.system.mutex(id).is_some() => Protocol::Inherited,
        Protocol::Msrp => Protocol::NonPreemptive,
        _ => Protocol::Fixed,
    };
    let message = format!("`{}` is `{word}`, and only core {core} uses it", gate.name);
    let plural = if users.len() == 1 { "runs" } else { "run" };
    Some(
        Finding::of(&RULE, message)
            .at(gate.protocol.origin, "made for several cores")
            .note(format!("{} {plural} on core {core}", list(&users)))
            .fix(
                format!("`{}` does the same on one core", local.name()),
                gate.protocol.origin,
                format!("\"{}\"", local.name()),
            ),
    )
}
