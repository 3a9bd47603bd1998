//! Mutex words: right in every interleaving, and each defect found.

mod seeded;

use fusee_explorer::words::systems::{self, *};
use fusee_explorer::words::{Report, Rule, System, Weakness, explore};
use fusee_kernel::Mutation::{self, *};

use fusee_testing::book::Page;

use seeded::{Found, Outcome};

const PAGE: Page =
    Page { name: "book/src/locks.md", text: include_str!("../../../book/src/locks.md") };
const LIMIT: usize = 3_000_000;

/// Each defect of the kernel.
const SEEDED: &[Found<Mutation, System, Rule>] = &[
    (StrictUnlock, &THREE, Rule::Refusals, 6),
    (UnseenWord, &THREE, Rule::Owner, 4),
    (ClearedRecord, &RESTARTS, Rule::Owner, 11),
    (TopmostRecord, &FRAMES, Rule::Inside, 9),
    (TrustedOwner, &LIES, Rule::Inside, 5),
    (RestoredFloor, &TWO, Rule::Priorities, 13),
    (KeptRecord, &THREE, Rule::Contended, 7),
    (LowFloors, &FRAMES, Rule::Priorities, 9),
    (EarlyRecord, &TWO, Rule::Atomic, 5),
    (SilentDeath, &THREE, Rule::Died, 7),
    (EarlyOwner, &LIES, Rule::Inside, 11),
    (UnsortedChange, &CHANGES, Rule::Order, 11),
    (ShortSightedSearch, &TWO, Rule::Refusals, 10),
    (ShortSightedSearch, &LEFT, Rule::Circles, 10),
    (Unsettled, &THREE, Rule::Highest, 3),
    (StrictUnlock, &DUE, Rule::Refusals, 6),
    (KeptRecord, &DUE, Rule::Contended, 7),
    (Unsettled, &DUE, Rule::Highest, 3),
    (RestoredFloor, &DUE_TWO, Rule::Priorities, 21),
    (LowFloors, &FLOOR_INSIDE, Rule::Priorities, 9),
    (TopmostRecord, &FLOOR_INSIDE, Rule::Inside, 9),
    (OwnCeiling, &ORDERS, Rule::Bars, 5),
    (EqualEnters, &ORDERS, Rule::Bars, 4),
    (LowFloors, &UNCEILED, Rule::Priorities, 9),
];

/// The machine's errors, each with the system that shows it, the rule that finds it, and the length
/// of its shortest history there.
const WEAK: &[Found<Weakness, System, Rule>] = &[
    (Weakness::KeptReservation, &THREE, Rule::Owner, 10),
    (Weakness::KeptReservation, &CHANGES, Rule::Exclusion, 8),
    (Weakness::OldWord, &FOUR, Rule::Wakes, 14),
    (Weakness::DeafUnlock, &FOUR, Rule::Wakes, 8),
];

#[test]
fn all_systems_hold() {
    assert_hold(systems::ALL);
}

/// Holds the systems of a page's table, whose last row counts them.
fn assert_hold(systems: &[System]) {
    let (mut rows, mut all) = (Vec::new(), 0);
    for system in systems {
        let report = explore(system, None, LIMIT);
        if let Some(violation) = &report.violation {
            panic!("{}", violation.history(system, None));
        }
        assert!(report.complete, "{}", system.name);
        let Report { states, steps, depth, contended, .. } = report;
        let name = system.name;
        rows.push(format!("{name:38} {states:>8} {steps:>8} {depth:>6} {contended:>9}"));
        all += states;
    }
    rows.push(format!("{:38} {all:>8}", "together"));
    PAGE.assert_has(rows);
}

#[test]
fn systems_by_deadline_hold() {
    assert_hold(systems::BY_DEADLINE);
}

#[test]
fn systems_with_ceilings_hold() {
    assert_hold(systems::BY_CEILING);
}

#[test]
fn each_defect_is_found_by_its_rule() {
    seeded::assert_found(
        SEEDED,
        PAGE,
        |defect| defect.what().to_owned(),
        |defect, system| {
            let Report { states, violation, .. } = defect.during(|| explore(system, None, LIMIT));
            Outcome::of(system.name, states, violation, |found| found.history(system, None))
        },
    );
}

#[test]
fn what_a_weak_machine_does_is_found() {
    seeded::assert_found(
        WEAK,
        PAGE,
        |weakness| weakness.what().to_owned(),
        |weakness, system| {
            let weak = Some(weakness);
            let Report { states, violation, .. } = explore(system, weak, LIMIT);
            Outcome::of(system.name, states, violation, |found| found.history(system, weak))
        },
    );
}

#[test]
fn each_seeded_defect_is_sought() {
    seeded::assert_sought(Mutation::of("adopt"), SEEDED);
    seeded::assert_sought(Weakness::ALL.iter().copied(), WEAK);
}

/// A rule that nothing can break says nothing.
#[test]
fn each_rule_finds_a_defect_and_is_in_the_book() {
    for rule in Rule::ALL {
        let seeded = SEEDED.iter().any(|(.., other, _)| other == rule);
        let weak = WEAK.iter().any(|(.., other, _)| other == rule);
        assert!(seeded || weak, "{rule} finds a defect");
    }
    seeded::assert_rules(Rule::ALL, PAGE);
}
