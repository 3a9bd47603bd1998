//! A dispatched thread at a gate that it may find held.

use fusee_diagnostics::{Code, Rule, Severity};

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0585"),
    name: "dispatched-at-gate",
    severity: Severity::Error,
    what: "A thread that a scheduler dispatches, or a scheduler, can come to an exclusive gate or \
           a mutex.",
    why: "Its budget can end while it holds the gate, and then everybody who waits there waits \
          for its scheduler: the kernel lends no account to the holder yet.",
    example: r#"
import <std_connector.camkes>;
procedure Bus { void access(); };
component Store { provides Bus bus; }
component Scheduler { control; }
component Worker { control; uses Bus bus; }
assembly {
    composition {
        component Store store;
        component Scheduler root;
        component Worker worker;
        component Worker other;
        connection seL4RPCCall c(from worker.bus, from other.bus, to store.bus);
    }
    configuration {
        worker.scheduler = "root";
        worker.period = "10 ms";
        worker.wcet = "1 ms";
        other.period = "10 ms";
        other.wcet = "1 ms";
        store.bus_wcet = "10 us";
    }
}
"#,
    instead: "Make the gate `propagated`, or the thread one of the kernel's.",
    reference: "Fusee book, \"Schedulers as components\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let (system, trees) = (view.system, super::of_trees(view.system));
    let gates = system.gate_ids().filter(|(_, gate)| gate.is_exclusive());
    let met = gates.filter_map(|(id, gate)| {
        let tasks = &view.derived.gate(id).tasks;
        Some((gate, tasks.iter().find(|task| trees.contains(task))?))
    });
    let mut found: Vec<Finding> = met
        .map(|(gate, &task)| {
            let (name, word) = (&system.task(task).name, gate.protocol.value.name());
            let text = format!("`{name}` has a scheduler, and can wait at `{}`", gate.name);
            Finding::of(&RULE, text).at(gate.protocol.origin, format!("this gate is `{word}`"))
        })
        .collect();
    // A mutex that no list of calls mentions is no gate of the model's.
    found.extend(trees.iter().filter_map(|&task| {
        let own = system.task(task);
        let lock = system.component(own.component).code.locks.first()?;
        let text = format!("`{}` has a scheduler, and its component has `{}`", own.name, lock.name);
        Some(Finding::of(&RULE, text).at(lock.origin, "it could wait for this"))
    }));
    found
}
