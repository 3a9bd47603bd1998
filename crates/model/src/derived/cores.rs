//! The urgency of a request at a gate between cores on each of them.
//!
//! `msrp`: nobody preempts it. `mpcp`: an owner is above all normal priorities, as urgent as the
//! highest user on the *other* cores. `mrsp`: the ceiling of its own core, which is the highest
//! user there; and where the gate is asked for with local gates held on the way, what their holder
//! can be raised to counts as well: their ceilings, and whoever may wait for them. With base
//! priorities alone two requests of one core come about: one holds a local gate and will ask
//! inside, another one asks, and a third that waits for the local gate raises the first above it.
//! One that comes back from `mpcp` goes on before its equals, so it must be below a ceiling of
//! `mrsp` that it may ask under, and not at it: else it would find another's request there.

use std::fmt;

use super::{Caller, GateFacts};
use crate::{GateId, Priority, Raise, System, TOP_PRIORITY, TaskId};

/// The urgency of a thread on some core, least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Urgency {
    /// A task's priority or a ceiling.
    Priority(Priority),
    /// Above all priorities; among those, the highest first.
    Boost(Priority),
    /// Above everything: no thread preempts.
    Top,
}

impl Urgency {
    /// Returns the urgency of a thread inside a local gate with this ceiling; no thread preempts at
    /// the top priority.
    pub fn of_ceiling(ceiling: Priority) -> Self {
        if ceiling == TOP_PRIORITY { Urgency::Top } else { Urgency::Priority(ceiling) }
    }

    /// Returns the least urgency above a priority.
    fn above(self) -> Self {
        match self {
            Urgency::Priority(priority) => {
                priority.checked_add(1).map_or(Urgency::Top, Urgency::Priority)
            }
            other => other,
        }
    }
}

impl fmt::Display for Urgency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Urgency::Priority(priority) => write!(f, "{priority}"),
            Urgency::Boost(priority) => write!(f, "boost {priority}"),
            Urgency::Top => f.write_str("top"),
        }
    }
}

impl GateFacts {
    /// Returns the ceiling as tables show it: of a gate between cores the urgency on each of them,
    /// as in `core 0: 20, core 1: 30`.
    pub fn shown_ceiling(&self) -> Option<String> {
        if self.on_cores.is_empty() {
            return self.ceiling.map(|ceiling| ceiling.to_string());
        }
        let first = &self.on_cores[0];
        if self.on_cores.iter().all(|on| on.urgency == first.urgency) {
            return Some(first.urgency.to_string());
        }
        let on_cores = self.on_cores.iter().map(|on| format!("core {}: {}", on.core, on.urgency));
        Some(on_cores.collect::<Vec<_>>().join(", "))
    }
}

/// A gate between cores as one of them sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OnCore {
    /// The number of the core.
    pub core: u32,
    /// Its tasks that use the gate, in order: each can have a request there.
    pub tasks: Vec<TaskId>,
    /// The urgency of a request there, under `mpcp` once it owns the gate.
    pub urgency: Urgency,
}

/// Fills in [`GateFacts::on_cores`].
pub(super) fn fill(system: &System, order: &[GateId], gates: &mut [GateFacts]) {
    let globals = system.gate_ids().filter(|(_, gate)| gate.is_global());
    let globals: Vec<GateId> = globals.map(|(id, _)| id).collect();
    let mut cores: Vec<u32> =
        globals.iter().flat_map(|id| &gates[id.index()].cores).copied().collect();
    cores.sort_unstable();
    cores.dedup();
    let suspending: Vec<TaskId> = globals
        .iter()
        .filter(|&&id| system.gate(id).protocol.value.suspends())
        .flat_map(|id| &gates[id.index()].tasks)
        .copied()
        .collect();
    for core in cores {
        let rises = rises(system, core, order, gates);
        for &id in &globals {
            let facts = &mut gates[id.index()];
            let (tasks, remote): (Vec<TaskId>, Vec<TaskId>) =
                facts.tasks.iter().partition(|&&task| system.task(task).core == core);
            if tasks.is_empty() {
                continue;
            }
            let highest = |tasks: &[TaskId]| {
                tasks.iter().map(|&task| system.task(task).priority.value).max().unwrap_or(0)
            };
            let local = Urgency::Priority(highest(&tasks));
            let urgency = match system.gate(id).protocol.value.descriptor().raise {
                Raise::CoreCeiling => {
                    let suspended = tasks.iter().filter(|task| suspending.contains(task));
                    let back: Vec<Priority> =
                        suspended.map(|&task| system.task(task).priority.value).collect();
                    local_ceiling(rises[id.index()].map_or(local, |rise| rise.max(local)), &back)
                }
                // Where nobody else uses it, any boost does.
                Raise::AboveNormal => Urgency::Boost(highest(&remote)),
                _ => Urgency::Top,
            };
            facts.on_cores.push(OnCore { core, tasks, urgency });
        }
    }
}

/// Returns the ceiling under `mrsp`: as high as any thread rises that asks, and above those that
/// come back from a suspension at that very priority.
fn local_ceiling(highest: Urgency, back: &[Priority]) -> Urgency {
    let comes_back_at = back.iter().any(|&priority| Urgency::Priority(priority) == highest);
    if comes_back_at { highest.above() } else { highest }
}

/// For each gate, the highest urgency to which a thread of the core can have risen that comes there
/// with local gates in its hands, or is inside a local one.
fn rises(
    system: &System,
    core: u32,
    order: &[GateId],
    gates: &[GateFacts],
) -> Vec<Option<Urgency>> {
    let mut rises: Vec<Option<Urgency>> =
        (0..gates.len()).map(|gate| own(system, core, gate.into(), gates)).collect();
    // Once where there is no cycle; a cycle needs as many rounds as it takes to go round.
    loop {
        let mut changed = false;
        for &id in order {
            let callers = gates[id.index()].callers.iter().filter_map(|caller| match caller {
                Caller::Task(_) => None,
                Caller::Gate(gate) => rises[gate.index()],
            });
            let rise = callers.max().max(rises[id.index()]);
            changed |= rise != rises[id.index()];
            rises[id.index()] = rise;
        }
        if !changed {
            return rises;
        }
    }
}

/// Returns the urgency to which a gate by itself can raise its holder on one core; `None`: the gate
/// is not exclusive there, or is between cores.
fn own(system: &System, core: u32, id: GateId, gates: &[GateFacts]) -> Option<Urgency> {
    let (gate, facts) = (system.gate(id), &gates[id.index()]);
    if !gate.is_exclusive() || gate.is_global() {
        return None;
    }
    let users = facts.tasks.iter().map(|&task| system.task(task));
    let highest = users.filter(|task| task.core == core).map(|task| task.priority.value).max()?;
    let ceiling = match gate.protocol.value.descriptor().raise {
        Raise::Top => Urgency::Top,
        _ => facts.ceiling.map_or(Urgency::Priority(highest), Urgency::of_ceiling),
    };
    Some(ceiling.max(Urgency::Priority(highest)))
}
