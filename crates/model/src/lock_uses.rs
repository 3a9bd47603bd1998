//! Finds the components of a system that make locks, and their users.

use crate::{Component, ComponentId, GateId, InterfaceKind, LockCall, LockComponent, Step, System};

impl System {
    /// Returns the lock component whose gate it is, if clients ask it.
    pub fn lock_component(&self, gate: GateId) -> Option<LockComponent> {
        let known = self.component(self.gate(gate).component).lock_component;
        known.filter(|known| *known != LockComponent::Scheduler)
    }

    /// Returns the request of a step to a lock component; a call that names no lock is unknown.
    pub fn lock_call(&self, step: &Step) -> Option<(GateId, LockCall)> {
        let Step::Invoke { gate, method: Some(method), lock: Some(_), .. } = *step else {
            return None;
        };
        self.lock_component(gate)?;
        let name = &self.gate(gate).methods.get(method)?.name;
        Some((gate, LockCall::of(name)?))
    }

    /// Returns the gate of the scheduler that a lock component asks; `None`: it is connected to
    /// none.
    pub fn lock_scheduler(&self, keeper: ComponentId) -> Option<GateId> {
        let mut interfaces = self.component(keeper).interfaces.iter();
        interfaces.find_map(|interface| match interface.kind {
            InterfaceKind::Uses(gate) => gate,
            _ => None,
        })
    }

    /// Those that come with Fusee, with what they are.
    pub fn lock_components(&self) -> impl Iterator<Item = (ComponentId, LockComponent)> {
        let known = |(id, component): (usize, &Component)| {
            Some((ComponentId::from(id), component.lock_component?))
        };
        self.components.iter().enumerate().filter_map(known)
    }
}
