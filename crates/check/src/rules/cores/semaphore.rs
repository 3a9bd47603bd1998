//! Semaphores for a core from which no task gets to them.

use std::collections::BTreeSet;

use fusee_diagnostics::{Code, Rule, Severity};

use crate::finding::Finding;
use crate::view::View;
use crate::ways;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0593"),
    name: "semaphore-of-no-core",
    severity: Severity::Error,
    what: "A semaphore is said to be for a core, and no task of that core can wait for it: none \
           comes to the component, or only in a section of a gate between cores.",
    why: "A semaphore is an object of the kernel of the core whose tasks wait for it; whoever \
          posts it from another core tells that one to look. In a section of a gate between cores \
          nobody may wait, or post.",
    example: r#"
import <std_connector.camkes>;
procedure Slots { void take(); void give(); };
component Store { provides Slots slots; has semaphore filled; }
component Pump { control; uses Slots slots; }
assembly {
    composition {
        component Store store;
        component Pump one;
        component Pump two;
        connection seL4RPCCall calls(from one.slots, from two.slots, to store.slots);
    }
    configuration {
        one.calls = ["slots.give"];
        two.calls = ["slots.take"];
        two.core = 1;
        store.slots_priority_protocol = "propagated";
        store.filled_core = 2;
    }
}
"#,
    instead: "Name the core whose tasks wait for it. Let them get to the component by a \
              `propagated` gate, or by a gate of their own core.",
    reference: "Fusee book, \"The kernel on several cores\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let waiting = waiting(view);
    let mut found = Vec::new();
    for (component, cores) in view.system.components.iter().zip(waiting) {
        for lock in &component.code.locks {
            let Some(core) = lock.core.filter(|core| !cores.contains(&core.value)) else {
                continue;
            };
            let message = format!(
                "no task of core {} can wait for the semaphore `{}` of `{}`",
                core.value, lock.name, component.name
            );
            let finding = Finding::of(&RULE, message)
                .at(core.origin, "it is for this core")
                .because(lock.origin, "declared here");
            found.push(match cores.first() {
                Some(other) => finding.fix(
                    format!("tasks of core {other} get to it"),
                    core.origin,
                    other.to_string(),
                ),
                None => finding
                    .note("nobody gets to the component but in sections of gates between cores"),
            });
        }
    }
    found
}

/// For each component, the cores of tasks that run its code outside of its gates between cores.
fn waiting(view: &View<'_>) -> Vec<BTreeSet<u32>> {
    let mut waiting = vec![BTreeSet::new(); view.system.components.len()];
    for task in &view.system.tasks {
        waiting[task.component.index()].insert(task.core);
    }
    let gates = view.system.gates.iter().zip(ways::cores(view));
    for (gate, methods) in gates.filter(|(gate, _)| !gate.is_global()) {
        waiting[gate.component.index()].extend(methods.into_iter().flatten());
    }
    waiting
}
