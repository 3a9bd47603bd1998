//! Bodies by reference, and the reasons for which their length is not known.

use fusee_model::{Calls, GateId, Origin, System, TaskId};

/// A body of the system: a task's job, or a method of a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BodyRef {
    /// The task's own body.
    Task(TaskId),
    /// A method, by its gate and position.
    Method(GateId, usize),
}

impl BodyRef {
    /// Returns its name in messages: `task` or `component.interface.method`.
    pub fn name(self, system: &System) -> String {
        match self {
            BodyRef::Task(id) => {
                system.tasks.get(id.index()).map_or_else(unnamed, |t| t.name.clone())
            }
            BodyRef::Method(id, position) => {
                // A message is no place to fail, so what the system has not gets a name all the
                // same.
                let Some(gate) = system.gates.get(id.index()) else { return unnamed() };
                match gate.methods.get(position) {
                    Some(method) => format!("{}.{}", gate.name, method.name),
                    None => gate.name.clone(),
                }
            }
        }
    }

    /// Returns the place at which the description lists the body's calls, or the body's own place
    /// if it lists none.
    pub(crate) fn calls_origin(self, system: &System) -> Origin {
        let body = match self {
            BodyRef::Task(id) => system.tasks.get(id.index()).map(|task| &task.body),
            BodyRef::Method(id, at) => {
                system.gates.get(id.index()).and_then(|gate| Some(&gate.methods.get(at)?.body))
            }
        };
        match body.map(|body| body.calls) {
            Some(Calls::Given(origin)) => origin,
            _ => self.origin(system),
        }
    }

    /// Returns its place in the description.
    pub fn origin(self, system: &System) -> Origin {
        match self {
            BodyRef::Task(id) => system.tasks.get(id.index()).map_or(Origin::NONE, |t| t.origin),
            BodyRef::Method(id, position) => {
                let Some(gate) = system.gates.get(id.index()) else { return Origin::NONE };
                gate.methods.get(position).map_or(gate.origin, |m| m.origin)
            }
        }
    }
}

/// Returns the text that is shown for an object that the system does not have.
fn unnamed() -> String {
    "?".to_owned()
}

/// A reason for which the length of a body is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// Its execution time is not given.
    Wcet(BodyRef),
    /// It gets into a recursion over this gate.
    Recursion(GateId),
    /// It passes a gate whose protocol is in no table.
    Passage(GateId),
    /// It passes a message whose cost is in no table.
    Message(BodyRef),
    /// Sections at this gate are longer than the clock.
    TooLong(GateId),
}
