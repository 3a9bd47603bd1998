//! Each seeded defect is found by the rule that it breaks.

mod seeded;

use std::collections::HashMap;
use std::path::Path;

use fusee_explorer::systems::*;
use fusee_explorer::systems::{ceilings, deadlines};
use fusee_explorer::{Report, Rule, System, explore};
use fusee_kernel::Mutation::{self, *};

use fusee_testing::book::Page;

use seeded::{Found, Outcome};

const PAGE: Page =
    Page { name: "book/src/kernel.md", text: include_str!("../../../book/src/kernel.md") };

const FOUND: &[Found<Mutation, System, Rule>] = &[
    (FreeLender, &LENDERS, Rule::Budgets, 7),
    (LastLends, &LENDERS, Rule::Payers, 8),
    (ForgottenDebt, &LENDERS, Rule::Debts, 7),
    (ToldForever, &BUDGETS, Rule::Timer, 3),
    (LateOverrun, &BUDGETS, Rule::Timer, 3),
    (StaleBudget, &LENDERS, Rule::Budgets, 3),
    (LivingDead, &MUTEXES, Rule::Fates, 2),
    (MutexSurvives, &MUTEXES, Rule::Jobs, 3),
    (NeverRestored, &TIMES, Rule::Told, 5),
    (Unpunished, &TIMES, Rule::Fates, 2),
    (LastInFirstOut, &LENDERS, Rule::Waiters, 7),
    (LowCeiling, &MIXED, Rule::Priorities, 2),
    (ShortSightedSearch, &CIRCLES, Rule::Refusals, 6),
    (ExhaustedHolder, &BUDGETS, Rule::Payers, 5),
    (ShortChain, &CIRCLES, Rule::Refusals, 11),
    (GoneCallee, &FAULTS, Rule::Told, 4),
    (GoneHolder, &FAULTS, Rule::Refusals, 7),
    (HomeCapabilities, &NESTED, Rule::Refusals, 3),
    (Unsettled, &NESTED, Rule::Highest, 3),
    (Unpromised, &NESTED, Rule::Told, 2),
    (BlindTimer, &LENDERS, Rule::Timer, 1),
    (AheadOfEquals, &NOTIFICATIONS, Rule::Waiters, 4),
    (UnsortedChange, &PRIORITIES, Rule::Waiters, 8),
    (LostTail, &PRIORITIES, Rule::Queues, 4),
    (LostStacks, &MUTEXES, Rule::Stacks, 3),
    (SameEpoch, &MUTEXES, Rule::Fates, 5),
    (MergedCounts, &SIGNALS, Rule::Told, 5),
    (OverwrittenBits, &SIGNALS, Rule::Signals, 3),
    (EmptiedCount, &SIGNALS, Rule::Told, 3),
    (OverfullCount, &SIGNALS, Rule::Refusals, 2),
    (PreemptedSignaller, &NOTIFICATIONS, Rule::Equals, 6),
    (GoneWaiter, &GONE, Rule::Told, 6),
    (ShallowBoost, &NESTED, Rule::Priorities, 7),
    (LowFloors, &NESTED, Rule::Priorities, 5),
    (BoostedBehind, &PRIORITIES, Rule::Equals, 4),
    (StaleLender, &LENDERS, Rule::Payers, 9),
    (ReleasedInFront, &EQUALS, Rule::Equals, 3),
    (LowTop, &LENDERS, Rule::Highest, 3),
    (EndlessSlice, &EQUALS, Rule::Timer, 1),
    (UnusedSlice, &EQUALS, Rule::Slices, 3),
    (Drift, &TIMES, Rule::Calendar, 4),
    (HastyMiss, &TIMES, Rule::Misses, 3),
    (CloseArrivals, &TIMES, Rule::Separation, 7),
    (UsedSlice, &EQUALS, Rule::Slices, 4),
    (ActualArrival, &TIMES, Rule::Responses, 4),
    (LostHandOff, &CIRCLES, Rule::Invocations, 5),
    (SavedPriority, &CIRCLES, Rule::Priorities, 6),
    (LeakedGate, &FAULTS, Rule::Holders, 3),
    (KeptCore, &MIXED, Rule::Highest, 4),
    (GoneCaller, &FAULTS, Rule::Told, 8),
    (ReturnedBehind, &NOTIFICATIONS, Rule::Equals, 6),
    (NestedBehind, &CIRCLES, Rule::Equals, 7),
    (PreemptedBehind, &NOTIFICATIONS, Rule::Equals, 3),
    (EqualPreempts, &EQUALS, Rule::Equals, 2),
    (HalfRestored, &FAULTS, Rule::Told, 3),
    (ToldTwice, &NESTED, Rule::Told, 2),
    (SpentYield, &LENDERS, Rule::Slices, 4),
    (EarlyDepth, &NESTED, Rule::Refusals, 4),
    (OldValue, &SIGNALS, Rule::Told, 2),
    (LastTick, &LENDERS, Rule::Payers, 1),
    (RightFirst, &TIMES, Rule::Calendar, 8),
    (UnplayedRoot, &CLOCK, Rule::Calendar, 2),
    (OwnCeiling, &ceilings::ORDERS, Rule::Told, 5),
    (EqualEnters, &ceilings::ORDERS, Rule::Told, 4),
    (EffectiveAsks, &ceilings::OUTSIDE, Rule::Told, 7),
    (FirstOnly, &ceilings::ORDERS, Rule::Jobs, 7),
    (HeirFirst, &ceilings::APART, Rule::Blockings, 7),
    (HeirBars, &ceilings::APART, Rule::Jobs, 7),
    (LastLeads, &deadlines::INHERITED, Rule::Queues, 4),
    (LateFloor, &deadlines::FLOORS, Rule::Priorities, 2),
    (NowIsNoTop, &deadlines::FLOORS, Rule::Priorities, 2),
    (FrontIsLast, &deadlines::SLICES, Rule::Equals, 9),
    (RotatedInside, &deadlines::SLICES, Rule::Equals, 4),
];

