//! The trap flow on the machine on paper.
//!
//! All its states are right, and each seeded defect of the flow is found by the rule that it
//! breaks.

mod seeded;

use fusee_explorer::machine::systems::{ALL, FAULTS, TIMES, WAITS};
use fusee_explorer::machine::{Report, explore};
use fusee_explorer::{Rule, System};
use fusee_testing::book::Page;
use fusee_trap_flow::Defect::{self, *};
use seeded::{Found, Outcome};

const PAGE: Page =
    Page { name: "book/src/kernel.md", text: include_str!("../../../book/src/kernel.md") };

const FOUND: &[Found<Defect, System, Rule>] = &[
    (UnsettledWait, &WAITS, Rule::Highest, 4),
    (UnsettledSignal, &TIMES, Rule::Highest, 5),
    (StaleFault, &FAULTS, Rule::Told, 7),
    (LostInterrupt, &TIMES, Rule::Registers, 1),
    (UnarmedWake, &TIMES, Rule::Timer, 4),
    (UnarmedTimer, &TIMES, Rule::Timer, 1),
    (LostFailure, &FAULTS, Rule::Registers, 3),
    (HalfRestored, &FAULTS, Rule::Registers, 4),
    (OwnWords, &WAITS, Rule::Registers, 5),
    (UnsettledReturn, &WAITS, Rule::Registers, 8),
    (LostReturn, &WAITS, Rule::Registers, 6),
];

#[test]
fn each_defect_is_found_by_its_rule() {
    seeded::assert_sought(Defect::ALL.iter().copied(), FOUND);
    let label = |defect: Defect| format!("{} | {}", defect.module(), defect.what());
    seeded::assert_found(FOUND, PAGE, label, |defect, system| {
        let Report { states, violation, .. } = defect.during(|| explore(system, 1_000_000));
        Outcome::of(system.name, states, violation, |found| found.traps(system).to_string())
    });
}

#[test]
fn the_book_has_the_rules_that_find_them() {
    let rules: Vec<Rule> = FOUND.iter().map(|&(_, _, rule, _)| rule).collect();
    seeded::assert_rules(&rules, PAGE);
}

#[test]
fn every_state_of_the_machine_is_right() {
    for system in ALL {
        assert!(system.tables.threads.len() <= 4);
        let report = explore(system, 1_000_000);
        let told = report.violation.as_ref().map(|found| found.traps(system).to_string());
        assert!(report.complete, "{}", told.unwrap_or_default());
        let Report { states, steps, refused, depth, .. } = report;
        let row = format!("{:38} {states:>9} {steps:>10} {refused:>10} {depth:>6}", system.name);
        PAGE.assert_has([row]);
    }
}
