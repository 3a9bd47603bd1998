//! Each defect seeded in what cores share is found by the rule that it breaks.

mod seeded;

use fusee_explorer::cores::systems::deadlines::*;
use fusee_explorer::cores::systems::*;
use fusee_explorer::cores::{Report, Rule, System, explore};
use fusee_kernel::Mutation::{self, *};

use fusee_testing::book::Page;

use seeded::{Found, Outcome};

const PAGE: Page =
    Page { name: "book/src/cores.md", text: include_str!("../../../book/src/cores.md") };
const POLICIES: Page =
    Page { name: "book/src/policies.md", text: include_str!("../../../book/src/policies.md") };

const FOUND: &[Found<Mutation, System, Rule>] = &[
    (LostResult, &MRSP, Rule::Told, 10),
    (LateClear, &MRSP, Rule::Told, 17),
    (AbsentOwner, &MRSP_OF_THREE, Rule::Told, 13),
    (SilentLoss, &MRSP, Rule::Told, 8),
    (LazyLoss, &MRSP_OF_THREE, Rule::Told, 13),
    (TwoCores, &MRSP, Rule::Activation, 6),
    (ForgottenOwner, &MRSP, Rule::Once, 10),
    (LatestFirst, &MSRP_OF_THREE, Rule::Order, 9),
    (DroppedCeiling, &MRSP, Rule::OneCore, 8),
    (TurnsInside, &MRSP_SLICES, Rule::Ends, 3),
    (EndsInside, &MSRP_BUDGETS, Rule::Ends, 3),
    (OpenLock, &MSRP, Rule::Once, 8),
    (LostContext, &MRSP, Rule::Once, 7),
    (HastyResult, &MRSP, Rule::Once, 11),
    (OwnersOnly, &MRSP, Rule::Told, 8),
    (SilentReturn, &MSRP, Rule::Told, 8),
    (EarlyPresence, &MPCP, Rule::Presence, 6),
    (JumpedOwner, &MPCP, Rule::Owner, 6),
    (SameResult, &MRSP, Rule::Once, 10),
    (KeptBoost, &MPCP, Rule::OneCore, 5),
    (EarlyLook, &MERGING, Rule::Told, 7),
    (LateCollection, &MERGING, Rule::Told, 10),
    (PlainSignal, &MERGING, Rule::Signals, 8),
    (StrayLook, &MERGING, Rule::Told, 3),
    (EmptiedMailbox, &COUNTING, Rule::Signals, 8),
    (SilentRest, &RELEASING, Rule::Told, 9),
    (KeptMail, &MERGING, Rule::Signals, 6),
    (UntoldFall, &RESTARTS, Rule::Told, 4),
    (SecondFall, &RESTARTS, Rule::Progress, 14),
    (KeptEpoch, &RESTARTS, Rule::Told, 7),
    (LeftTwice, &RESTARTS_SPURIOUS, Rule::Restarts, 13),
    (EarlyRestore, &RESTARTS, Rule::Restarts, 10),
    (WrittenTwice, &RESTARTS, Rule::Restarts, 18),
    (HalfWritten, &RESTARTS, Rule::Restarts, 10),
    (UncutSection, &RESTARTS_BESIDE, Rule::Restarts, 7),
    (LostEpoch, &RESTARTS_INSIDE, Rule::Restarts, 12),
    (CallersEpoch, &RESTARTS_BELOW, Rule::Restarts, 14),
    (AdoptedSection, &RESTARTS_BESIDE, Rule::Restarts, 17),
    (EarlyCut, &RESTARTS_INSIDE, Rule::Restarts, 17),
    (UnpunishedSection, &RESTARTS_INSIDE, Rule::Restarts, 5),
    (HoardedMutex, &MUTEX, Rule::Told, 9),
    (SurvivingMutex, &MUTEX, Rule::Once, 4),
    (StaleOwner, &MUTEX_RESTARTS, Rule::Once, 11),
    (WaitingOwner, &MUTEX_AND_WAITS, Rule::Refusals, 4),
    (SecondMutex, &TWO_MUTEXES, Rule::Refusals, 5),
    (SameMutex, &TWO_MUTEXES, Rule::Refusals, 5),
    (FaultBelow, &MRSP_BELOW, Rule::Once, 7),
    (LostFinding, &MRSP_BELOW, Rule::Once, 7),
    (ExclusiveInside, &MRSP_EXCLUSIVE_BELOW, Rule::Refusals, 4),
    (FirstGateOnly, &MRSP_EXCLUSIVE_BELOW, Rule::Refusals, 6),
    (EndsWithMutex, &MUTEX_BUDGETS, Rule::Ends, 4),
    (KeptWake, &SLEEPERS_MSRP, Rule::Refusals, 4),
    (ForgottenWake, &SLEEPERS_MRSP, Rule::Refusals, 3),
    (SilentEnd, &SLEEPERS_MSRP, Rule::Sleepers, 4),
    (KeptInheritance, &SLEEPERS_MSRP, Rule::OneCore, 4),
    (EarlyDependency, &SLEEPERS_ON_BOTH, Rule::Refusals, 2),
    (UnlimitedPosts, &STORM, Rule::Posts, 5),
    (EarlyPayback, &STORM, Rule::Posts, 10),
    (ForgottenPosts, &STORM, Rule::Posts, 5),
    (SharedDebt, &STORM, Rule::Posts, 6),
];

/// The defects found where deadlines decide.
const BY_DEADLINES: &[Found<Mutation, System, Rule>] = &[
    (MeekRequest, &BY_DEADLINE, Rule::OneCore, 3),
    (LateArrival, &RELEASING_BY_DEADLINE, Rule::Urgencies, 6),
    (NowIsNoTop, &BY_DEADLINE, Rule::OneCore, 5),
    (LateFloor, &FLOORS, Rule::OneCore, 2),
];

/// The rules that are about jobs.
const OF_JOBS: [Rule; 3] = [Rule::Urgencies, Rule::Blockings, Rule::Unheld];

#[test]
fn each_defect_is_found_by_its_rule() {
    assert_found(FOUND, PAGE);
    assert_found(BY_DEADLINES, POLICIES);
}

fn assert_found(found: &[Found<Mutation, System, Rule>], page: Page) {
    seeded::assert_found(
        found,
        page,
        |defect| defect.what().to_owned(),
        |defect, system| {
            let Report { states, violation, .. } = defect.during(|| explore(system, 1_000_000));
            Outcome::of(system.name, states, violation, |found| found.history(system).to_string())
        },
    );
}

#[test]
fn inheritance_keeps_no_promise_of_floors() {
    // The promise is one of floors: the explorer must see that it does not hold without them.
    for (system, rule) in [(FLOORS, Rule::Unheld), (MIXED_FLOORS, Rule::Unheld)] {
        let inherits = System { floors: false, ..system };
        let found = explore(&inherits, 1_000_000).violation.expect("a gate is found held");
        assert_eq!(found.breach.rule, rule, "{}", found.history(&inherits));
    }
}

#[test]
fn each_seeded_defect_is_sought() {
    seeded::assert_sought(Mutation::of("cores"), &[FOUND, BY_DEADLINES].concat());
}

#[test]
fn the_book_has_each_rule() {
    let others = Rule::ALL.iter().copied().filter(|rule| !OF_JOBS.contains(rule));
    seeded::assert_rules(&others.collect::<Vec<_>>(), PAGE);
    seeded::assert_rules(&OF_JOBS, POLICIES);
}
