//! The wait of a request at a gate between cores for other cores.
//!
//! `msrp` (Gai, Lipari and Di Natale 2001) and `mrsp` (Burns and Wellings 2013) serve requests
//! first come first served, and a core has one of them at most: who waits or is inside stays on
//! its core, at the top or at a ceiling that no other user there gets above. So ahead of a
//! request is at most one of each other core, with the longest section of that core's tasks at
//! the gate.
//!
//! Who waits keeps its core busy, so the wait is charged like execution. Under `msrp` nobody
//! preempts whose section it is, and each tick of the wait brings the first section a tick
//! further. Under `mrsp` so it does, since the one who waits executes the section of a
//! preempted owner: what the wait takes of its own core's time is no longer than the sections
//! ahead. To its own core the request is a section at a gate with a ceiling that holds both.
//!
//! Under `mpcp` who waits is suspended and takes nothing of its core (module `mpcp_queueing`).

use fusee_model::derived::Derived;
use fusee_model::{Gate, GateId, System, TaskId};

use crate::amount::Amount;
use crate::body::Unknown;
use crate::demands::Demands;
use crate::kernel_cost::KernelCost;
use crate::reach::Reach;
use crate::wait::{Ahead, Wait, Waits};

/// Returns the waits of each core's requests, of which the reaches are given, by the lengths of
/// sections alone.
pub(crate) fn of_cores(
    system: &System,
    derived: &Derived,
    kernel: &KernelCost,
    reaches: &[Reach],
) -> Vec<Waits> {
    if !system.gates.iter().any(Gate::is_global) {
        return vec![Waits::default(); reaches.len()];
    }
    // Sections between cores are not nested, so no wait is part of a section ahead, and the lengths
    // without any waits are enough.
    let alone = Demands::of(system, derived, kernel, &Waits::default());
    let of_core = |core: usize| {
        let gates = system.gate_ids().map(|(id, gate)| {
            // Who waits suspended leaves the core to others, so that wait is no execution.
            if !gate.is_global() || gate.protocol.value.suspends() {
                return Ok(Wait::default());
            }
            let others = derived.gate(id).on_cores.iter();
            let others = others.filter(|other| other.core as usize != core);
            others.map(|other| (&reaches[other.core as usize], &other.tasks)).try_fold(
                Wait::default(),
                |wait, (reach, tasks)| {
                    Ok(wait.behind(longest(kernel, &alone, reach, (id, tasks))?))
                },
            )
        });
        Waits(gates.collect())
    };
    (0..reaches.len()).map(of_core).collect()
}

/// Returns the wait for the longest section of one core's tasks.
fn longest(
    kernel: &KernelCost,
    alone: &Demands,
    reach: &Reach,
    (gate, tasks): (GateId, &[TaskId]),
) -> Result<Wait, Unknown> {
    let mut wait = Wait::default();
    let mut most: Option<Ahead> = None;
    for &task in tasks {
        for passage in reach.passages[task.index()].iter().filter(|p| p.gate == gate) {
            let demand = alone.inside(gate, passage.method)?;
            // A section ahead that waits for an event would keep this core waiting too, so the wait
            // is passed on to whoever asks here.
            wait.event = wait.event.or(demand.waits);
            // A request ahead takes, besides its section, its return and the turn of the next one.
            let paths = kernel.between.at(gate).map_or(Amount::ZERO, |at| at.ahead);
            let length = demand.total().plus(paths).0.ok_or(Unknown::TooLong(gate))?;
            if most.is_none_or(|most| length > most.length) {
                most = Some(Ahead { task, length });
            }
        }
    }
    wait.ahead.extend(most);
    Ok(wait)
}
