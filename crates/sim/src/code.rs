//! The code that the components of a system execute.

use fusee_model::{System, TaskId};

/// The code that the components of a system execute, whatever its description says of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Code<'c> {
    /// The bodies: a system with the same components, tasks, gates and methods.
    pub bodies: &'c System,
    /// Tasks whose jobs end with a fault, behind the last step of their bodies.
    pub faults: Vec<TaskId>,
}

impl<'c> Code<'c> {
    /// Returns the code that a description tells.
    pub fn of(system: &'c System) -> Self {
        Self { bodies: system, faults: Vec::new() }
    }
}
