//! Each defect seeded in temporal capabilities is found by its rule.

use fusee_explorer::tcaps::systems::*;
use fusee_explorer::tcaps::{Rule, System, explore};
use fusee_kernel::Mutation::{self, *};

const BOOK: &str = include_str!("../../../book/src/time.md");

/// Each defect, the system that shows it, the rule that finds it, and how many steps its shortest
/// history has there.
const FOUND: &[(Mutation, &System, Rule, usize)] = &[
    (CutChain, &CHILD, Rule::Highest, 1),
    (Overwritten, &SIBLINGS, Rule::NoGain, 2),
    (AnyAgrees, &BACK, Rule::Preempts, 3),
    (ForgivenDebt, &LATE, Rule::Conservation, 4),
    (LaunderedDispatch, &LEVELS, Rule::Preempts, 5),
    (LaunderedAgain, &LEVELS, Rule::Merges, 2),
    (LaunderedOwn, &BACK, Rule::Supply, 2),
    (EmptyPreempts, &CHILD, Rule::Preempts, 1),
    (TimeoutOnly, &CHILD, Rule::Timer, 1),
    (LatestCycles, &CHILD, Rule::Told, 5),
    (LastingPriority, &LEVELS, Rule::Transient, 4),
    (SchedulersLevel, &LEVELS, Rule::Highest, 4),
    (RepeatedEvent, &CHILD, Rule::Told, 3),
    (LostWakeUp, &CHILD, Rule::Told, 1),
    (NoParent, &CHILD, Rule::Chronos, 3),
    (KeptTaint, &CHILD, Rule::Declassified, 2),
    (PreemptedTimeout, &CHILD, Rule::Timer, 7),
    (StoppedPreempted, &CHILD, Rule::Control, 2),
    (ChangedByRefusal, &CHILD, Rule::Atomic, 2),
    (Replaced, &CHILD, Rule::Arrives, 2),
    (SilentFault, &CHILD, Rule::Control, 2),
    (DeadHeir, &CHILD, Rule::Expiry, 8),
    (SkippedScheduler, &LEVELS, Rule::Expiry, 5),
    (PastTimeout, &CHILD, Rule::Refusals, 3),
    (UsedToken, &CHILD, Rule::Tokens, 3),
    (UnwrappedToken, &CHILD, Rule::Tokens, 5),
    (KeptPending, &CHILD, Rule::Sends, 1),
    (WakesAnyway, &CHILD, Rule::Preempts, 8),
    (PlainQuality, &LEVELS, Rule::Preempts, 5),
    (Clamped, &CHILD, Rule::Arrives, 3),
    (Hoarded, &CHILD, Rule::Limits, 3),
    (WorsenedOwn, &BACK, Rule::Own, 3),
    (UnpaidDebt, &LATE, Rule::Debts, 5),
    (Doubled, &THREADS, Rule::Interference, 1),
    (LoneGiver, &SIBLINGS, Rule::Taints, 2),
    (Forfeited, &CHILD, Rule::Irrevocable, 4),
    (CleanWait, &SIBLINGS, Rule::Worsens, 2),
    (Unrooted, &TWO, Rule::Rooted, 1),
    (OverwrittenSource, &CHILD, Rule::Source, 1),
    (OldestFirst, &CHILD, Rule::Expiry, 2),
    (KeptGiven, &CHILD, Rule::Declassified, 4),
];

#[test]
fn each_defect_is_found_by_its_rule() {
    let mut wrong = Vec::new();
    for &(defect, system, rule, steps) in FOUND {
        let of_it = |other: &&(Mutation, &str, &'static str)| other.0 == defect;
        let (.., what) = Mutation::ALL.iter().find(of_it).expect("a defect");
        let report = defect.during(|| explore(system, 1_000_000));
        let Some(violation) = report.violation else {
            wrong.push(format!("{what}: not found in {} states", report.states));
            continue;
        };
        println!("{what}\n{}", defect.during(|| violation.history(system)));
        let found = (violation.breach.rule, violation.steps.len());
        if found != (rule, steps) {
            wrong.push(format!("{defect:?}: found by {found:?}"));
        }
        let row = format!("| {what} | {rule} | {} | {steps} |", system.name);
        if !BOOK.contains(&row) {
            wrong.push(format!("not so in book/src/time.md: {row}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_seeded_defect_is_sought() {
    for (defect, ..) in Mutation::ALL.iter().filter(|(_, module, _)| *module == "tcaps") {
        assert!(FOUND.iter().any(|(other, ..)| other == defect), "{defect:?} is sought");
    }
}

/// A rule that nothing can break says nothing.
#[test]
fn each_rule_finds_a_defect() {
    for rule in Rule::ALL {
        assert!(FOUND.iter().any(|(.., other, _)| other == rule), "{rule} finds a defect");
    }
}

#[test]
fn the_book_has_each_rule() {
    for rule in Rule::ALL {
        assert!(BOOK.contains(&format!("| {rule} | ")), "{rule} is in the book's table of rules");
    }
}
