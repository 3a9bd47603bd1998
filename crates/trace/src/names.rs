//! The names behind the kernel's numbers.

/// Names of everything that a record can mention, by the kernel's indices.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    /// Threads.
    pub threads: Vec<ThreadName>,
    /// Gates.
    pub gates: Vec<GateName>,
    /// Components.
    pub components: Vec<String>,
    /// Notifications.
    pub notifications: Vec<String>,
}

/// A thread's name and place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ThreadName {
    /// The task's name.
    pub name: String,
    /// Its core.
    pub core: u32,
    /// The component in which it starts.
    pub component: u32,
    /// Its budget for each release, in nanoseconds.
    pub budget: Option<u64>,
}

/// A gate's name and place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GateName {
    /// `component.interface`.
    pub name: String,
    /// The component behind it.
    pub component: u32,
}

impl Names {
    /// A gate's name, or its number.
    pub(crate) fn gate(&self, gate: u32) -> String {
        self.gates.get(gate as usize).map_or_else(|| format!("gate {gate}"), |g| g.name.clone())
    }

    /// A notification's name, or its number.
    pub(crate) fn notification(&self, index: u32) -> String {
        self.notifications
            .get(index as usize)
            .cloned()
            .unwrap_or_else(|| format!("notification {index}"))
    }

    /// A component's name, or its number.
    pub(crate) fn component(&self, index: u32) -> String {
        self.components.get(index as usize).cloned().unwrap_or_else(|| format!("component {index}"))
    }
}
