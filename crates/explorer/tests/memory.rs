//! Locks and looks between cores, in every order the machine may choose.

use fusee_explorer::memory::systems::{self, *};
use fusee_explorer::memory::{Report, System, Weakness, explore};
use fusee_kernel::Mutation::{self, *};
use fusee_testing::book::Page;

const PAGE: Page =
    Page { name: "book/src/cores.md", text: include_str!("../../../book/src/cores.md") };
const LIMIT: usize = 300_000;

/// Each weakness that matters, the system that shows it, and how many steps its shortest history
/// has.
const NEEDED: &[(Weakness, &str, &System, usize)] = &[
    (Weakness::PlainLoad, "who enters a lock does not acquire", &LOCK, 15),
    (Weakness::PlainStore, "who leaves a lock does not release", &LOCK, 14),
    (Weakness::NoFenceBeforeDevices, "no fence between a bit and its interrupt", &LOOK, 13),
    (Weakness::NoFenceAfterDevices, "no fence between a withdrawal and the bits", &LOOK, 15),
    (Weakness::NoAcquire, "who takes a bit does not acquire", &BITS, 16),
    (Weakness::NoRelease, "who sets a bit does not release", &BITS, 16),
];

/// Each defect seeded in the source, likewise.
const SEEDED: &[(Mutation, &System, usize)] = &[
    (PlainTicket, &LOCK, 10),
    (UntoldInterrupt, &LOOK, 13),
    (LateWithdrawal, &LOOK, 15),
    (ForgottenRest, &TWO_SENDERS, 28),
    (AllTaken, &TWO_SENDERS, 32),
];

fn found(what: &str, system: &System, report: &Report, steps: usize) {
    let Some(violation) = &report.violation else {
        panic!("{what}: not found in {} states of {}", report.states, system.name)
    };
    assert_eq!(violation.steps.len(), steps, "{what}: {violation:?}");
    PAGE.assert_has([format!("| {what} | {} | {} | {steps} |", violation.what, system.name)]);
}

#[test]
fn all_systems_hold_in_every_order() {
    let mut states = 0;
    for system in systems::GATES_ONLY.iter().chain(systems::MAILBOXES) {
        let report = explore(system, None, LIMIT);
        assert!(report.violation.is_none(), "{}: {:?}", system.name, report.violation);
        assert!(report.complete && report.ends > 0, "{}", system.name);
        let Report { depth, ends, .. } = report;
        PAGE.assert_has([format!("{:38} {:>9} {depth:>6} {ends:>6}", system.name, report.states)]);
        states += report.states;
    }
    PAGE.assert_has([format!("{:38} {states:>9}", "together")]);
}

#[test]
fn each_order_that_is_needed_is_missed() {
    for &(weakness, what, system, steps) in NEEDED {
        found(what, system, &explore(system, Some(weakness), LIMIT), steps);
    }
}

/// A bit of a gate that is set or taken need not be ordered with anything: the lock is.
#[test]
fn bits_of_gates_need_no_order_of_their_own() {
    for system in systems::GATES_ONLY {
        for weakness in [Weakness::NoAcquire, Weakness::NoRelease] {
            let report = explore(system, Some(weakness), LIMIT);
            assert!(report.complete && report.violation.is_none(), "{}: {report:?}", system.name);
        }
    }
}

#[test]
fn each_seeded_defect_is_found() {
    for defect in Mutation::of("exchange") {
        let what = defect.what();
        let of_it = SEEDED.iter().find(|(other, ..)| *other == defect);
        let &(_, system, steps) = of_it.unwrap_or_else(|| panic!("{what} is not sought"));
        found(what, system, &defect.during(|| explore(system, None, LIMIT)), steps);
    }
}

#[test]
fn each_wrong_use_is_found() {
    for (system, steps) in systems::WRONG.iter().zip([30, 19, 42]) {
        found(system.name, system, &explore(system, None, LIMIT), steps);
    }
}
