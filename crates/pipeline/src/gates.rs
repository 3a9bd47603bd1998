//! Gates as a document for programs.

use fusee_model::System;
use fusee_model::derived::Derived;
use serde_json::{Value, json};

/// All gates, with what follows from the description for each.
pub fn json(system: &System, derived: &Derived) -> Value {
    let gates = system.gates.iter().zip(&derived.gates).map(|(gate, facts)| {
        let tasks = facts.tasks.iter().map(|&task| system.task(task).name.as_str());
        json!({
            "name": gate.name,
            "protocol": gate.protocol.value.name(),
            "direct": gate.direct,
            "ceiling": facts.ceiling,
            "stacks": facts.stacks,
            "rpc_threads": facts.rpc_threads,
            "depth": facts.depth,
            "tasks": tasks.collect::<Vec<_>>(),
        })
    });
    gates.collect()
}
