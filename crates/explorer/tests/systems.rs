//! All systems, completely; the numbers of states go to the output.

use fusee_explorer::{System, explore, systems};

const LIMIT: usize = 2_000_000;

fn holds(system: &System) {
    let report = explore(system, LIMIT);
    if let Some(violation) = &report.violation {
        panic!("{}", violation.history(system));
    }
    assert!(report.complete, "{}: more than {LIMIT} states", system.name);
    println!("{}: {} states, {} steps, {} refused", system.name, report.states, report.steps, report.refused);
    assert!(report.refused > 0 && report.depth > 10, "the search has hardly begun: {report:?}");
}

#[test]
fn nested_inheritance() {
    holds(&systems::NESTED);
}

#[test]
fn all_protocols_mixed() {
    holds(&systems::MIXED);
}

#[test]
fn equal_priorities_in_time_slices() {
    holds(&systems::EQUALS);
}

#[test]
fn components_that_die_and_restart() {
    holds(&systems::FAULTS);
}

#[test]
fn budgets_that_end_anywhere() {
    holds(&systems::BUDGETS);
}

#[test]
fn notifications_inside_gates() {
    holds(&systems::NOTIFICATIONS);
}

#[test]
fn base_priorities_that_change() {
    holds(&systems::PRIORITIES);
}

#[test]
fn periodic_and_early_sporadic_releases() {
    holds(&systems::CLOCK);
}
