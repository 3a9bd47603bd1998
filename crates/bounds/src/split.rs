//! The tasks at, above and below a level of a core.

use fusee_analysis::supply::Supply;
use fusee_model::TaskId;

/// A level of a core, and the tasks that can be at, above and below it, in order.
#[derive(Debug, Clone)]
pub(crate) struct Split {
    pub(crate) core: u32,
    pub(crate) level: i16,
    pub(crate) members: Vec<TaskId>,
    pub(crate) below: Vec<TaskId>,
    /// Members whose jobs can be under way when the window starts, because they wait suspended.
    pub(crate) under_way: Vec<TaskId>,
    /// The task whose window it is, if it waits suspended.
    pub(crate) suspended: Option<TaskId>,
    /// The task whose window it is, if a scheduler dispatches it.
    pub(crate) dispatched: Option<TaskId>,
    /// The supply of the core to the window, before anything else takes its part.
    pub(crate) supply: Supply,
}

impl Split {
    /// Returns the split of windows that have all of the core and belong to no task in particular:
    /// all of their members are released in them.
    pub(crate) fn whole(
        (core, level): (u32, i16),
        members: Vec<TaskId>,
        below: Vec<TaskId>,
    ) -> Self {
        let (under_way, supply) = (Vec::new(), Supply::full());
        Self { core, level, members, below, under_way, suspended: None, dispatched: None, supply }
    }
}
