//! The names behind the kernel's numbers.

use fusee_kernel::NOT_PREEMPTED;

/// Names of everything that a record can mention, by the kernel's indices.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    /// The names of threads.
    pub threads: Vec<ThreadName>,
    /// The names of gates.
    pub gates: Vec<GateName>,
    /// The names of components.
    pub components: Vec<String>,
    /// The names of notifications.
    pub notifications: Vec<String>,
}

/// The unit in which records tell a thread's urgency.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Urgency {
    /// Priorities, the highest first.
    #[default]
    Priority,
    /// Absolute deadlines in nanoseconds, the earliest first.
    Deadline,
}

impl Urgency {
    /// Returns the most urgent of some, 0 for none.
    pub(crate) fn most(self, all: impl Iterator<Item = u64>) -> u64 {
        let most = match self {
            Urgency::Priority => all.max(),
            Urgency::Deadline => all.min(),
        };
        most.unwrap_or(0)
    }

    /// One of them in words.
    pub(crate) fn told(self, value: u64) -> String {
        match (self, value) {
            (Urgency::Priority, _) => format!("priority {value}"),
            (Urgency::Deadline, NOT_PREEMPTED) => "before all deadlines".to_owned(),
            (Urgency::Deadline, _) => format!("deadline {value} ns"),
        }
    }
}

/// A thread's name and place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ThreadName {
    /// The task's name.
    pub name: String,
    /// The thread's core.
    pub core: u32,
    /// The unit of the urgency that a record says it inherits.
    pub urgency: Urgency,
    /// The component in which it starts.
    pub component: u32,
    /// Its budget for each release, in nanoseconds.
    pub budget: Option<u64>,
}

/// A gate's name and place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GateName {
    /// The name as `component.interface`.
    pub name: String,
    /// The component behind it.
    pub component: u32,
}

impl Names {
    /// Returns a gate's name, or its number.
    pub(crate) fn gate(&self, gate: u32) -> String {
        self.gates.get(gate as usize).map_or_else(|| format!("gate {gate}"), |g| g.name.clone())
    }

    /// Returns a notification's name, or its number.
    pub(crate) fn notification(&self, index: u32) -> String {
        self.notifications
            .get(index as usize)
            .cloned()
            .unwrap_or_else(|| format!("notification {index}"))
    }

    /// Returns a component's name, or its number.
    pub(crate) fn component(&self, index: u32) -> String {
        self.components.get(index as usize).cloned().unwrap_or_else(|| format!("component {index}"))
    }
}
