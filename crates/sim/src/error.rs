//! The reasons for which a system cannot be simulated.

use fusee_diagnostics::{Diagnostic, Span};
use fusee_model::{ComponentId, GateId, Origin, Protocol, System, TaskId};
use fusee_tables::TablesError;

use crate::rules;

/// The reason for which a system cannot be simulated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SimError {
    /// The computing time of a body is not given.
    #[error("`{body}` has no WCET")]
    NoWcet {
        /// A task that reaches the body.
        task: TaskId,
        /// The task, gate or method without a WCET.
        body: String,
    },
    /// Invocations nest without end, or deeper than any sensible description.
    #[error("invocations nest too deep")]
    TooDeep {
        /// A task that gets there.
        task: TaskId,
    },
    /// Several cores would use what belongs to one.
    #[error("`{name}` is used from cores {first} and {second}")]
    Shared {
        /// A gate or an event.
        name: String,
        /// One of the cores.
        first: u32,
        /// The other core.
        second: u32,
        /// The place of its declaration.
        origin: Origin,
    },
    /// The table of kernel costs is silent about a gate's protocol.
    #[error("nobody knows what `{}` costs", protocol.name())]
    NoCost {
        /// The gate in question.
        gate: GateId,
        /// The protocol of the gate.
        protocol: Protocol,
    },
    /// A component's own code is a scheduler.
    #[error("a component decides who runs")]
    Scheduler {
        /// The task in question.
        task: TaskId,
    },
    /// A component is asked for an unknown lock, or asks no scheduler.
    #[error("it is unknown which lock of a component is asked for")]
    Locks {
        /// A task that asks for one.
        task: TaskId,
        /// The component in question.
        component: ComponentId,
    },
    /// The table of kernel costs is silent about what lock components call.
    #[error("nobody knows what it costs to sleep on another's account")]
    NoServices {
        /// A component that lets threads sleep.
        component: ComponentId,
    },
    /// The kernel does not take the system's tables.
    #[error("the kernel does not take the system: {reason}")]
    Tables {
        /// The reason that the kernel gives.
        reason: String,
    },
    /// The kernel refused a return or a completion that it owes: a defect of Fusee.
    #[error("the kernel refused what it owes, at {at} ns: {error}")]
    Refused {
        /// The error that the kernel gives.
        error: String,
        /// When, in nanoseconds.
        at: u64,
    },
}

impl SimError {
    /// Returns the error for missing tables.
    pub(crate) fn of_tables(error: TablesError) -> SimError {
        match error {
            TablesError::Shared { name, first, second, origin } => {
                SimError::Shared { name, first, second, origin }
            }
            error => SimError::Tables { reason: error.to_string() },
        }
    }

    /// Returns the message for the user; `span` follows origins into the description.
    pub fn diagnostic(&self, system: &System, span: &dyn Fn(Origin) -> Option<Span>) -> Diagnostic {
        let (diagnostic, place) = self.message(system);
        match place.and_then(|(origin, label)| Some((span(origin)?, label))) {
            Some((place, label)) => diagnostic.at(place, label),
            None => diagnostic,
        }
    }

    /// Returns the message, and the place that it points at, with its label.
    fn message(&self, system: &System) -> (Diagnostic, Option<(Origin, &'static str)>) {
        let of = |id: TaskId| system.tasks.get(id.index());
        let name = |id: TaskId| of(id).map_or("?", |task| task.name.as_str());
        let task = |id: TaskId| of(id).map(|task| (task.origin, "this task"));
        match self {
            SimError::NoWcet { task: id, body } => {
                let message =
                    format!("`{body}` has no WCET, so task `{}` cannot be simulated", name(*id));
                let note = "give every component and method on the task's way a `wcet`, for \
                            example `c.wcet = \"2 ms\"`";
                (Diagnostic::error(rules::NO_WCET.code, message).with_note(note), task(*id))
            }
            SimError::TooDeep { task: id } => {
                let message = format!(
                    "the invocations of task `{}` nest too deep to be simulated",
                    name(*id)
                );
                (Diagnostic::error(rules::TOO_DEEP.code, message), task(*id))
            }
            SimError::Shared { name, first, second, origin } => {
                let message =
                    format!("`{name}` is used from cores {first} and {second}, and belongs to one");
                let diagnostic = Diagnostic::error(rules::SEVERAL_CORES.code, message);
                (diagnostic, Some((*origin, "each core would have its own")))
            }
            SimError::NoCost { gate, protocol } => {
                let word = protocol.name();
                let message = format!(
                    "the table of kernel costs does not say what passing a `{word}` gate costs"
                );
                let place = (system.gate(*gate).protocol.origin, "this gate");
                (Diagnostic::error(rules::NO_COST.code, message), Some(place))
            }
            SimError::Scheduler { task: id } => {
                let message =
                    format!("`{}` decides who runs, and its code is not simulated", name(*id));
                let note = "`fusee run` boots it: the schedule is what its code makes";
                (Diagnostic::error(rules::SCHEDULER.code, message).with_note(note), task(*id))
            }
            SimError::Locks { task: id, component } => {
                let (name, keeper) = (name(*id), &system.component(*component).name);
                let message = format!("`{name}` asks `{keeper}` for nobody knows which lock");
                let note = "a list says it: `\"lock locks.0\", \"20 us\", \"unlock locks.0\"`, \
                            with the client's interface and the lock's number";
                (Diagnostic::error(rules::LOCKS.code, message).with_note(note), task(*id))
            }
            SimError::NoServices { component } => {
                let component = system.component(*component);
                let message = format!(
                    "the table of kernel costs does not say what it takes to sleep on another's \
                     account, as `{}` lets threads do",
                    component.name
                );
                let diagnostic = Diagnostic::error(rules::NO_COST.code, message)
                    .with_note("the table lacks `[dependencies]`");
                (diagnostic, Some((component.origin, "a kernel with other paths")))
            }
            SimError::Tables { reason } => {
                let message = format!("the kernel refuses the system: {reason}");
                (Diagnostic::error(rules::TABLES_REFUSED.code, message), None)
            }
            SimError::Refused { .. } => {
                let note = "this is a defect of Fusee; please report it with the description";
                let message = self.to_string();
                (Diagnostic::error(rules::TABLES_REFUSED.code, message).with_note(note), None)
            }
        }
    }
}
