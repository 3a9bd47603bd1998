//! A thread that comes back to a gate that lets it in again.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::derived::CycleKind;

use super::cycles;
use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0503"),
    name: "recursion",
    severity: Severity::Error,
    what: "A thread that is inside a `propagated` gate can come to the same gate again.",
    why: "The description does not say how often, so neither execution time nor stack has a bound.",
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
        a.log_priority_protocol = "propagated";
        b.log_priority_protocol = "propagated";
    }
}
"#,
    instead: "Turn the recursion into a loop inside one component, or take one of the invocations \
              out.",
    reference: "Fusee book, \"Gates\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    cycles(
        view,
        &RULE,
        CycleKind::Recursion,
        "a thread can come back to a gate that it is in, without end",
    )
}
