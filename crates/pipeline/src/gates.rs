//! Gates as a document for programs.

use fusee_bounds::GateOnCore;
use fusee_model::System;
use fusee_model::derived::Derived;
use serde_json::{Value, json};

/// Returns all gates, with what follows from the description for each.
pub fn json(system: &System, derived: &Derived) -> Value {
    let gates = system.gates.iter().zip(&derived.gates).map(|(gate, facts)| {
        let tasks = facts.tasks.iter().map(|&task| system.task(task).name.as_str());
        let mut gate = json!({
            "name": gate.name,
            "protocol": gate.protocol.value.name(),
            "direct": gate.direct,
            "ceiling": facts.ceiling.filter(|_| facts.on_cores.is_empty()),
            "stacks": facts.stacks,
            "rpc_threads": facts.rpc_threads,
            "depth": facts.depth,
            "tasks": tasks.collect::<Vec<_>>(),
        });
        if !facts.on_cores.is_empty() {
            gate["cores"] = json!(GateOnCore::of_gate(system, facts));
        }
        gate
    });
    gates.collect()
}
