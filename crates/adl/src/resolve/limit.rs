//! Scheduling contexts: `_period` and `_budget` of a control thread.
//!
//! A scheduling context lets a thread run for its budget in each of its periods, both in
//! microseconds and 10 ms where nothing is said. It releases no jobs: a thread may loop for
//! ever in it. A budget as long as the period is no limit at all, but a turn among
//! equals, and a longer one is none that seL4 takes. A task with Fusee's own `period` has jobs,
//! and the limit holds for each; a thread without has none, so nothing here could enforce it, and
//! that is said.

use super::codes;
use super::read::Attributes;
use super::report::Report;
use super::value::Datum;
use fusee_diagnostics::{Diagnostic, Severity};
use fusee_model::{Duration, Release, Sourced};

/// Both values where CAmkES is told nothing.
pub(super) const DEFAULT: Duration = Duration(10_000_000);

/// Returns the budget of each job that a scheduling context amounts to, if it limits anything.
pub(super) fn of_jobs(
    attributes: &Attributes<'_, '_>,
    release: &Option<Release>,
    report: &mut Report,
) -> Option<Sourced<Duration>> {
    let period = attributes.duration_or_microseconds("_period", report);
    let Some(budget) = attributes.duration_or_microseconds("_budget", report) else {
        if let Some(period) = period.filter(|period| period.value > DEFAULT) {
            by_default(period, report);
        }
        return None;
    };
    match release {
        // The period of a task that an event releases may still be unknown.
        Some(Release { period, .. })
            if period.value == Duration::ZERO || budget.value < period.value =>
        {
            Some(budget)
        }
        Some(_) => None,
        None => {
            if budget.value < period.map_or(DEFAULT, |given| given.value) {
                not_enforced(budget, period, report);
            }
            None
        }
    }
}

fn not_enforced(budget: Sourced<Duration>, period: Option<Sourced<Duration>>, report: &mut Report) {
    let message = format!(
        "the limit of {} in each {} is not enforced: this thread has no jobs",
        budget.value,
        period.map_or(DEFAULT, |given| given.value)
    );
    let mut warning = Diagnostic::warning(codes::LIMIT, message);
    if let Some(span) = report.origins.span(budget.origin) {
        warning = warning.at(span, "seL4 would stop the thread at its end");
    }
    if let Some(span) = period.and_then(|given| report.origins.span(given.origin)) {
        warning = warning.because(span, "in each of these");
    }
    let note = "give the task a `period` of Fusee's, and the budget limits each job; or a priority \
                below all deadlines";
    report.push(warning.with_note(note));
}

/// A period alone is a limit on seL4, for there is a budget where nothing is said.
fn by_default(period: Sourced<Duration>, report: &mut Report) {
    let message = format!("the limit of {DEFAULT} in each {} is not enforced", period.value);
    let mut warning = Diagnostic::warning(codes::LIMIT, message);
    if let Some(span) = report.origins.span(period.origin) {
        warning = warning.at(span, "and no `_budget`, which on seL4 is 10 ms then");
    }
    report.push(warning.with_note("say the budget as well: `_budget`, in microseconds"));
}

/// Reports a scheduling context that no kernel has: more budget than period. `prefix` is that of a
/// thread's attributes: empty for all of a component, `_` for the control thread, or an interface's
/// name with `_`.
pub(super) fn check(attributes: &Attributes<'_, '_>, prefix: &str, report: &mut Report) {
    let (long, short) = (format!("{prefix}budget"), format!("{prefix}period"));
    let looking = attributes.looking();
    let read = |name: &str| {
        let given = looking.get(name)?;
        // A time with a unit is Fusee's.
        let camkes = matches!(given.value.datum, Datum::Integer(_));
        // Whatever else is wrong with a value is said where it is used.
        let value =
            looking.duration_or_microseconds(name, &mut Report::default()).map(|given| given.value);
        value.filter(|_| camkes || !prefix.is_empty()).map(|value| (value, given.value.span))
    };
    let (budget, period) = (read(&long), read(&short));
    let value = |given: Option<(Duration, _)>| given.map_or(DEFAULT, |(value, _)| value);
    if value(budget) <= value(period) {
        return;
    }
    let severity =
        if budget.is_some() && period.is_some() { Severity::Error } else { Severity::Warning };
    let said = |name: &str, given: Option<(Duration, _)>| match given {
        Some((value, _)) => format!("`{name}` is {value}"),
        None => format!("`{name}` is {DEFAULT} where nothing is said"),
    };
    let message = format!("{}, and {}", said(&long, budget), said(&short, period));
    let mut diagnostic = Diagnostic::new(codes::BUDGET_ABOVE_PERIOD, severity, message);
    let places = [budget, period].into_iter().flatten();
    for (at, (_, span)) in places.enumerate() {
        diagnostic = if at == 0 {
            diagnostic.at(span, "seL4 refuses more budget than period")
        } else {
            diagnostic.because(span, "the period")
        };
    }
    report.push(diagnostic.with_note("as long as the period is no limit; a shorter one is"));
}
