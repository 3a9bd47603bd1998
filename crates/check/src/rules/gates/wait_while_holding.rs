//! A wait for an event inside an exclusive gate.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{GateId, Protocol, Step};

use crate::finding::Finding;
use crate::rules::events::awaits_itself::emitted_only_in;
use crate::view::{Owner, View};

pub(crate) const RULE: Rule = Rule {
    code: Code("F0505"),
    name: "wait-while-holding",
    severity: Severity::Warning,
    what: "A body waits for an event while its thread holds, or can hold, an exclusive gate.",
    why: "All who want the gate wait until the event comes, however high their priority: the \
          blocking is as long as the event takes. It has a bound only inside one `inherited` or \
          `fixed` gate, and only if it is known when the event comes. Inheritance cannot \
          hurry an event. Inside `ceiling`, `srp` and `non_preemptive` gates it is an error: they \
          promise that nobody finds them held. Inside gates between cores it is one, too: the \
          kernel refuses it, because which core executes the section is nobody's choice.",
    example: r#"
import <std_connector.camkes>;
procedure Line { void read(); };
component Driver { provides Line line; consumes Byte byte; }
component Uart { hardware; emits Byte byte; }
component Pump { control; uses Line line; }
assembly {
    composition {
        component Driver driver;
        component Uart uart;
        component Pump pump;
        connection seL4RPCCall calls(from pump.line, to driver.line);
        connection seL4HardwareInterrupt bytes(from uart.byte, to driver.byte);
    }
    configuration {
        pump.calls = ["line"];
        driver.line_calls = ["wait byte"];
        driver.line_priority_protocol = "inherited";
    }
}
"#,
    instead: "Wait before entering the gate, or let the gate hand out what has arrived and return \
              at once.",
    reference: "Fusee book, \"Gates\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let held = held_by(view);
    let mut found = Vec::new();
    for (owner, body) in view.bodies() {
        let Owner::Method(id, gate, _) = owner else { continue };
        let Some(holder) = held[id.index()] else { continue };
        let waits =
            body.steps.iter().filter_map(|s| if let Step::Wait(n) = *s { Some(n) } else { None });
        // What only this gate itself emits is a worse matter, and another rule's.
        let Some(event) = waits.into_iter().find(|n| !emitted_only_in(view, *n, id)) else {
            continue;
        };
        let event = &view.system.notifications[event.index()];
        let holder = view.system.gate(holder);
        let (inside, exclusive) = (&gate.name, &holder.name);
        let held = if inside == exclusive {
            "its gate is held".into()
        } else {
            format!("`{exclusive}` can be held")
        };
        let message = format!("{} waits for event `{}` while {held}", owner.name(), event.name);
        found.push(
            Finding::of(&RULE, message)
                .severity(severity(holder.protocol.value))
                .at(gate.origin, "the wait is in here")
                .because(
                    holder.protocol.origin,
                    format!("`{exclusive}` admits one thread at a time"),
                )
                .because(event.origin, "the event")
                .note("wait before entering, or return at once with what has arrived"),
        );
    }
    found
}

/// Protocols that promise that no thread finds the gate held cannot keep it while the holder waits,
/// and between cores the kernel refuses to wait.
fn severity(protocol: Protocol) -> Severity {
    match protocol {
        Protocol::Propagated | Protocol::Fixed | Protocol::Inherited | Protocol::Fifo => {
            RULE.severity
        }
        _ => Severity::Error,
    }
}

/// For each gate, an exclusive gate that a thread in it can hold: itself, or one above it.
fn held_by(view: &View<'_>) -> Vec<Option<GateId>> {
    let mut held = vec![None; view.system.gates.len()];
    for &id in &view.derived.order {
        if view.system.gate(id).protocol.value.is_exclusive() {
            held[id.index()] = Some(id);
        }
        for callee in &view.derived.gate(id).callees {
            held[callee.index()] = held[callee.index()].or(held[id.index()]);
        }
    }
    held
}
