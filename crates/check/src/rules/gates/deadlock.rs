//! Exclusive gates that are taken in opposite orders.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::derived::CycleKind;

use super::cycles;
use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0501"),
    name: "deadlock",
    severity: Severity::Error,
    what: "Exclusive gates are taken in different orders: the invocations that hold one and ask \
           for another form a cycle. The message shows the whole cycle.",
    why: "Two threads that enter the cycle at different places wait for each other, and neither \
          goes on. Inheritance does not help: it raises priorities, it opens no gate. Where \
          `calls` is missing every used interface is assumed to be called; a cycle that rests on \
          that is a warning as long as no task with timing gets there.",
    example: r#"
import <std_connector.camkes>;
procedure Move { void there(); void done(); };
component Axis { provides Move own; uses Move other; }
component Pump { control; uses Move axis; }
assembly {
    composition {
        component Axis left;
        component Axis right;
        component Pump one;
        component Pump two;
        connection seL4RPCCall a(from one.axis, from right.other, to left.own);
        connection seL4RPCCall b(from two.axis, from left.other, to right.own);
    }
    configuration {
        one.priority = 10;
        one.calls = ["axis.there"];
        two.priority = 10;
        two.calls = ["axis.there"];
        left.own_priority_protocol = "inherited";
        left.own_there_calls = ["other.done"];
        left.own_done_calls = [];
        right.own_priority_protocol = "inherited";
        right.own_there_calls = ["other.done"];
        right.own_done_calls = [];
    }
}
"#,
    instead: "Take the gates in one order everywhere, or put what both need into a third component \
              below them. If the cycle rests on assumptions, say with `calls` what is really \
              invoked.",
    reference: "Sudvarg et al. 2024, section 4.1; Fusee book, \"Gates\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    cycles(view, &RULE, CycleKind::Deadlock, "threads can wait for each other for ever")
}
