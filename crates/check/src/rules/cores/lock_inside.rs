//! Locks within a gate between cores.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{Gate, GateId, Origin, Step};

use crate::finding::Finding;
use crate::view::{Owner, View};
use crate::ways;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0572"),
    name: "lock-inside-between-cores",
    severity: Severity::Error,
    what: "Within a gate between cores another exclusive gate is invoked, or a mutex is locked.",
    why: "A section between cores belongs to the gate and not to a thread: which core executes it \
          can change while it runs. A lock of one core would then be held on another one; and two \
          gates between cores in each other's hands can stop all cores. The kernel refuses both.",
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
        component Pump one;
        component Pump two;
        connection seL4RPCCall inner(from store.behind, to logger.log);
        connection seL4RPCCall outer(from one.log, from two.log, to store.log);
    }
    configuration {
        one.calls = ["log"];
        two.calls = ["log"];
        two.core = 1;
        store.log_calls = ["behind"];
        store.log_priority_protocol = "msrp";
        logger.log_priority_protocol = "mrsp";
    }
}
"#,
    instead: "Make the inner gate `propagated` if the outer one protects it already; or put both \
              components into one `group` with a direct connection, so that one gate covers both; \
              or call the inner one after the outer one.",
    reference: "Block, Leontyev, Brandenburg and Anderson 2007 (group locks); Fusee book, \"The \
                kernel on several cores\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let inside = ways::inside(view, Gate::is_global);
    let mut found: Vec<Finding> = Vec::new();
    let mut seen: Vec<(GateId, GateId)> = Vec::new();
    for (owner, body) in view.bodies() {
        let Owner::Method(id, _, at) = owner else { continue };
        let Some(outer) = inside[id.index()][at] else { continue };
        for step in &body.steps {
            let Step::Invoke { gate: inner, origin, .. } = *step else { continue };
            let locks = view.system.gates.get(inner.index()).is_some_and(Gate::is_exclusive);
            if locks && inner != outer && !seen.contains(&(outer, inner)) {
                seen.push((outer, inner));
                found.push(finding(view, outer, inner, origin));
            }
        }
    }
    found
}

fn finding(view: &View<'_>, outer: GateId, inner: GateId, origin: Origin) -> Finding {
    let (around, behind) = (view.system.gate(outer), view.system.gate(inner));
    let mutex = view.system.mutex(inner).is_some();
    let verb = if mutex { "is locked" } else { "is invoked" };
    let message =
        format!("`{}` {verb} within `{}`, which is between cores", behind.name, around.name);
    let word = behind.protocol.value.name();
    let finding =
        Finding::of(&RULE, message).at(origin, format!("`{}` {verb} here", behind.name)).because(
            around.protocol.origin,
            format!("`{}` between cores", around.protocol.value.name()),
        );
    if mutex {
        return finding.note("within the gate nobody else is: leave the mutex out");
    }
    finding.because(behind.protocol.origin, format!("`{word}` admits one thread at a time")).note(
        "make the inner gate `propagated` if this is the only way to it, or put both components \
         into one `group`, where one gate covers both",
    )
}
