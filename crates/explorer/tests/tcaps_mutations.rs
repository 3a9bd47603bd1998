//! Each defect seeded in temporal capabilities is found by its rule.

mod seeded;

use fusee_explorer::tcaps::systems::*;
use fusee_explorer::tcaps::{Report, Rule, System, explore};
use fusee_kernel::Mutation::{self, *};

use fusee_testing::book::Page;

use seeded::{Found, Outcome};

const PAGE: Page =
    Page { name: "book/src/time.md", text: include_str!("../../../book/src/time.md") };

const FOUND: &[Found<Mutation, System, Rule>] = &[
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
    (SchedulersLevel, &LEVELS, Rule::Highest, 5),
    (RepeatedEvent, &CHILD, Rule::Told, 3),
    (LostWakeUp, &CHILD, Rule::Told, 1),
    (NoParent, &LATE, Rule::Chronos, 3),
    (KeptTaint, &CHILD, Rule::Declassified, 2),
    (BehindItsTree, &THREADS, Rule::Control, 4),
    (BehindSiblings, &SLOTS, Rule::Control, 9),
    (HeirBeforeTimeout, &SLOTS, Rule::Expiry, 4),
    (EndlessSlot, &SLOTS, Rule::Control, 1),
    (KeptBesides, &SLOTS, Rule::Refusals, 2),
    (AlarmPreempts, &CHILD, Rule::Preempts, 1),
    (ForgottenTimeout, &CHILD, Rule::Control, 2),
    (StaleTimeout, &CHILD, Rule::Timer, 2),
    (PreemptedTimeout, &CHILD, Rule::Timer, 4),
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
    (DispatchedLast, &SLOTS, Rule::Highest, 9),
    (SlotLast, &SLOTS, Rule::Highest, 7),
    (YieldedLast, &SLOTS, Rule::Highest, 6),
    (SilentPlace, &CHILD, Rule::Told, 6),
    (SilentStop, &CHILD, Rule::Told, 5),
];

#[test]
fn each_defect_is_found_by_its_rule() {
    seeded::assert_found(
        FOUND,
        PAGE,
        |defect| defect.what().to_owned(),
        |defect, system| {
            let Report { states, violation, .. } = defect.during(|| explore(system, 1_000_000));
            Outcome::of(system.name, states, violation, |found| found.history(system).to_string())
        },
    );
}

#[test]
fn each_seeded_defect_is_sought() {
    seeded::assert_sought(Mutation::of("tcaps"), FOUND);
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
    seeded::assert_rules(Rule::ALL, PAGE);
}
