//! Gates about threads, for components that may let them sleep.

use fusee_kernel::{Capability, GateIndex, ThreadIndex};
use fusee_model::ComponentId;
use fusee_model::derived::Derived;

use super::Extension;
use crate::machine::{GateRole, ThreadRole};
use crate::rows::{comes, config};

impl Extension<'_> {
    /// For each component that may let threads sleep, a gate for each thread, and what it may name
    /// of them: the threads of tasks that come into its domain.
    pub(super) fn rows(&mut self, derived: &Derived) {
        for id in self.system.lock_services() {
            let row: Vec<GateIndex> =
                (0..self.row_length()).map(|thread| self.about(id, thread)).collect();
            let threads = 0..self.machine.objects.threads.len() as u16;
            let slots = row.iter().zip(threads).map(|(&gate, thread)| {
                let ThreadRole::Task(task) = self.machine.threads[usize::from(thread)] else {
                    return None;
                };
                let capability = Capability::Thread(gate, ThreadIndex(thread));
                comes((self.system, derived), id, task).then(|| self.add(id, capability))
            });
            let slots = slots.collect();
            self.machine.components[id.index()].threads = slots;
        }
    }

    /// Returns the number of gates of a row: one for each thread; on several cores, the same on
    /// each, which is enough for the tasks and callbacks of all and the thread that sets up.
    fn row_length(&self) -> u16 {
        let length = match self.here.whole {
            None => self.machine.objects.threads.len(),
            Some(system) => system.tasks.len() + self.needs.callbacks.len() + 1,
        };
        length as u16
    }

    /// Returns the gate at which threads wait that sleep on a thread's account.
    fn about(&mut self, component: ComponentId, thread: u16) -> GateIndex {
        let role = GateRole::Thread { component, thread: ThreadIndex(thread) };
        self.push_gate(role, config(component))
    }
}
