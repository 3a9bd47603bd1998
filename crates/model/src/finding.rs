//! Finds in a system what code generation needs: procedures, locks, messages.

use crate::{
    Component, ComponentId, GateId, Interface, Lock, LockKind, Message, Procedure, Signature,
    Struct, System,
};

impl System {
    /// Returns all mutexes that are words in their components' memory, with whose they are.
    pub fn mutex_words(&self) -> impl Iterator<Item = (ComponentId, &Lock)> {
        let components = self.components.iter().enumerate();
        components.flat_map(|(index, component)| {
            let words = component.code.locks.iter().filter(|lock| lock.is_word());
            words.map(move |lock| (ComponentId::from(index), lock))
        })
    }

    /// Components that may let threads sleep on each other's account.
    pub fn lock_services(&self) -> impl Iterator<Item = ComponentId> {
        let components = self.components.iter().enumerate();
        components
            .filter(|(_, component)| component.dependencies)
            .map(|(index, _)| ComponentId::from(index))
    }

    /// Returns a procedure type by its name; `None` for generated systems, whose methods take
    /// nothing.
    pub fn procedure(&self, name: &str) -> Option<&Procedure> {
        self.procedures.iter().find(|procedure| procedure.name == name)
    }

    /// Returns the procedure type of an interface; `None` if it is no procedure.
    pub fn procedure_of(&self, interface: &Interface) -> Option<&Procedure> {
        use crate::InterfaceKind::{Provides, Uses};
        matches!(interface.kind, Provides(_) | Uses(_))
            .then(|| self.procedure(&interface.type_name))?
    }

    /// Returns the way in which the arguments and results of a gate's method travel.
    pub fn message(&self, gate: GateId, method: usize) -> Message {
        let gate = self.gate(gate);
        let interface = self.component(gate.component).interface(&gate.interface);
        let procedure = interface.and_then(|interface| self.procedure_of(interface));
        let signature = procedure.and_then(|procedure| procedure.methods.get(method));
        signature.map_or(Message::Registers, Signature::message)
    }

    /// The position in [`Code::locks`] of the mutex that a gate stands for; `None`: a provided
    /// interface's gate.
    ///
    /// A mutex whose sections are described is a gate of its component that bears its name, and
    /// each section is a method. Names of interfaces and locks differ within a component.
    pub fn mutex(&self, gate: GateId) -> Option<usize> {
        let gate = self.gate(gate);
        let locks = &self.components.get(gate.component.index())?.code.locks;
        locks.iter().position(|lock| lock.kind == LockKind::Mutex && lock.name == gate.interface)
    }

    /// Returns the gate that stands for a component's lock; `None`: no section of it is described.
    pub fn gate_of_mutex(&self, component: ComponentId, lock: usize) -> Option<GateId> {
        let own =
            |id: &GateId| self.gate(*id).component == component && self.mutex(*id) == Some(lock);
        self.gate_ids().map(|(id, _)| id).find(own)
    }

    /// Returns a struct of the description by its name.
    pub fn structure(&self, name: &str) -> Option<&Struct> {
        self.structs.iter().find(|declared| declared.name == name)
    }
}

impl Component {
    /// Returns an interface by its name.
    pub fn interface(&self, name: &str) -> Option<&Interface> {
        self.interfaces.iter().find(|interface| interface.name == name)
    }

    /// Returns the value of an attribute, where it has one.
    pub fn attribute(&self, name: &str) -> Option<&crate::Value> {
        self.attributes
            .iter()
            .find(|attribute| attribute.name == name)
            .map(|attribute| &attribute.value)
    }

    /// Returns the value of an attribute that is a whole number and not negative, or text of one,
    /// such as `"0x1000"`.
    pub fn number(&self, name: &str) -> Option<u64> {
        match self.attribute(name)? {
            crate::Value::Integer(value) => u64::try_from(*value).ok(),
            crate::Value::Text(text) => {
                let digits = text.trim();
                let hex = digits.strip_prefix("0x").map(|hex| u64::from_str_radix(hex, 16).ok());
                hex.unwrap_or_else(|| digits.parse().ok())
            }
            _ => None,
        }
    }
}
