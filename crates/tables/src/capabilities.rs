//! The objects that each domain's code may name.
//!
//! Components of one domain share their memory, so nothing could keep one of them
//! from using what another was given; and a direct call runs a component's code
//! while the kernel sees its caller. So a domain has *one* table, and every
//! component in it has the same. Slots come in the order of components and of
//! their interfaces. A body may ask for more (drawn systems have bodies and no
//! interfaces, and a direct call may lead out of a domain that a simulator need
//! not keep): that is appended.

use crate::reach;
use fusee_kernel::{Capability, GateIndex, NotificationIndex};
use fusee_model::{
    Body, ComponentId, DomainId, GateId, InterfaceKind, NotificationId, Step, System,
};
use std::collections::{BTreeMap, BTreeSet};

/// Capability tables of all domains.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// By domain, in the order of slots.
    tables: Vec<Vec<Capability>>,
    /// The domain of each component.
    domains: Vec<usize>,
    known: BTreeMap<(usize, Key), u16>,
}

/// A capability as something that can be looked up.
type Key = (u8, u16, u32);

impl Capabilities {
    /// Returns the tables of a system.
    pub fn of(system: &System) -> Capabilities {
        let mut all = Capabilities {
            // A system that was made without domains has all of its components in one.
            tables: vec![Vec::new(); system.domains.len().max(1)],
            domains: system
                .components
                .iter()
                .map(|component| domain(system, component.domain))
                .collect(),
            known: BTreeMap::new(),
        };
        for index in 0..system.components.len() {
            all.add_interfaces(system, ComponentId::from(index));
        }
        for task in &system.tasks {
            Walk::new(&mut all, system, task.component).body(&task.body);
        }
        for (_, gate) in system.gate_ids().filter(|(_, gate)| !gate.direct) {
            for method in &gate.methods {
                Walk::new(&mut all, system, gate.component).body(&method.body);
            }
        }
        all
    }

    fn add_interfaces(&mut self, system: &System, id: ComponentId) {
        for (position, interface) in system.component(id).interfaces.iter().enumerate() {
            match interface.kind {
                InterfaceKind::Uses(Some(gate)) if !system.gate(gate).direct => {
                    self.add(id, Capability::Gate(gate_index(gate)));
                }
                InterfaceKind::Emits(_) => {
                    for notification in reach::emitted(system, id, position) {
                        self.add(id, Capability::Signal(notification_index(notification), 1));
                    }
                }
                InterfaceKind::Consumes(Some(notification)) => {
                    self.add(id, Capability::Wait(notification_index(notification)));
                }
                _ => {}
            }
        }
    }

    /// Returns the table of a component.
    pub fn of_component(&self, component: ComponentId) -> &[Capability] {
        &self.tables[self.domain(component)]
    }

    /// Returns the table of a domain.
    pub fn of_domain(&self, domain: usize) -> &[Capability] {
        &self.tables[domain]
    }

    /// Returns the number of domains.
    pub fn domain_count(&self) -> usize {
        self.tables.len()
    }

    /// Returns the slot in which a component finds a capability.
    pub fn slot(&self, component: ComponentId, capability: Capability) -> Option<u16> {
        self.known.get(&(self.domain(component), key(capability))).copied()
    }

    /// Returns the domain of a component.
    pub fn domain(&self, component: ComponentId) -> usize {
        self.domains[component.index()]
    }

    /// Gives a component's domain a capability, unless it has it; answers the slot.
    pub(crate) fn add(&mut self, component: ComponentId, capability: Capability) -> u16 {
        let domain = self.domain(component);
        let table = &mut self.tables[domain];
        *self.known.entry((domain, key(capability))).or_insert_with(|| {
            table.push(capability);
            (table.len() - 1) as u16
        })
    }

    /// Lets all that could pass `gate` pass `to` in its stead, by the same slots, which are still
    /// found by the description's gate.
    pub(crate) fn lead(&mut self, gate: GateIndex, to: GateIndex) {
        for capability in self.all_mut() {
            match capability {
                Capability::Gate(own) | Capability::Mutex(own) if *own == gate => *own = to,
                _ => {}
            }
        }
    }

    /// Returns all capabilities, to be changed in their slots.
    pub(crate) fn all_mut(&mut self) -> impl Iterator<Item = &mut Capability> {
        self.tables.iter_mut().flatten()
    }

    /// Adds a domain with one component.
    pub(crate) fn add_domain(&mut self) {
        self.domains.push(self.tables.len());
        self.tables.push(Vec::new());
    }

    /// Returns the longest table's length.
    pub(crate) fn longest(&self) -> usize {
        self.tables.iter().map(Vec::len).max().unwrap_or(0)
    }
}

fn domain(system: &System, id: DomainId) -> usize {
    if id.index() < system.domains.len() { id.index() } else { 0 }
}

fn key(capability: Capability) -> Key {
    match capability {
        Capability::Empty => (0, 0, 0),
        Capability::Gate(gate) => (1, gate.0, 0),
        Capability::Signal(notification, bits) => (2, notification.0, bits),
        Capability::Wait(notification) => (3, notification.0, 0),
        Capability::Mutex(gate) => (4, gate.0, 0),
        Capability::Acknowledge(line) => (5, line, 0),
        Capability::Thread(gate, thread) => (6, gate.0, u32::from(thread.0)),
    }
}

/// Returns a gate's number.
pub(crate) fn gate_index(id: GateId) -> GateIndex {
    GateIndex(id.0 as u16)
}

/// Returns a notification's number.
pub(crate) fn notification_index(id: NotificationId) -> NotificationIndex {
    NotificationIndex(id.0 as u16)
}

/// Follows a body through direct calls, for the component that the kernel sees.
struct Walk<'a> {
    capabilities: &'a mut Capabilities,
    system: &'a System,
    component: ComponentId,
    seen: BTreeSet<(GateId, usize)>,
}

impl<'a> Walk<'a> {
    fn new(capabilities: &'a mut Capabilities, system: &'a System, component: ComponentId) -> Self {
        Walk { capabilities, system, component, seen: BTreeSet::new() }
    }

    fn body(&mut self, body: &'a Body) {
        let mut todo = vec![body];
        while let Some(body) = todo.pop() {
            for step in &body.steps {
                match *step {
                    Step::Compute { .. } => {}
                    Step::Emit(id) => self.add(Capability::Signal(notification_index(id), 1)),
                    Step::Wait(id) => self.add(Capability::Wait(notification_index(id))),
                    Step::Invoke { gate, method, .. } if self.system.gate(gate).direct => {
                        todo.extend(self.called(gate, method));
                    }
                    // A section is code of whoever holds its mutex.
                    Step::Invoke { gate, method, .. } if self.system.mutex(gate).is_some() => {
                        self.add(Capability::Mutex(gate_index(gate)));
                        todo.extend(self.called(gate, method));
                    }
                    Step::Invoke { gate, .. } => self.add(Capability::Gate(gate_index(gate))),
                }
            }
        }
    }

    /// The bodies behind a direct call or in a section that were not seen yet.
    fn called(&mut self, gate: GateId, method: Option<usize>) -> Vec<&'a Body> {
        let methods = self.system.gate(gate).methods.iter().enumerate();
        methods
            .filter(|(index, _)| method.is_none_or(|wanted| wanted == *index))
            .filter(|(index, _)| self.seen.insert((gate, *index)))
            .map(|(_, method)| &method.body)
            .collect()
    }

    fn add(&mut self, capability: Capability) {
        self.capabilities.add(self.component, capability);
    }
}
