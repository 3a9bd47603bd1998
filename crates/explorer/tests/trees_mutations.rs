//! Each defect seeded between a kernel and its schedulers is found by its rule.

mod seeded;

use fusee_explorer::trees::systems::*;
use fusee_explorer::trees::{Report, Rule, System, explore};
use fusee_kernel::Mutation::{self, *};

use fusee_testing::book::Page;

use seeded::{Found, Outcome};

const PAGE: Page =
    Page { name: "book/src/time.md", text: include_str!("../../../book/src/time.md") };

const FOUND: &[Found<Mutation, System, Rule>] = &[
    (Unwithheld, &TASKS, Rule::Able, 1),
    (UsedTwice, &TASKS, Rule::Told, 5),
    (StillRuns, &TASKS, Rule::Able, 2),
    (UnpaidHelp, &LENDING, Rule::Charges, 12),
    (UnlentGrant, &LENDING, Rule::Able, 14),
    (KeptLoan, &LENDING, Rule::Able, 11),
    (GateIsWait, &LENDING, Rule::Standings, 10),
    (FreeRefusal, &CHILD, Rule::InTime, 3),
    (UnfundedCall, &CHILD, Rule::InTime, 3),
    (FreeSlice, &TURNS, Rule::Slices, 2),
    (PayersSlice, &TURNS, Rule::Timer, 15),
    (DispatchedBehind, &EQUALS, Rule::Equals, 3),
    (StaysActivated, &TASKS, Rule::Standings, 8),
    (CalledDecides, &CALLED, Rule::Callers, 2),
    (HelperDecides, &CALLED, Rule::Callers, 6),
    (AnyReceiver, &TASKS, Rule::Receivers, 1),
    (AnyTree, &NESTED, Rule::Receivers, 1),
    (UnchargedTimer, &SIGNALS, Rule::Timer, 8),
    (LentTimer, &LENDING, Rule::Timer, 10),
    (UndyingScheduler, &CHILD, Rule::Dead, 1),
    (UndyingStopped, &CHILD, Rule::Dead, 3),
    (CallAtTimeout, &CHILD, Rule::InTime, 5),
    (TimeoutAfter, &TASKS, Rule::Timer, 5),
    (ForgottenArrival, &TASKS, Rule::Standings, 4),
    (AskingWaits, &TASKS, Rule::Control, 2),
    (DeafAlarm, &TASKS, Rule::Control, 4),
    (KeptPlace, &TASKS, Rule::Able, 2),
    (LateActivated, &LATE, Rule::Standings, 1),
    (Unrevived, &LATE, Rule::Standings, 3),
    (StuckFirst, &WAITS, Rule::Standings, 10),
    (UnplacedNext, &WAITS, Rule::Able, 10),
    (WokenInFront, &EQUALS, Rule::Equals, 4),
    (LateExpiry, &FREE, Rule::Late, 7),
    (LateTimeout, &FREE, Rule::Late, 7),
    (LateAtOwn, &FREE_BELOW, Rule::Late, 6),
    (TiePreempts, &FREE_BELOW, Rule::Late, 6),
    (LostTimeout, &FREE, Rule::Timer, 8),
    (LateBehind, &FREE_BELOW, Rule::Free, 9),
    (LateStorm, &FREE, Rule::Timer, 7),
    (DroppedArrival, &FREE_BELOW, Rule::Standings, 10),
    (OthersPlace, &FREE_BELOW, Rule::Equals, 2),
    (Unled, &THREE, Rule::Heirs, 17),
    (UntoldReturn, &FREE, Rule::Timer, 6),
    (UnpaidHelp, &WORD, Rule::Charges, 15),
    (UnlentGrant, &WORD, Rule::Able, 17),
    (KeptLoan, &WORD, Rule::Able, 14),
    (GateIsWait, &WORD, Rule::Standings, 13),
    (EarlyRecord, &WORD, Rule::Atomic, 4),
    (Unled, &WORD_OF_THREE, Rule::Heirs, 21),
    (EqualEnters, &CEILINGS, Rule::Ceilings, 7),
    (OwnCeiling, &CEILINGS_LOW, Rule::Ceilings, 8),
    (FirstOnly, &CEILINGS_OF_THREE, Rule::Standings, 17),
    (HeirBars, &CEILINGS, Rule::Highest, 13),
    (UnpaidHelp, &CEILINGS, Rule::Charges, 12),
    (UnlentGrant, &CEILINGS, Rule::Able, 14),
    (KeptLoan, &CEILINGS, Rule::Able, 11),
    (GateIsWait, &CEILINGS, Rule::Standings, 10),
    (EndedUnbegun, &SERVICES, Rule::Standings, 10),
    (UnpaidHelp, &SERVICES, Rule::Charges, 8),
    (UnlentGrant, &SERVICES, Rule::Able, 10),
    (KeptLoan, &SERVICES, Rule::Able, 7),
    (GateIsWait, &SERVICES, Rule::Standings, 6),
    (SilentEnd, &SERVICES_OF_TREES, Rule::Sleepers, 6),
    (ForgottenWake, &SERVICES_OF_TREES, Rule::Sleepers, 6),
    (KeptWake, &SERVICES_OF_TREES, Rule::Sleepers, 7),
    (AnyTarget, &SERVICES_OF_TREES, Rule::Sleepers, 5),
    (WokenLender, &SERVICES, Rule::Able, 5),
];

#[test]
fn each_defect_is_found_by_its_rule() {
    seeded::assert_found(
        FOUND,
        PAGE,
        |defect| defect.what().to_owned(),
        |defect, system| {
            let Report { states, violation, .. } = defect.during(|| explore(system, 1_000_000));
            Outcome::of(system.name, states, violation, |found| found.history(system))
        },
    );
}

/// Defects of a wait inside a gate are sought in `lending`.
#[test]
fn each_seeded_defect_is_sought() {
    let defects = Mutation::of("funding").chain(Mutation::of("trees"));
    seeded::assert_sought(defects.filter(|defect| *defect != UntoldWait), FOUND);
}

#[test]
fn the_book_has_each_rule() {
    seeded::assert_rules(Rule::ALL, PAGE);
}
