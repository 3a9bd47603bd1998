//! Each defect seeded in what cores share is found by the rule that it breaks.

use fusee_explorer::cores::systems::*;
use fusee_explorer::cores::{Rule, System, explore};
use fusee_kernel::Mutation::{self, *};

const BOOK: &str = include_str!("../../../book/src/cores.md");

/// Each defect, the system that shows it, the rule that finds it, and how many steps its shortest
/// history has there.
const FOUND: &[(Mutation, &System, Rule, usize)] = &[
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
            wrong.push(format!("{what}: found by {violation:?}"));
        }
        let row = format!("| {what} | {rule} | {} | {steps} |", system.name);
        if !BOOK.contains(&row) {
            wrong.push(format!("not so in book/src/cores.md: {row}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_seeded_defect_is_sought() {
    for (defect, ..) in Mutation::ALL.iter().filter(|(_, module, _)| *module == "cores") {
        assert!(FOUND.iter().any(|(other, ..)| other == defect), "{defect:?} is sought");
    }
}

#[test]
fn the_book_has_each_rule() {
    for rule in Rule::ALL {
        assert!(BOOK.contains(&format!("| {rule} | ")), "{rule} is in the book's table of rules");
    }
}
