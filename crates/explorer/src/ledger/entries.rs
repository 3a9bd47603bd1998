//! Entries into gates: the threads that may enter, and the gates' demands.

use fusee_kernel::{Capability, GateIndex, GateKind, Protocol, Tables};

use super::Ledger;
use crate::policy::Held;
use crate::rule::{Checked, Rule, ensure};
use crate::{Rules, Store};

/// Returns the threads that can come to each gate, from their homes or through others.
pub(crate) fn users(tables: &Tables<'_>) -> Vec<Vec<usize>> {
    let mut users = vec![Vec::new(); tables.gates.len()];
    for (thread, config) in tables.threads.iter().enumerate() {
        let mut places = vec![config.component];
        let mut next = 0;
        while let Some(component) = places.get(next) {
            next += 1;
            for capability in tables.components[component.at()].capabilities {
                let (Capability::Gate(gate) | Capability::Mutex(gate)) = capability else {
                    continue;
                };
                if !users[gate.at()].contains(&thread) {
                    users[gate.at()].push(thread);
                }
                let config = &tables.gates[gate.at()];
                if config.kind == GateKind::Interface && !places.contains(&config.component) {
                    places.push(config.component);
                }
            }
        }
    }
    users
}

/// Returns the ceiling of a gate that bars others from more than itself.
fn ceiling(tables: &Tables<'_>, gate: usize) -> u8 {
    match tables.gates[gate].protocol {
        Protocol::Ceiling { ceiling } => ceiling,
        _ => 0,
    }
}

/// Returns `true` if no gate's ceiling is below the priority of one of its users.
pub(super) fn are_high_enough(tables: &Tables<'_>, users: &[Vec<usize>]) -> bool {
    let below = |gate: &usize| {
        let bars = matches!(tables.gates[*gate].protocol, Protocol::Ceiling { .. });
        let mut priorities = users[*gate].iter().map(|&thread| tables.threads[thread].priority);
        bars && priorities.any(|priority| priority > ceiling(tables, *gate))
    };
    !(0..users.len()).any(|gate| below(&gate))
}

impl Ledger {
    /// Returns the gate at which a thread waits that asks for one; none: it enters.
    ///
    /// By the definition of the priority ceiling protocol it enters if its own priority is above
    /// the ceilings of all gates that others hold; else it waits for who holds the highest.
    pub(super) fn in_the_way(
        &self,
        tables: &Tables<'_>,
        caller: usize,
        gate: GateIndex,
    ) -> Option<GateIndex> {
        let protocol = tables.gates[gate.at()].protocol;
        let held = self.visits.holder(gate.at());
        if !matches!(protocol, Protocol::Ceiling { .. }) {
            return held.filter(|_| protocol.is_exclusive()).map(|_| gate);
        }
        let entered = self.visits.entered();
        let others = entered.iter().filter(|&&gate| self.visits.holder(gate) != Some(caller));
        let highest = others.max_by_key(|&&gate| ceiling(tables, gate));
        let bars = |gate: &&usize| self.priorities[caller] <= ceiling(tables, **gate);
        let Some(&bar) = highest.filter(bars) else { return held.map(|_| gate) };
        // Where one thread holds several, the way is free when it has left the last.
        let holder = self.visits.holder(bar);
        let last = entered.iter().rfind(|&&gate| self.visits.holder(gate) == holder);
        last.map(|&gate| GateIndex(gate as u16))
    }

    /// Returns the demand that the gate of a thread's frame makes by itself.
    pub(crate) fn demand<P: Rules>(
        &self,
        tables: &Tables<'_>,
        thread: usize,
        depth: usize,
    ) -> P::Urgency {
        let (gate, since) = self.visits.passed(thread).nth(depth).expect("it has passed so many");
        let protocol = tables.gates[gate.at()].protocol;
        P::demands(Held { tables, protocol, users: &self.users[gate.at()], since })
    }

    /// Returns `true` if a thread is inside a gate in which equals do not take turns.
    pub(super) fn keeps_turns<P: Rules>(&self, tables: &Tables<'_>, thread: usize) -> bool {
        self.visits.passed(thread).any(|(gate, _)| P::keeps_turns(tables.gates[gate.at()].protocol))
    }

    /// The kernel's stack of ceilings has the gates that threads have entered, in order.
    pub(super) fn compare_ceilings<P: Rules>(
        &self,
        tables: &Tables<'_>,
        store: &Store<P>,
    ) -> Checked {
        let mut highest = 0;
        let mut noted = |&gate: &usize| {
            highest = highest.max(ceiling(tables, gate));
            (gate, highest)
        };
        let due: Vec<(usize, u8)> = self.visits.entered().iter().map(&mut noted).collect();
        let is = P::stack(store);
        ensure(Rule::Ceilings, is == due, || {
            format!("held are {is:?}, each with the highest ceiling up to it, not {due:?}")
        })
    }

    /// Returns the number of exclusive gates that a thread is inside of.
    pub(crate) fn sections(&self, tables: &Tables<'_>, thread: usize) -> usize {
        let excludes = |(gate, _): &(GateIndex, _)| tables.gates[gate.at()].protocol.is_exclusive();
        self.visits.passed(thread).filter(excludes).count()
    }

    /// Returns `true` if a thread has a job and could go on with it if all others let it.
    pub(crate) fn is_pending(&self, thread: usize) -> bool {
        let elsewhere = matches!(self.waits[thread], super::Wait::Notification(_));
        self.has_budget(thread) && !elsewhere
    }

    /// Returns `true` if a thread has a job, and budget for it.
    pub(crate) fn has_budget(&self, thread: usize) -> bool {
        self.jobs.is_active(thread) && self.accounts.left(thread) > 0
    }

    /// Returns the number of a thread's jobs that have begun.
    pub(crate) fn jobs_begun(&self, thread: usize) -> u64 {
        self.jobs.begun(thread)
    }
}
