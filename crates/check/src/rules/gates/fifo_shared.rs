//! A first-come-first-served gate between different priorities.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{Gate, GateId, Protocol, Task, TaskId};

use crate::finding::Finding;
use crate::rules::policies::deadlines_at;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0508"),
    name: "fifo-shared",
    severity: Severity::Warning,
    what: "Tasks of different priorities share a `fifo` gate.",
    why: "The holder keeps its low priority while an urgent task waits for it. Any task between \
          the two can then preempt the holder for as long as it likes: priority inversion without \
          a bound, the failure that made Mars Pathfinder reset.",
    example: r#"
import <std_connector.camkes>;
procedure Bus { void put(); };
component Store { provides Bus bus; }
component Pump { control; uses Bus bus; }
assembly {
    composition {
        component Store store;
        component Pump urgent;
        component Pump slow;
        connection seL4RPCCall calls(from urgent.bus, from slow.bus, to store.bus);
    }
    configuration {
        urgent.priority = 30;
        urgent.calls = ["bus"];
        slow.priority = 10;
        slow.calls = ["bus"];
        store.bus_priority_protocol = "fifo";
    }
}
"#,
    instead: "Use `inherited`, or `fixed` with the ceiling that `fusee check` shows.",
    reference: "Sha, Rajkumar and Lehoczky 1990; Fusee book, \"Gates\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    // Where deadlines decide there is no bound at all, and the analysis says so.
    let fifo = view.system.gate_ids().filter(|(_, g)| g.protocol.value == Protocol::Fifo);
    fifo.filter(|(id, _)| deadlines_at(view, *id).is_none())
        .filter_map(|(id, gate)| finding(view, id, gate))
        .collect()
}

fn finding(view: &View<'_>, id: GateId, gate: &Gate) -> Option<Finding> {
    let tasks = &view.derived.gate(id).tasks;
    let priority = |t: &&TaskId| view.system.task(**t).priority.value;
    let victim = view.system.task(*tasks.iter().max_by_key(priority)?);
    let holder = view.system.task(*tasks.iter().min_by_key(priority)?);
    if victim.priority.value == holder.priority.value {
        return None;
    }
    let between = |t: &&Task| {
        t.core == holder.core
            && holder.priority.value < t.priority.value
            && t.priority.value < victim.priority.value
    };
    let middle = view.system.tasks.iter().filter(between).max_by_key(|t| t.priority.value);
    let names = (&gate.name, &victim.name, &holder.name);
    let message = match middle {
        Some(_) => format!(
            "`{}` can make task `{}` wait for `{}` without a bound",
            names.0, names.1, names.2
        ),
        None => format!(
            "`{}` can make task `{}` wait for `{}`, which nobody raises",
            names.0, names.1, names.2
        ),
    };
    let mut finding = Finding::of(&RULE, message)
        .at(gate.protocol.origin, "nobody raises the holder of a `fifo` gate")
        .because(victim.priority.origin, format!("the victim: priority {}", victim.priority.value))
        .because(
            holder.priority.origin,
            format!("the holder keeps priority {}", holder.priority.value),
        );
    finding = match middle {
        Some(m) => finding
            .because(m.priority.origin, format!("task `{}` preempts the holder meanwhile", m.name)),
        None => finding.note(
            "no task stands between the two yet; the first one that does causes the inversion",
        ),
    };
    Some(finding.fix("let the holder inherit", gate.protocol.origin, "\"inherited\""))
}
