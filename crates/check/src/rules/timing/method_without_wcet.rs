//! A method without an execution time on the way of a task with a period.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{Gate, GateId, LockComponent};

use crate::finding::Finding;
use crate::view::{View, list};

pub(crate) const RULE: Rule = Rule {
    code: Code("F0531"),
    name: "method-without-wcet",
    severity: Severity::Error,
    what: "A task with a period can invoke a method, and nothing says how long the method runs.",
    why: "The method's time is part of the job's, and part of what others wait for. An execution \
          time that is not known is not zero.",
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
        pump.period = "10 ms";
        pump.wcet = "1 ms";
        pump.calls = ["log"];
    }
}
"#,
    instead: "Set `c.IFACE_wcet` for all methods of an interface, or `c.IFACE_METHOD_wcet` for \
              one.",
    reference: "Fusee book, \"Describing timing\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    view.system.gate_ids().filter_map(|(id, gate)| finding(view, id, gate)).collect()
}

fn finding(view: &View<'_>, id: GateId, gate: &Gate) -> Option<Finding> {
    let methods = gate.methods.iter().enumerate();
    let unknown: Vec<&str> = methods
        .filter(|(index, m)| {
            m.body.wcet_origin.is_none() && view.demands.is_reached(id.index(), *index)
        })
        .map(|(_, m)| m.name.as_str())
        .collect();
    if unknown.is_empty() {
        return None;
    }
    let tasks = view.derived.gate(id).tasks.iter().map(|&t| view.system.task(t));
    let timed: Vec<&str> = tasks.filter(|t| t.release.is_some()).map(|t| t.name.as_str()).collect();
    let component = view.system.component(gate.component);
    let message = format!("nothing says how long {} of `{}` runs", list(&unknown), gate.name);
    let finding = Finding::of(&RULE, message)
        .at(component.origin, format!("no `{}_wcet` is set for this instance", gate.interface))
        .because(gate.origin, "the interface")
        .note(format!("on the way of {}", list(&timed)))
        .note(format!("set `{}.{}_wcet`", component.name, gate.interface));
    let own = component.lock_component;
    Some(own.into_iter().fold(finding, |finding, own| finding.note(of_locks(own))))
}

/// Returns the time that a component of Fusee's own takes for locks: it is not the time of its
/// program, in which the number of iterations of its loops is not seen.
fn of_locks(component: LockComponent) -> String {
    let enough = if component.is_asked() { 2 } else { 1 };
    format!(
        "for one time through each loop, as the analysis counts the others: {enough} us are enough \
         for up to 16 tasks where an instruction takes a nanosecond"
    )
}
