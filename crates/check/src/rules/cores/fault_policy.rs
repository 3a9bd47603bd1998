//! Components that several cores enter, and that a fault ends or replaces.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{ComponentId, Gate, OnFault};

use crate::finding::Finding;
use crate::rules::cores::entered;
use crate::view::View;
use crate::ways;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0575"),
    name: "fault-policy-between-cores",
    severity: Severity::Error,
    what: "A component that tasks of several cores enter, and sections of a gate between cores \
           among them, has `on_fault = \"dead\"` or `\"restart\"`.",
    why: "To end or to restart a component, everybody who is inside must leave. Cores tell each \
          other, and each sees to its own threads. The section of a gate between cores belongs to \
          none of them: it goes on on whichever core executes it, in a component that is being \
          replaced. The kernel refuses such tables.",
    example: r#"
import <std_connector.camkes>;
procedure Log { void put(); };
component Logger { provides Log log; }
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
        logger.log_priority_protocol = "msrp";
        logger.on_fault = "restart";
    }
}
"#,
    instead: "Let it go on after a fault (`\"continue\"`): the invocation ends with an error and \
              its caller learns of it. Or let the cores enter it by `propagated` gates, or give \
              each core an instance of its own.",
    reference: "Fusee book, \"The kernel on several cores\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let entered = entered(view);
    let components = view.system.components.iter().enumerate();
    let refused = components.filter(|(_, component)| component.on_fault != OnFault::Continue);
    let sections = ways::inside(view, Gate::is_global);
    refused
        .filter_map(|(index, component)| {
            let [one, .., other] = entered[index].iter().collect::<Vec<_>>()[..] else {
                return None;
            };
            let gates = view.system.gates.iter().zip(&sections);
            let mut own = gates.filter(|(gate, _)| gate.component.index() == index);
            let (gate, _) = own.find(|(_, ways)| ways.iter().any(Option::is_some))?;
            let place = view.attribute(ComponentId::from(index), "on_fault");
            let place = place.map_or(component.origin, |attribute| attribute.origin);
            let message = format!(
                "`{}` is entered from cores {one} and {other}, and does not go on after a fault",
                component.name
            );
            Some(
                Finding::of(&RULE, message)
                    .at(place, "sections of a gate between cores would outlive it")
                    .because(gate.origin, format!("they are inside behind `{}`", gate.name))
                    .note("`continue` ends the invocation and tells its caller")
                    .fix("go on after a fault", place, "\"continue\""),
            )
        })
        .collect()
}
