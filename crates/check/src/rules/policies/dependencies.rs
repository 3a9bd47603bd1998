//! Components that let threads sleep, where the kernel cannot.

use fusee_diagnostics::{Code, Rule, Severity};

use fusee_model::{Algorithm, ComponentId, LockComponent, Origin};

use super::{cores, deadlines_on};
use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0566"),
    name: "dependencies-unfit",
    severity: Severity::Error,
    what: "A component has `dependencies`, and threads of several cores come to it; or a \
           `LockCeiling` has users on a core where deadlines decide, or below a scheduler by \
           deadlines.",
    why: "Whoever sleeps on another thread's account lets that thread run in its place. A thread \
          of another core is not the kernel's alone to run: all that ask are of one core. And the \
          ceilings of a `LockCeiling` are priorities, which deadlines are not: whom they let in is \
          not who runs.",
    example: r#"
import <std_connector.camkes>;
procedure Locks { void take(in int lock); };
component Keeper { provides Locks locks; }
component Pump { control; uses Locks locks; }
assembly {
    composition {
        component Keeper keeper;
        component Pump pump;
        component Pump valve;
        connection seL4RPCCall calls(from pump.locks, from valve.locks, to keeper.locks);
    }
    configuration {
        pump.core = 1;
        pump.calls = ["locks.take"];
        pump.period = "10 ms";
        pump.wcet = "1 ms";
        valve.calls = ["locks.take"];
        valve.period = "20 ms";
        valve.wcet = "1 ms";
        keeper.locks_priority_protocol = "propagated";
        keeper.locks_wcet = "10 us";
        keeper.dependencies = true;
    }
}
"#,
    instead: "Give each core a lock component of its own, and what is shared between cores a gate \
              of `msrp`. Where deadlines decide, use a `LockPessimistic`.",
    reference: "Parmer and Song 2010; Fusee book, \"Locks as components\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let mut found = by_ceilings(view);
    found.extend(unfit(view));
    found
}

/// Components that compare priorities where deadlines decide.
fn by_ceilings(view: &View<'_>) -> Vec<Finding> {
    let system = view.system;
    let all = system.lock_components().filter(|(_, kind)| *kind == LockComponent::Ceiling);
    let unfit = |(id, _): (ComponentId, LockComponent)| {
        let (deadlines, why) = deadlines(view, id)?;
        let component = system.component(id);
        let message = format!("`{}` is a `LockCeiling`, and deadlines decide", component.name);
        let finding = Finding::of(&RULE, message)
            .at(component.origin, "its ceilings are priorities")
            .because(deadlines, why)
            .note("`LockPessimistic` hands locks over, and whoever has one inherits urgency");
        Some(finding)
    };
    all.filter_map(unfit).collect()
}

/// Returns the place that says that users of a component go by deadlines, and how.
fn deadlines(view: &View<'_>, id: ComponentId) -> Option<(Origin, &'static str)> {
    let system = view.system;
    let mut cores = cores::entering(view, id);
    if cores.is_empty() {
        cores.extend(0..system.cores());
    }
    let by_policy = cores.into_iter().find_map(|core| deadlines_on(system, core));
    let gates = system.gate_ids().filter(|(_, gate)| gate.component == id);
    let mut users = gates.flat_map(|(gate, _)| &view.derived.gate(gate).tasks);
    let by_scheduler = users.find_map(|&task| {
        let above = system.schedulers_above(task).into_iter();
        let by_deadline = above.filter(|own| own.algorithm == Algorithm::EarliestDeadline);
        by_deadline.map(|own| system.task(own.task).origin).next()
    });
    let by_scheduler = by_scheduler.map(|place| (place, "this one dispatches users by deadlines"));
    by_policy.map(|place| (place, "deadlines have none")).or(by_scheduler)
}

/// Components that let threads of several cores sleep.
fn unfit(view: &View<'_>) -> Vec<Finding> {
    let unfit = |id| {
        let mut cores = cores::entering(view, id).into_iter();
        let (one, other) = (cores.next()?, cores.next()?);
        let component = view.system.component(id);
        let name = &component.name;
        let message = format!(
            "`{name}` has `dependencies`, and threads of core {one} and of core {other} come to it"
        );
        let place = view.attribute(id, "dependencies").map_or(component.origin, |a| a.origin);
        Some(Finding::of(&RULE, message).at(place, "asks for users of one core"))
    };
    view.system.lock_services().filter_map(unfit).collect()
}
