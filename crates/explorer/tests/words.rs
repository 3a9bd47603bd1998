//! Mutex words: right in every interleaving, and each defect found.

mod seeded;

use fusee_explorer::words::systems::{self, *};
use fusee_explorer::words::{Report, Rule, System, Weakness, explore};
use fusee_kernel::Mutation::{self, *};

use seeded::{Found, Page};

const BOOK: &str = include_str!("../../../book/src/locks.md");
const PAGE: Page = Page { name: "book/src/locks.md", text: BOOK };
const LIMIT: usize = 3_000_000;

/// Each defect of the kernel.
const SEEDED: &[Found<System, Rule>] = &[
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
];

/// What the machine may do wrong, the system that shows it, the rule that finds it, and how many
/// steps its shortest history has there.
const WEAK: &[(Weakness, &System, Rule, usize)] = &[
    (Weakness::KeptReservation, &THREE, Rule::Owner, 10),
    (Weakness::KeptReservation, &CHANGES, Rule::Exclusion, 8),
    (Weakness::OldWord, &FOUR, Rule::Wakes, 14),
    (Weakness::DeafUnlock, &FOUR, Rule::Wakes, 8),
];

fn not_in_book(row: String) -> Option<String> {
    (!BOOK.contains(&row)).then(|| format!("not so in book/src/locks.md: {row}"))
}

#[test]
fn all_systems_hold() {
    let (mut wrong, mut all) = (Vec::new(), 0);
    for system in systems::ALL {
        let report = explore(system, None, LIMIT);
        if let Some(violation) = &report.violation {
            panic!("{}", violation.history(system, None));
        }
        assert!(report.complete, "{}", system.name);
        let Report { states, steps, depth, contended, .. } = report;
        let name = system.name;
        wrong.extend(not_in_book(format!(
            "{name:38} {states:>8} {steps:>8} {depth:>6} {contended:>9}"
        )));
        all += states;
    }
    wrong.extend(not_in_book(format!("{:38} {all:>8}", "together")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_defect_is_found_by_its_rule() {
    let explore = |system: &System| {
        let Report { states, violation, .. } = explore(system, None, LIMIT);
        let violation = violation.ok_or(states)?;
        let history = violation.history(system, None);
        Ok((violation.breach.rule, violation.steps.len(), history))
    };
    seeded::assert_found(SEEDED, PAGE, explore, |&(_, system, rule, steps), (_, what)| {
        format!("| {what} | {rule} | {} | {steps} |", system.name)
    });
}

#[test]
fn what_a_weak_machine_does_is_found() {
    let mut wrong = Vec::new();
    for &(weakness, system, rule, steps) in WEAK {
        let what = weakness.what();
        let report = explore(system, Some(weakness), LIMIT);
        let Some(violation) = report.violation else {
            wrong.push(format!("{what}: not found in {} states", report.states));
            continue;
        };
        println!("{what}\n{}", violation.history(system, Some(weakness)));
        let found = (violation.breach.rule, violation.steps.len());
        if found != (rule, steps) {
            wrong.push(format!("{what}: found by {found:?}"));
        }
        wrong.extend(not_in_book(format!("| {what} | {rule} | {} | {steps} |", system.name)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_seeded_defect_is_sought() {
    for (defect, ..) in Mutation::ALL.iter().filter(|(_, module, _)| *module == "adopt") {
        assert!(SEEDED.iter().any(|(other, ..)| other == defect), "{defect:?} is sought");
    }
    for weakness in Weakness::ALL {
        assert!(WEAK.iter().any(|(other, ..)| other == weakness), "{weakness:?} is sought");
    }
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
