//! Values of a description that a search may choose.

use fusee_model::{Duration, GateId, InterfaceKind, Policy, Priority, PrioritySource, Protocol};
use fusee_model::{System, TaskId};

/// A thing that has a value which can be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// The policy of all cores.
    Policy,
    /// The core of a task.
    Core(TaskId),
    /// The protocol of a gate.
    Protocol(GateId),
    /// The priority of a task.
    Priority(TaskId),
    /// The budget of a task.
    Budget(TaskId),
}

/// A chosen value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setting {
    /// The policy of all cores.
    Policy(Policy),
    /// The core of a task.
    Core(TaskId, u32),
    /// The protocol of a gate.
    Protocol(GateId, Protocol),
    /// The priority of a task.
    Priority(TaskId, Priority),
    /// The budget of a task.
    Budget(TaskId, Duration),
}

/// The kinds of subjects, as `--change` and `--keep` name them.
pub const KINDS: [&str; 5] = ["core", "priority", "protocol", "budget", "policy"];

impl Subject {
    /// Returns the word for its kind.
    pub fn kind(self) -> &'static str {
        match self {
            Subject::Core(_) => "core",
            Subject::Priority(_) => "priority",
            Subject::Protocol(_) => "protocol",
            Subject::Budget(_) => "budget",
            Subject::Policy => "policy",
        }
    }

    /// Returns the instance whose attribute it is, and the attribute's names: the first is written
    /// where a description has none of them.
    pub fn names(self, system: &System) -> (String, Vec<String>) {
        let words = |all: &[&str]| all.iter().map(|&word| word.to_owned()).collect();
        match self {
            Subject::Policy => ("system".to_owned(), words(&["policy"])),
            Subject::Core(task) => {
                (system.task(task).name.clone(), words(&["core", "_affinity", "affinity"]))
            }
            Subject::Budget(task) => {
                (system.task(task).name.clone(), words(&["budget", "_budget"]))
            }
            Subject::Protocol(gate) => {
                let gate = system.gate(gate);
                let owner = system.component(gate.component).name.clone();
                (owner, vec![format!("{}_priority_protocol", gate.interface)])
            }
            Subject::Priority(id) => {
                let task = system.task(id);
                // `priority` is of all threads of a component, and a ceiling of its gates.
                let names: &[&str] = match provides(system, id) {
                    true => &["_priority"],
                    false => &["priority", "_priority"],
                };
                (task.name.clone(), words(names))
            }
        }
    }

    /// Returns the name under which users speak of it: `motor.priority`.
    pub fn name(self, system: &System) -> String {
        let (owner, names) = self.names(system);
        format!("{owner}.{}", names[0].trim_start_matches('_'))
    }

    /// Returns `true` if the description gives its value.
    pub fn is_given(self, system: &System) -> bool {
        let attribute = |owner: fusee_model::ComponentId, names: &[String]| {
            let mut all = system.component(owner).attributes.iter();
            all.any(|attribute| names.contains(&attribute.name))
        };
        match self {
            Subject::Policy => system.settings.policy.is_some(),
            Subject::Core(task) => attribute(system.task(task).component, &self.names(system).1),
            Subject::Priority(task) => system.task(task).priority_source == PrioritySource::Given,
            Subject::Budget(task) => system.task(task).budget.is_some(),
            Subject::Protocol(gate) => {
                let gate = system.gate(gate);
                gate.protocol.origin != gate.origin
            }
        }
    }

    /// Returns its present value; none where a budget is left out.
    pub fn value(self, system: &System) -> Option<Setting> {
        Some(match self {
            Subject::Policy => Setting::Policy(system.policy_on(0)),
            Subject::Core(task) => Setting::Core(task, system.task(task).core),
            Subject::Priority(task) => Setting::Priority(task, system.task(task).priority.value),
            Subject::Protocol(gate) => Setting::Protocol(gate, system.gate(gate).protocol.value),
            Subject::Budget(task) => {
                Setting::Budget(task, system.task(task).budget.as_ref()?.amount.value)
            }
        })
    }
}

/// Returns `true` if a task's component has gates, too.
pub(super) fn provides(system: &System, task: TaskId) -> bool {
    let mut interfaces = system.component(system.task(task).component).interfaces.iter();
    interfaces.any(|interface| matches!(interface.kind, InterfaceKind::Provides(_)))
}

impl Setting {
    /// Returns the thing that has the value.
    pub fn subject(self) -> Subject {
        match self {
            Setting::Policy(_) => Subject::Policy,
            Setting::Core(task, _) => Subject::Core(task),
            Setting::Protocol(gate, _) => Subject::Protocol(gate),
            Setting::Priority(task, _) => Subject::Priority(task),
            Setting::Budget(task, _) => Subject::Budget(task),
        }
    }

    /// Returns the value as it is written in a description.
    pub fn text(self) -> String {
        match self {
            Setting::Policy(policy) => format!("\"{}\"", policy.name()),
            Setting::Core(_, core) => core.to_string(),
            Setting::Protocol(_, protocol) => format!("\"{}\"", protocol.name()),
            Setting::Priority(_, priority) => priority.to_string(),
            Setting::Budget(_, budget) => format!("\"{}\"", budget.exact()),
        }
    }

    /// Returns the line that gives the value in a configuration.
    pub fn line(self, system: &System) -> String {
        let (owner, names) = self.subject().names(system);
        format!("{owner}.{} = {};", names[0], self.text())
    }
}

/// Chosen values, one for each subject at most.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Choice(Vec<Setting>);

impl Choice {
    /// Returns the same with this value.
    #[must_use]
    pub fn with(&self, setting: Setting) -> Self {
        let mut all = self.without(setting.subject()).0;
        let at = all.partition_point(|other| other.subject() < setting.subject());
        all.insert(at, setting);
        Self(all)
    }

    /// Returns the same without a value for this subject.
    #[must_use]
    pub fn without(&self, subject: Subject) -> Self {
        Self(self.0.iter().copied().filter(|other| other.subject() != subject).collect())
    }

    /// Returns the values in the order of their subjects.
    pub fn settings(&self) -> &[Setting] {
        &self.0
    }
}
