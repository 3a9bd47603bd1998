//! Gates about threads, for components that may let them sleep.

use fusee_kernel::{Capability, GateConfig, GateIndex, GateKind, Protocol, ThreadIndex};
use fusee_model::ComponentId;
use fusee_model::derived::Derived;

use super::{Extension, component_index};
use crate::machine::{GateRole, ThreadRole};

impl Extension<'_> {
    /// For each component that may let threads sleep, a gate for each thread, and what it may name
    /// of them: the threads of tasks that come into its domain.
    pub(super) fn rows(&mut self, derived: &Derived) {
        for id in self.system.lock_services() {
            let threads = 0..self.machine.objects.threads.len() as u16;
            let row: Vec<GateIndex> = threads.map(|thread| self.about(id, thread)).collect();
            let slots = row.iter().zip(0..).map(|(&gate, thread)| {
                let comes = self.comes(derived, id, usize::from(thread));
                let capability = Capability::Thread(gate, ThreadIndex(thread));
                comes.then(|| self.add(id, capability))
            });
            let slots = slots.collect();
            self.machine.components[id.index()].threads = slots;
        }
    }

    /// The gate at which those wait who sleep on a thread's account.
    fn about(&mut self, component: ComponentId, thread: u16) -> GateIndex {
        let protocol = Protocol::Inherited;
        let config = GateConfig {
            component: component_index(component),
            protocol,
            stacks: 1,
            kind: GateKind::Mutex,
        };
        self.push_gate(GateRole::Thread { component, thread: ThreadIndex(thread) }, config)
    }

    /// Whether a task's thread comes into a component's domain.
    fn comes(&self, derived: &Derived, id: ComponentId, thread: usize) -> bool {
        let ThreadRole::Task(task) = self.machine.threads[thread] else { return false };
        let domain = self.system.component(id).domain;
        let inside = |component: ComponentId| self.system.component(component).domain == domain;
        let mut gates = derived.task(task).gates.iter();
        inside(self.system.task(task).component)
            || gates.any(|&gate| inside(self.system.gate(gate).component))
    }
}
