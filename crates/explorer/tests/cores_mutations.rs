//! Each defect seeded in what cores share is found by the rule that it breaks.

mod seeded;

use fusee_explorer::cores::systems::*;
use fusee_explorer::cores::{Report, Rule, System, explore};
use fusee_kernel::Mutation::{self, *};

use seeded::{Found, Page};

const PAGE: Page =
    Page { name: "book/src/cores.md", text: include_str!("../../../book/src/cores.md") };

const FOUND: &[Found<System, Rule>] = &[
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
];

#[test]
fn each_defect_is_found_by_its_rule() {
    let explore = |system: &System| {
        let Report { states, violation, .. } = explore(system, 1_000_000);
        let violation = violation.ok_or(states)?;
        let history = violation.history(system).to_string();
        Ok((violation.breach.rule, violation.steps.len(), history))
    };
    seeded::assert_found(FOUND, PAGE, explore, |&(_, system, rule, steps), (_, what)| {
        format!("| {what} | {rule} | {} | {steps} |", system.name)
    });
}

#[test]
fn each_seeded_defect_is_sought() {
    for (defect, ..) in Mutation::ALL.iter().filter(|(_, module, _)| *module == "cores") {
        assert!(FOUND.iter().any(|(other, ..)| other == defect), "{defect:?} is sought");
    }
}

#[test]
fn the_book_has_each_rule() {
    seeded::assert_rules(Rule::ALL, PAGE);
}