/// The modules that cannot be wrong in a step: data, checks before the start, and functions for
/// tests and analyses only.
const DECIDE_NOTHING: [&str; 18] = [
    "ceiling_stack",
    "coded",
    "error",
    "index",
    "invariants",
    "layout",
    "lib",
    "link",
    "mutation",
    "next",
    "policy",
    "ready",
    "store",
    "tables",
    "trace",
    "urgency",
    "word",
    "word_tables",
];

#[test]
fn each_defect_is_found_by_its_rule() {
    let label = |defect: Mutation| format!("{} | {}", defect.module(), defect.what());
    seeded::assert_found(FOUND, PAGE, label, |defect, system| {
        let Report { states, violation, .. } = defect.during(|| explore(system, 1_000_000));
        Outcome::of(system.name, states, violation, |found| found.history(system).to_string())
    });
}

/// Those of several cores are sought in `cores_mutations.rs` and `memory.rs`, those of temporal
/// capabilities in `tcaps_mutations.rs`, those of mutex words in `words.rs`, of sleepers in
/// `services.rs`, and those of funded threads in `trees_mutations.rs`.
#[test]
fn each_module_has_two_defects_or_more() {
    let mut of_modules = HashMap::<&str, usize>::new();
    let is_sought_elsewhere = |module| {
        ["adopt", "cores", "depend", "exchange", "funding", "tcaps", "trees"].contains(&module)
    };
    let here = |defect: &Mutation| !is_sought_elsewhere(defect.module());
    seeded::assert_sought(Mutation::ALL.iter().copied().filter(here), FOUND);
    for defect in Mutation::ALL {
        *of_modules.entry(defect.module()).or_default() += 1;
    }
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernel/src");
    for file in std::fs::read_dir(source).expect("the kernel's source") {
        let file = file.expect("a file").path();
        let module = file.file_stem().and_then(|name| name.to_str()).expect("a name");
        let least = if DECIDE_NOTHING.contains(&module) { 0 } else { 2 };
        assert!(
            of_modules.get(module).copied().unwrap_or(0) >= least,
            "{module} has two seeded defects"
        );
    }
}

/// Those of all kernels, each in a table of the page about it.
#[test]
fn the_book_lists_each_defect() {
    let pages = [
        PAGE.text,
        include_str!("../../../book/src/cores.md"),
        include_str!("../../../book/src/policies.md"),
        include_str!("../../../book/src/time.md"),
        include_str!("../../../book/src/locks.md"),
    ];
    assert!(Mutation::ALL.len() > 200, "more than two hundred");
    for defect in Mutation::ALL {
        let cell = format!("| {} |", defect.what());
        assert!(pages.iter().any(|page| page.contains(&cell)), "{defect:?} is in the book");
    }
}

#[test]
fn the_book_has_each_rule() {
    seeded::assert_rules(Rule::ALL, PAGE);
}
