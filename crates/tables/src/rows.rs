//! Gates about threads, where a system has no others than tasks'.
//!
//! For each component that may let threads sleep there is a gate for each thread, and of these it
//! may name those of tasks that come into its domain. Here the rows stand right behind the
//! description's gates; a machine has gates and threads of its own before them.
//!
//! Threads are numbered core by core, and so are gates about them: each core has rows of the same
//! length, so that gates behind them have the same numbers on all cores. All tasks that come into a
//! component's domain are of one core, and on the others it names none.

use fusee_kernel::{
    Capability, ComponentIndex, GateConfig, GateIndex, GateKind, Protocol, ThreadIndex,
};
use fusee_model::derived::Derived;
use fusee_model::{ComponentId, System, TaskId};

use crate::{Capabilities, Objects, chain};

impl Capabilities {
    /// Lets components name threads where there are none but tasks'.
    pub fn name_threads(&mut self, system: &System, derived: &Derived) {
        for (row, id) in system.lock_services().enumerate() {
            for task in comers((system, derived), id) {
                self.add(id, about(system, row, task));
            }
        }
    }

    /// Returns the tables as a core has them: slots for threads of other cores are empty.
    pub(crate) fn on_core(mut self, (system, derived): (&System, &Derived), core: u32) -> Self {
        let is_elsewhere = |id| {
            let mut comers = comers((system, derived), id);
            comers.any(|task| system.task(task).core != core)
        };
        let elsewhere: Vec<bool> = system.lock_services().map(is_elsewhere).collect();
        let is_of_row = |gate: GateIndex| {
            let place = gate.at().checked_sub(system.gates.len())?;
            place.checked_div(system.tasks.len())
        };
        for capability in self.all_mut() {
            if let Capability::Thread(gate, _) = *capability
                && is_of_row(gate).is_some_and(|row| elsewhere.get(row) == Some(&true))
            {
                *capability = Capability::Empty;
            }
        }
        self
    }

    /// Returns the slots in which a component's code finds all tasks' threads, for those that sleep
    /// through another one; the last slot stands for a thread that it may not name.
    pub fn threads(&self, system: &System, code: ComponentId, through: ComponentId) -> Vec<u16> {
        let row = system.lock_services().position(|id| id == through).unwrap_or(usize::MAX);
        let slot = |(task, _)| self.slot(code, about(system, row, task)).unwrap_or(u16::MAX);
        system.task_ids().map(slot).collect()
    }
}

impl Objects {
    /// Adds the gates about threads where there are none but tasks'.
    pub(crate) fn add_rows(&mut self, system: &System) {
        let all = system.lock_services().map(|id| vec![config(id); system.tasks.len()]);
        self.gates.extend(all.flatten());
        self.chain = chain::longest(&self.gates, &self.capabilities);
    }
}

/// Returns the right to let others sleep on the account of a task's thread.
fn about(system: &System, row: usize, task: TaskId) -> Capability {
    let core = system.task(task).core;
    let before = &system.tasks[..task.index()];
    let thread = before.iter().filter(|other| other.core == core).count();
    let place = row.saturating_mul(system.tasks.len()) + system.gates.len() + thread;
    Capability::Thread(GateIndex(place as u16), ThreadIndex(thread as u16))
}

/// Returns a gate at which threads wait that sleep on a thread's account.
pub(crate) fn config(component: ComponentId) -> GateConfig {
    let component = component_index(component);
    GateConfig { component, protocol: Protocol::Inherited, stacks: 1, kind: GateKind::Mutex }
}

/// Returns the tasks whose threads come into a component's domain.
pub(crate) fn comers<'a>(
    (system, derived): (&'a System, &'a Derived),
    id: ComponentId,
) -> impl Iterator<Item = TaskId> + 'a {
    let all = system.task_ids().map(|(task, _)| task);
    all.filter(move |&task| comes((system, derived), id, task))
}

/// Returns `true` if a task's thread comes into a component's domain.
pub(crate) fn comes((system, derived): (&System, &Derived), id: ComponentId, task: TaskId) -> bool {
    let domain = system.component(id).domain;
    let inside = |component: ComponentId| system.component(component).domain == domain;
    let mut gates = derived.task(task).gates.iter();
    inside(system.task(task).component) || gates.any(|&gate| inside(system.gate(gate).component))
}

/// Returns the kernel's number of a component.
pub(crate) fn component_index(id: ComponentId) -> ComponentIndex {
    ComponentIndex(id.0 as u16)
}
