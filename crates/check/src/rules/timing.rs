//! Timing that is missing or contradicts itself.

pub(crate) mod budget_above_period;
pub(crate) mod budget_below_demand;
pub(crate) mod budget_without_period;
pub(crate) mod deadline_above_period;
pub(crate) mod demand_above_deadline;
pub(crate) mod demand_above_period;
pub(crate) mod jitter_above_period;
pub(crate) mod jitter_leaves_no_time;
pub(crate) mod method_without_wcet;
pub(crate) mod offset_above_period;
pub(crate) mod task_without_wcet;
pub(crate) mod utilisation;

use fusee_model::Task;

use crate::finding::Finding;

/// Points at what says how long a task's own part runs.
fn because_of_wcet(finding: Finding, task: &Task, text: String) -> Finding {
    match task.body.wcet_origin {
        Some(origin) => finding.because(origin, text),
        None => finding,
    }
}
