//! Sleeping and waking: right in every interleaving, each defect found.

mod seeded;

use fusee_explorer::services::systems::{self, *};
use fusee_explorer::services::{Report, Rule, System, explore};
use fusee_kernel::Mutation::{self, *};

use fusee_testing::book::Page;

use seeded::{Found, Outcome};

const PAGE: Page =
    Page { name: "book/src/locks.md", text: include_str!("../../../book/src/locks.md") };
const LIMIT: usize = 3_000_000;

/// Each defect of the kernel, the system that shows it, the rule that finds it, and how many steps
/// its shortest history has there.
const SEEDED: &[Found<Mutation, System, Rule>] = &[
    (KeptWake, &THREE, Rule::Refusals, 4),
    (AnyTarget, &THREE, Rule::Sleepers, 2),
    (TopmostDependency, &BEHIND, Rule::Refusals, 6),
    (WakesAnywhere, &TWO, Rule::Sleepers, 6),
    (ForgottenWake, &THREE, Rule::Refusals, 3),
    (KeptDependency, &THREE, Rule::Dependencies, 4),
    (EarlyDependency, &THREE, Rule::Atomic, 2),
    (KeptInheritance, &THREE, Rule::Priorities, 4),
    (ForgottenSleepers, &RESTARTS, Rule::Sleepers, 6),
    (SilentEnd, &THREE, Rule::Sleepers, 4),
    (UnrevivedTarget, &BUDGETS, Rule::Payers, 5),
    (WokenLender, &BUDGETS, Rule::Payers, 6),
    (OldValue, &THREE, Rule::Told, 2),
    (ShortSightedSearch, &THREE, Rule::Refusals, 4),
    (Unsettled, &THREE, Rule::Highest, 3),
    (KeptInheritance, &DUE, Rule::Priorities, 4),
    (SilentEnd, &DUE, Rule::Sleepers, 4),
    (KeptDependency, &FLOORED, Rule::Dependencies, 4),
    (KeptInheritance, &CEILED, Rule::Priorities, 4),
    (TopmostDependency, &CEILED, Rule::Refusals, 5),
];

#[test]
fn all_systems_hold() {
    assert_hold(systems::ALL);
}

#[test]
fn systems_by_deadline_hold() {
    assert_hold(systems::BY_DEADLINE);
}

#[test]
fn systems_with_ceilings_hold() {
    assert_hold(systems::BY_CEILING);
}

/// Holds the systems of a page's table, whose last row counts them.
fn assert_hold(systems: &[System]) {
    let (mut rows, mut all) = (Vec::new(), 0);
    for system in systems {
        let report = explore(system, LIMIT);
        if let Some(violation) = &report.violation {
            panic!("{}", violation.history(system));
        }
        assert!(report.complete, "{}", system.name);
        let Report { states, steps, depth, asleep, .. } = report;
        let name = system.name;
        rows.push(format!("{name:38} {states:>8} {steps:>8} {depth:>6} {asleep:>9}"));
        all += states;
    }
    rows.push(format!("{:38} {all:>8}", "together"));
    PAGE.assert_has(rows);
}

#[test]
fn each_defect_is_found_by_its_rule() {
    seeded::assert_found(
        SEEDED,
        PAGE,
        |defect| defect.what().to_owned(),
        |defect, system| {
            let Report { states, violation, .. } = defect.during(|| explore(system, LIMIT));
            Outcome::of(system.name, states, violation, |found| found.history(system))
        },
    );
}

#[test]
fn each_seeded_defect_is_sought() {
    seeded::assert_sought(Mutation::of("depend"), SEEDED);
}

/// A rule that nothing can break says nothing.
#[test]
fn each_rule_finds_a_defect_and_is_in_the_book() {
    for rule in Rule::ALL {
        assert!(SEEDED.iter().any(|(.., other, _)| other == rule), "{rule} finds a defect");
    }
    seeded::assert_rules(Rule::ALL, PAGE);
}
