//! A task whose jobs a busy window of a level contains.

use fusee_analysis::fixed_priority::window::Arrivals;
use fusee_model::TaskId;

/// A task at or above the level.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Member {
    pub(crate) task: TaskId,
    pub(crate) arrivals: Arrivals,
    /// Execution of one job.
    pub(crate) execution: u64,
    /// Kernel time of one job, apart from its release.
    pub(crate) kernel: u64,
    /// Waiting of one job for other cores.
    pub(crate) waiting: u64,
    /// Whether its budget may cut its jobs, so that any of them can be under way at any time.
    pub(crate) cut: bool,
}

impl Member {
    /// What one job takes of the core.
    pub(crate) fn total(&self) -> Option<u64> {
        self.execution.checked_add(self.kernel)?.checked_add(self.waiting)
    }
}
