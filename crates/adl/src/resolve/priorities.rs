//! The policy of each core, and the priorities that the description leaves out.

use super::catalogue;
use super::codes;
use super::read::Attributes;
use super::report::Report;
use fusee_diagnostics::Diagnostic;
use fusee_model::priorities::{self, NoLevelLeft};
use fusee_model::{Policy, PriorityAssignment, System};

const ASSIGNMENTS: &[(&str, PriorityAssignment)] = &[
    ("deadline_monotonic", PriorityAssignment::DeadlineMonotonic),
    ("audsley", PriorityAssignment::Audsley),
];

/// Assigns deadline-monotonically; Audsley's assignment, which needs analysis, starts from that.
///
/// Deadlines need no levels: where they decide, it is no error that there are too few.
pub(super) fn assign(attributes: &Attributes<'_, '_>, system: &mut System, report: &mut Report) {
    system.settings.policy = attributes.choice("policy", Policy::WORDS, report);
    for name in attributes.given.keys() {
        let Some((core, _)) = catalogue::of_core(name) else { continue };
        if let Some(policy) = attributes.choice(name, Policy::WORDS, report) {
            system.settings.core_policies.insert(core, policy);
        }
    }
    let wanted = attributes.choice("priority_assignment", ASSIGNMENTS, report);
    system.settings.priority_assignment =
        wanted.map_or(PriorityAssignment::default(), |given| given.value);
    if let Err(NoLevelLeft { task, levels }) = priorities::assign_deadline_monotonic(system)
        && system.policies().contains(&Policy::FixedPriority)
    {
        let message = format!(
            "there are {levels} priorities left for tasks that give none, and more different \
             deadlines"
        );
        let mut error = Diagnostic::error(codes::NO_PRIORITY_LEFT, message);
        if let Some(span) = report.origins.span(system.task(task).origin) {
            error = error.at(span, "the first task without one");
        }
        report.push(error.with_note("give some tasks equal deadlines, or priorities of their own"));
    }
}
