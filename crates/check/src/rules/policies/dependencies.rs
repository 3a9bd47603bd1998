//! Components that let threads sleep, where the kernel cannot.

use fusee_diagnostics::{Code, Rule, Severity};

use super::optimistic_mutex::unfit;
use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0566"),
    name: "dependencies-unfit",
    severity: Severity::Error,
    what: "A component has `dependencies` in a system of several cores, with schedulers, with a \
           gate of the priority ceiling protocol, or in which deadlines decide.",
    why: "Whoever sleeps on another thread's account lets that thread inherit a priority. \
          Deadlines are not inherited so; a thread of another core, or of a scheduler, is not the \
          kernel's alone to run; and who is kept out by a ceiling waits for whoever has raised \
          that.",
    example: r#"
import <std_connector.camkes>;
procedure Locks { void take(in int lock); };
component Keeper { provides Locks locks; }
component Pump { control; uses Locks locks; }
assembly {
    composition {
        component Keeper keeper;
        component Pump pump;
        connection seL4RPCCall calls(from pump.locks, to keeper.locks);
    }
    configuration {
        system.policy = "earliest_deadline";
        pump.calls = ["locks.take"];
        pump.period = "10 ms";
        pump.wcet = "1 ms";
        keeper.locks_wcet = "10 us";
        keeper.dependencies = true;
    }
}
"#,
    instead: "Use mutexes of the kernel (`has mutex`), or a system without what stands against it.",
    reference: "Parmer and Song 2010; Fusee book, \"Locks as components\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let Some(why) = unfit(view.system) else { return Vec::new() };
    let unfit = |id| {
        let component = view.system.component(id);
        let message = format!("`{}` has `dependencies`, and {why}", component.name);
        let place = view.attribute(id, "dependencies").map_or(component.origin, |a| a.origin);
        Finding::of(&RULE, message).at(place, "asks for fixed priorities and one core")
    };
    view.system.lock_services().map(unfit).collect()
}
