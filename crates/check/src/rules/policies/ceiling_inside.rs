//! A ceiling behind a gate that knows none.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{GateId, Protocol};

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0562"),
    name: "ceiling-inside-another",
    severity: Severity::Error,
    what: "A `ceiling` gate is entered from within an exclusive gate that is not `ceiling`, or \
           from under a mutex.",
    why: "Whoever is refused at the ceiling waits with the outer gate in its hands, and the \
          ceiling knows nothing of those who wait there: a job can be blocked three times, and \
          gates are found held.",
    example: r#"
import <std_connector.camkes>;
procedure Log { void put(); };
component Logger { provides Log log; }
component Store { provides Log log; uses Log behind; }
component Pump { control; uses Log log; }
assembly {
    composition {
        component Logger logger;
        component Store store;
        component Pump pump;
        connection seL4RPCCall inner(from store.behind, to logger.log);
        connection seL4RPCCall outer(from pump.log, to store.log);
    }
    configuration {
        pump.calls = ["log"];
        pump.period = "10 ms";
        pump.wcet = "1 ms";
        store.log_wcet = "100 us";
        store.log_calls = ["behind"];
        store.log_priority_protocol = "inherited";
        logger.log_wcet = "100 us";
        logger.log_priority_protocol = "ceiling";
    }
}
"#,
    instead: "Make the outer gate `ceiling` or `propagated`, or the inner one `inherited`.",
    reference: "Sha, Rajkumar and Lehoczky 1990; Fusee book, \"Gates\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let holders = holders(view);
    (view.system.gate_ids())
        .filter(|(_, gate)| gate.protocol.value == Protocol::Ceiling && !gate.direct)
        .filter_map(|(id, gate)| {
            let outer = view.system.gate(holders[id.index()]?);
            let word = outer.protocol.value.name();
            let message = format!(
                "`{}` is `ceiling`, and is entered while `{}` is held",
                gate.name, outer.name
            );
            let finding = Finding::of(&RULE, message)
                .at(gate.protocol.origin, "who asks must hold no other kind of gate");
            let finding =
                finding.because(outer.protocol.origin, format!("`{word}` and held meanwhile"));
            Some(finding.note(
                "make the outer gate `ceiling` or `propagated`, or the inner one `inherited`",
            ))
        })
        .collect()
}

/// For each gate, an exclusive gate of another kind than `ceiling` that a thread holds that asks
/// for it.
fn holders(view: &View<'_>) -> Vec<Option<GateId>> {
    let mut held = vec![None; view.system.gates.len()];
    for &id in &view.derived.order {
        let gate = view.system.gate(id);
        let own = gate.is_exclusive() && gate.protocol.value != Protocol::Ceiling;
        let inside = held[id.index()].or(own.then_some(id));
        for callee in &view.derived.gate(id).callees {
            held[callee.index()] = held[callee.index()].or(inside);
        }
    }
    held
}
