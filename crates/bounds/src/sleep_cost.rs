//! The costs of letting threads sleep on each other's account.

use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::{GateId, System};

use crate::amount::Amount;
use crate::lock_order::Order;

/// Returns the steps that lock components add to the longest chain of waiting tasks: a task that
/// waits for a lock waits for its owner, which waits for the task in the scheduler's section; and
/// one that has not been told of a new owner may still wait for the old one. Where sections nest,
/// the owner may wait for another one, and so on: each has a lock of those that are in the order,
/// or a gate.
pub(crate) fn links(system: &System) -> u32 {
    if system.lock_services().next().is_none() {
        return 0;
    }
    let nested = u32::try_from(Order::of(system).chain()).unwrap_or(u32::MAX);
    // One lock at least, and two steps more: the thread in the scheduler's section, and an old
    // owner that a waiter has not been told of.
    nested.max(1).saturating_add(2)
}

/// The kernel's paths for lock components.
#[derive(Debug, Clone)]
pub(crate) struct SleepCost {
    /// The cost of going to sleep, along the longest chain of waiting tasks.
    pub(crate) depend: Amount,
    /// The cost of waking a task, along that chain.
    pub(crate) wake: Amount,
    /// The number of tasks that get to each gate.
    users: Vec<u64>,
}

impl SleepCost {
    /// Returns the costs of a system; nothing where no task sleeps so.
    pub(crate) fn of(system: &System, derived: &Derived, costs: &CostTable) -> Self {
        let users = |(id, _): (GateId, _)| derived.gate(id).tasks.len() as u64;
        let users: Vec<u64> = system.gate_ids().map(users).collect();
        let some = system.lock_services().next().is_some();
        let costs_of = costs.dependencies.filter(|_| some).unwrap_or_default();
        // A thread that sleeps may stand in front of a chain over gates, and behind one over locks.
        let longest = u64::from(derived.longest_chain() + links(system));
        let walk = Amount::of(costs.inherit_step).times(if some { longest } else { 0 });
        let path = |cost| Amount::of(cost).plus(walk);
        Self { depend: path(costs_of.depend), wake: path(costs_of.wake), users }
    }

    /// Returns the number of tasks that get to a gate.
    pub(crate) fn users(&self, gate: GateId) -> u64 {
        self.users.get(gate.index()).copied().unwrap_or(0)
    }
}
