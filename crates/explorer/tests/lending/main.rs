//! Threads of schedulers at exclusive gates, at random: waiting threads lend.
//!
//! A scheduler with three threads, a task of the kernel's own above them and one below share
//! gates that inherit, nested in any order; the scheduler decides at random. Who must run and who
//! must pay is worked out after each tick from who waits for whom (`judge.rs`), by maps
//! and maxima, and held against who runs and what has been charged.

mod judge;
mod world;

use std::ops::Range;

use fusee_generate::Random;
use fusee_kernel::Mutation;
use world::Tally;

fn run(seeds: Range<u64>, inside: bool) -> Result<Tally, String> {
    let mut total = Tally::default();
    for seed in seeds {
        let mut dice = Random::new(seed, 0);
        let tally = world::run(&mut |n| dice.below(n), 300, inside)
            .map_err(|why| format!("seed {seed}: {why}"))?;
        total.add(&tally);
    }
    Ok(total)
}

#[test]
fn who_waits_lends_and_pays() {
    let systems = fusee_testing::given_or("TCAP_SYSTEMS", 500);
    let total = run(0..systems, false).unwrap_or_else(|why| panic!("{why}"));
    println!("{systems} systems: {total:?}");
    let least = [total.lent / 4, total.lent_by_kernel / 4, total.waits / 4, 2 * total.moved];
    assert!(least.iter().all(|count| *count > systems), "too little happens: {total:?}");
}

#[test]
fn each_seeded_defect_is_found() {
    use Mutation::{GateIsWait, KeptLoan, StillRuns, UnlentGrant, UnpaidHelp, UsedTwice};
    let (time, ends) = ([UnpaidHelp, UnlentGrant, KeptLoan, GateIsWait], [StillRuns, UsedTwice]);
    for defect in time.into_iter().chain(ends) {
        let found = defect.during(|| run(0..2_000, false));
        let why = found.expect_err(defect.what());
        println!("{}: {}", defect.what(), why.lines().next().unwrap_or_default());
    }
}

/// Whatever is done at once, and wherever a thread waits: whoever goes on does so when there is
/// nothing left to tell a scheduler. What does not tell of a wait at a gate whose holder waits is
/// found by that.
#[test]
fn whoever_goes_on_schedulers_have_heard_of_it() {
    let systems = fusee_testing::given_or("TCAP_SYSTEMS", 300);
    let total = run(0..systems, true).unwrap_or_else(|why| panic!("{why}"));
    assert!(total.waits > systems, "too little happens: {total:?}");
    let found = Mutation::UntoldWait.during(|| run(0..300, true));
    let why = found.expect_err(Mutation::UntoldWait.what());
    assert!(why.contains("nobody was told"), "{why}");
}
