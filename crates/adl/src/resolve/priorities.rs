//! Has the priorities assigned that the description leaves out.

use super::codes;
use super::read::Attributes;
use super::report::Report;
use fusee_diagnostics::Diagnostic;
use fusee_model::priorities::{self, NoLevelLeft};
use fusee_model::{PriorityAssignment, System};

const ASSIGNMENTS: &[(&str, PriorityAssignment)] =
    &[("deadline_monotonic", PriorityAssignment::DeadlineMonotonic), ("audsley", PriorityAssignment::Audsley)];

/// Assigns deadline-monotonically; Audsley's assignment, which needs analysis, starts from that.
pub(super) fn assign(attributes: &Attributes<'_, '_>, system: &mut System, report: &mut Report) {
    let wanted = attributes.choice("priority_assignment", ASSIGNMENTS, report);
    system.priority_assignment = wanted.map_or(PriorityAssignment::default(), |given| given.value);
    if let Err(NoLevelLeft { task, levels }) = priorities::assign_deadline_monotonic(system) {
        let message =
            format!("there are {levels} priorities left for tasks that give none, and more different deadlines");
        let mut error = Diagnostic::error(codes::NO_PRIORITY_LEFT, message);
        if let Some(span) = report.origins.span(system.task(task).origin) {
            error = error.at(span, "the first task without one");
        }
        report.push(error.with_note("give some tasks equal deadlines, or priorities of their own"));
    }
}
