//! Published sums and programs, written out: ours are never above.
//!
//! What is published is solved to its least fixed point, programs by another solver, and
//! wherever it has a bound for all tasks of a drawn set, so have we, and none is larger.
//! Nothing of this is shared with the analysis. What is published and not sound stands with
//! the schedules that exceed it (`multicore/published.rs`).
//!
//! `DOMINANCE_SETS` says how many sets with published bounds are compared for each form;
//! `make soundness` asks for 10,000.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests")]

mod agents;
mod by_deadline;
mod closed;
mod draw;
mod facts;
mod program;
mod spin;
mod suspend;

use fusee_analysis::{TaskSet, registry};
use fusee_testing::Draw;

use spin::Order;

fn sets_wanted() -> u64 {
    fusee_testing::given_or("DOMINANCE_SETS", 60)
}

/// The counts of one comparison.
#[derive(Debug, Default)]
struct Tally {
    drawn: u64,
    compared: u64,
    bounds: u64,
    smaller: u64,
    /// Bounds that are larger than without any resource.
    blocked: u64,
    /// Sets with bounds of ours only.
    ours_only: u64,
}

/// Compares a test with a published form until enough sets have bounds by that.
fn dominates(name: &str, published: impl Fn(&TaskSet) -> Option<Vec<u64>>) {
    let wanted = sets_wanted();
    let test = registry::by_name(name).unwrap();
    let mut tally = Tally::default();
    while tally.compared < wanted {
        assert!(tally.drawn < 50 * wanted + 1000, "hardly any set has bounds: {tally:?}");
        let set = draw::task_set(&mut Draw::of(tally.drawn, 7));
        tally.drawn += 1;
        let ours = test.response_times(&set).unwrap();
        let Some(theirs) = published(&set) else {
            tally.ours_only += u64::from(ours.iter().all(Option::is_some));
            continue;
        };
        tally.compared += 1;
        assert!(test.decide(&set).is_schedulable(), "{name}: refused, {theirs:?}\n{set:#?}");
        let alone = registry::by_name("fp-rta").unwrap();
        let alone = alone.response_times(&set.clone().without_requests()).unwrap();
        for ((ours, &theirs), alone) in ours.iter().zip(&theirs).zip(alone) {
            let number = tally.drawn;
            let smaller = ours.is_some_and(|ours| ours < theirs);
            assert!(
                smaller || *ours == Some(theirs),
                "{name}, set {number}: {ours:?} > {theirs}\n{set:#?}"
            );
            tally.bounds += 1;
            tally.smaller += u64::from(smaller);
            tally.blocked += u64::from(alone < *ours);
        }
    }
    eprintln!("{name}: {tally:?}");
    assert!(tally.blocked > tally.compared / 4, "resources hardly matter: {tally:?}");
}

#[test]
fn msrp() {
    dominates("msrp-classic", spin::msrp_classic);
    dominates("msrp-holistic", spin::msrp_classic);
    dominates("msrp-holistic", spin::msrp_holistic);
    dominates("msrp-holistic", |set| spin::program(set, Order::Fifo));
}

#[test]
fn spin_locks_in_priority_order_and_in_none() {
    dominates("spin-unordered", |set| spin::program(set, Order::None));
    dominates("spin-priority", |set| spin::program(set, Order::Priority));
}

#[test]
fn mpcp() {
    dominates("mpcp", suspend::mpcp_sum);
    dominates("mpcp-lp", suspend::mpcp_sum);
    dominates("mpcp-lp", suspend::mpcp_program);
}

#[test]
fn fmlp_plus() {
    for name in ["fmlp-plus", "fmlp-plus-lp"] {
        dominates(name, suspend::fmlp_sum);
        dominates(name, suspend::fmlp_program);
    }
}

#[test]
fn dpcp() {
    dominates("dpcp", agents::dpcp_sum);
    dominates("dpcp", agents::dpcp_program);
}

#[test]
fn mrsp_and_omlp() {
    dominates("mrsp-2013", closed::mrsp_2013);
    dominates("mrsp-2017", closed::mrsp_2017);
    dominates("omlp-donation", closed::omlp_donation);
}

/// Compares a verdict with a published condition until enough sets keep that.
fn accepts_all_of(
    name: &str,
    draw: impl Fn(&mut Draw) -> TaskSet,
    (published, share): (impl Fn(&TaskSet) -> Option<()>, u64),
) {
    let wanted = sets_wanted().div_ceil(share);
    let test = registry::by_name(name).unwrap();
    let (mut drawn, mut accepted, mut ours_only) = (0, 0, 0);
    while accepted < wanted {
        assert!(drawn < 50 * wanted + 1000, "{name}: {accepted} of {drawn} sets are accepted");
        let set = draw(&mut Draw::of(drawn, 8));
        drawn += 1;
        let ours = test.check(&set).unwrap().is_schedulable();
        let theirs = published(&set).is_some();
        assert!(ours || !theirs, "{name}, set {drawn}: refused\n{set:#?}");
        accepted += u64::from(theirs);
        ours_only += u64::from(ours && !theirs);
    }
    eprintln!("{name}: {accepted} of {drawn} sets, {ours_only} by ours only");
}

#[test]
fn earliest_deadline_first() {
    accepts_all_of("msrp-classic-edf", draw::task_set, (by_deadline::msrp_classic, 1));
    accepts_all_of("ff-dbf", draw::unplaced, (by_deadline::forced_forward, 1));
    // A program for each interval of each core: fewer sets, but for long runs.
    let share = if sets_wanted() < 1000 { 10 } else { 1 };
    accepts_all_of("msrp-holistic-edf", draw::small, (by_deadline::msrp_program, share));
}
