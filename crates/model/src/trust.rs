//! The code that a task runs, and its limits.
//!
//! What a description says of code holds as long as the code keeps to it. Of components that are
//! not trusted nothing is taken for granted but what the kernel enforces. Components of one
//! protection domain can change each other's memory, so one that is not trusted makes all of them
//! so.

use crate::derived::Derived;
use crate::{ComponentId, Duration, Overrun, System, TaskId};

impl System {
    /// Returns `true` if a component's code, and all code that can change its memory, is trusted.
    pub fn is_trusted(&self, id: ComponentId) -> bool {
        let domain = self.component(id).domain;
        let mates = self.domains.get(domain.index()).map_or(&[][..], |all| &all.components);
        self.component(id).trusted && mates.iter().all(|&mate| self.component(mate).trusted)
    }

    /// Returns the components whose code a task may run that are not trusted, in order: its own,
    /// and those behind the gates that it reaches.
    pub fn untrusted_code(&self, derived: &Derived, task: TaskId) -> Vec<ComponentId> {
        let gates = derived.task(task).gates.iter().map(|&gate| self.gate(gate).component);
        let mut all: Vec<ComponentId> = gates.chain([self.task(task).component]).collect();
        all.retain(|&component| !self.is_trusted(component));
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Returns the budget at whose end the kernel stops a task until its next release; none:
    /// nothing stops it.
    pub fn enforced_budget(&self, task: TaskId) -> Option<Duration> {
        let task = self.task(task);
        let budget = task.budget.as_ref().filter(|_| task.release.is_some())?;
        (budget.overrun == Overrun::Suspend).then_some(budget.amount.value)
    }
}
