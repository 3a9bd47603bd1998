//! Mutexes with a protocol that mutexes do not have.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{Gate, GateId, Protocol};

use crate::finding::Finding;
use crate::rules::cores::is_held;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0578"),
    name: "mutex-protocol",
    severity: Severity::Error,
    what: "A mutex has another protocol than `inherited` or `msrp`.",
    why: "Whoever locks a mutex goes on where it was, in its own frames and on its own core. So \
          nobody else can execute its section, as `mrsp` has it, nor can it be woken above its \
          urgency, as `mpcp` has it; and a mutex of one core lets its holder inherit.",
    example: r#"
import <std_connector.camkes>;
procedure Log { void put(); };
component Logger { provides Log log; has mutex guard; }
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
        two.core = 1;
        logger.log_priority_protocol = "propagated";
        logger.log_calls = ["lock guard", "100 us", "unlock guard"];
        logger.guard_priority_protocol = "mrsp";
    }
}
"#,
    instead: "Use `msrp` where tasks of several cores lock the mutex, and leave the protocol out \
              where those of one do; or protect the data by a gate, which has all protocols.",
    reference: "Gai, Lipari and Di Natale 2001 (MSRP); Fusee book, \"The kernel on several cores\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let gates = view.system.gate_ids().filter(|(id, _)| view.system.mutex(*id).is_some());
    gates.filter_map(|(id, gate)| finding(view, id, gate)).collect()
}

fn finding(view: &View<'_>, id: GateId, gate: &Gate) -> Option<Finding> {
    if matches!(gate.protocol.value, Protocol::Inherited | Protocol::Msrp) {
        return None;
    }
    let fits = match view.derived.gate(id).cores[..] {
        [] | [_] => Protocol::Inherited,
        // That it is one core's is another rule's matter.
        _ if is_held(gate) => return None,
        _ => Protocol::Msrp,
    };
    let (word, fits) = (gate.protocol.value.name(), fits.name());
    let message = format!("`{}` is a mutex, and `{word}` is for gates", gate.name);
    let finding = Finding::of(&RULE, message).at(gate.protocol.origin, "no protocol of mutexes");
    Some(finding.fix(format!("use `{fits}`"), gate.protocol.origin, format!("\"{fits}\"")))
}
