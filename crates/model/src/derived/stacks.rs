//! Stacks and thread counts of gates.
//!
//! A gate can be asked for by at most n(g) threads, one for each task that reaches
//! it, and by at most as many as its callers let through: a task lets one through,
//! an exclusive gate one, any other gate as many as it has stacks. Of those an
//! exclusive gate admits one, so it needs one stack; the others wait in their
//! callers' frames.
//!
//! The RPC library of Sudvarg et al. 2024 builds the same with threads: a pool has a thread for
//! each *possible concurrent request* because waiting happens inside the callee (section 4.2), only
//! one where the priority is fixed, and one more for `nest` in each pool below an `inherited`
//! interface. Its parser "remains aware" that an exclusive interface sends one request at a time
//! (section 5), so its Figure 3 comes to 2 + 3 threads whether all interfaces are propagated (2 + 1
//! requests at B) or all inherited (1 + 1 requests and `nest`). The pools of the authors' published
//! test systems for Figure 7 are of the same kind: two requests at D, although four tasks get
//! there, because all of them come through the exclusive A or B. A `fifo` gate is a plain CAmkES
//! interface with its one thread. A direct call has none.

use super::{Caller, GateFacts};
use crate::{Gate, GateId, Protocol, System};

/// Fills in requests, stacks and thread counts; `order` has callers before callees.
pub(super) fn fill(system: &System, order: &[GateId], gates: &mut [GateFacts]) {
    mark_below_inherited(system, gates);
    for &id in order {
        let gate = system.gate(id);
        let facts = &gates[id.index()];
        let tasks = u32::try_from(facts.tasks.len()).unwrap_or(u32::MAX);
        let requests = if facts.cyclic { tasks } else { tasks.min(let_through(gates, facts)) };
        let facts = &mut gates[id.index()];
        facts.requests = requests;
        facts.stacks = if gate.protocol.value.is_exclusive() { 1 } else { requests };
        facts.rpc_threads = rpc_threads(gate, facts);
    }
}

/// Returns the number of threads that the callers let through at once.
fn let_through(gates: &[GateFacts], facts: &GateFacts) -> u32 {
    (facts.callers.iter())
        .map(|caller| match caller {
            Caller::Task(_) => 1,
            Caller::Gate(gate) => gates[gate.index()].stacks,
        })
        .fold(0, u32::saturating_add)
}

fn mark_below_inherited(system: &System, gates: &mut [GateFacts]) {
    let mut todo: Vec<GateId> = (system.gate_ids())
        .filter(|(_, gate)| gate.protocol.value == Protocol::Inherited)
        .flat_map(|(id, _)| gates[id.index()].callees.clone())
        .collect();
    while let Some(id) = todo.pop() {
        let facts = &mut gates[id.index()];
        if !facts.below_inherited {
            facts.below_inherited = true;
            todo.extend(&facts.callees);
        }
    }
}

fn rpc_threads(gate: &Gate, facts: &GateFacts) -> u32 {
    match gate.protocol.value {
        _ if gate.direct => 0,
        Protocol::Propagated | Protocol::Inherited => {
            facts.requests.saturating_add(u32::from(facts.below_inherited))
        }
        _ => 1,
    }
}
