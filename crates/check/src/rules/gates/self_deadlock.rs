//! A thread that comes back to a gate that it holds.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::derived::CycleKind;

use super::cycles;
use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0502"),
    name: "self-deadlock",
    severity: Severity::Error,
    what: "A method of an exclusive gate invokes, directly or through other gates, the same gate \
           again.",
    why: "The thread would wait for itself. Fusee's kernel returns an error instead; on seL4 the \
          call never returns.",
    example: r#"
import <std_connector.camkes>;
procedure Log { void put(); };
component Near { provides Log log; uses Log next; }
component Pump { control; uses Log log; }
assembly {
    composition {
        component Near a;
        component Near b;
        component Pump pump;
        connection seL4RPCCall one(from pump.log, from b.next, to a.log);
        connection seL4RPCCall two(from a.next, to b.log);
    }
    configuration {
        pump.calls = ["log"];
        a.log_calls = ["next"];
        b.log_calls = ["next"];
        a.log_priority_protocol = "inherited";
        b.log_priority_protocol = "propagated";
    }
}
"#,
    instead: "Take one of the invocations out; what the inner call needs can be passed as an \
              argument.",
    reference: "Sudvarg et al. 2024, section 4.1; Fusee book, \"Gates\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    cycles(view, &RULE, CycleKind::SelfDeadlock, "a thread comes back to a gate that it holds")
}
