//! Scheduling contexts: `_period` and `_budget` of a control thread.
//!
//! A scheduling context lets a thread run for its budget in each of its periods, both in
//! microseconds and 10 ms where nothing is said. It releases no jobs: a thread may loop for
//! ever in it. A budget as long as the period is no limit at all, but a turn among
//! equals. A task with Fusee's own `period` has jobs, and the limit holds for each; a thread
//! without has none, so nothing here could enforce it, and that is said.

use super::codes;
use super::read::Attributes;
use super::report::Report;
use fusee_diagnostics::Diagnostic;
use fusee_model::{Duration, Release, Sourced};

/// Both values where CAmkES is told nothing.
const DEFAULT: Duration = Duration(10_000_000);

/// The budget of each job that a scheduling context amounts to, if it limits anything.
pub(super) fn of_jobs(
    attributes: &Attributes<'_, '_>,
    release: &Option<Release>,
    report: &mut Report,
) -> Option<Sourced<Duration>> {
    let period = attributes.duration_or_microseconds("_period", report);
    let budget = attributes.duration_or_microseconds("_budget", report)?;
    match release {
        // The period of a task that an event releases may still be unknown.
        Some(Release { period, .. })
            if period.value == Duration::ZERO || budget.value < period.value =>
        {
            Some(budget)
        }
        Some(_) => None,
        None => {
            let period = period.map_or(DEFAULT, |given| given.value);
            if budget.value < period {
                not_enforced(budget, period, report);
            }
            None
        }
    }
}

fn not_enforced(budget: Sourced<Duration>, period: Duration, report: &mut Report) {
    let message = format!(
        "the limit of {} in each {period} is not enforced: this thread has no jobs",
        budget.value
    );
    let mut warning = Diagnostic::warning(codes::LIMIT, message);
    if let Some(span) = report.origins.span(budget.origin) {
        warning = warning.at(span, "seL4 would stop the thread at its end");
    }
    let note = "give the task a `period` of Fusee's, and the budget limits each job; or a priority \
                below all deadlines";
    report.push(warning.with_note(note));
}
