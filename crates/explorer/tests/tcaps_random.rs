//! Larger systems of schedulers, at random, under the same checks.

use std::ops::Range;

use fusee_explorer::tcaps::attack::{Outlasted, attack};
use fusee_explorer::tcaps::drive::{Tally, drive};
use fusee_generate::Random;
use fusee_kernel::Mutation;

fn run(seeds: Range<u64>, steps: u32) -> Result<Tally, String> {
    let mut total = Tally::default();
    for seed in seeds {
        let mut dice = Random::new(seed, 0);
        let tally = drive(&mut |n| dice.below(u64::from(n)) as u32, steps)
            .map_err(|why| format!("seed {seed}: {why}"))?;
        total.steps += tally.steps;
        total.refused += tally.refused;
        total.preemptions += tally.preemptions;
        total.expiries += tally.expiries;
        total.delegated += tally.delegated;
    }
    Ok(total)
}

#[test]
fn random_systems_keep_every_rule() {
    let systems = fusee_testing::given_or("TCAP_SYSTEMS", 1_000);
    let total = run(0..systems, 150).unwrap_or_else(|why| panic!("{why}"));
    println!("{systems} systems: {total:?}");
    let least = [total.preemptions / 2, total.expiries, total.delegated / 4];
    assert!(least.iter().all(|count| *count > systems), "too little happens: {total:?}");
}

#[test]
fn long_histories_keep_every_rule() {
    let total = run(1_000_000..1_000_020, 5_000).unwrap_or_else(|why| panic!("{why}"));
    println!("{total:?}");
}

/// A thousand calls for every twenty systems: in `make soundness` a million.
#[test]
fn a_hostile_scheduler_takes_no_time_from_who_is_better() {
    let runs = 10 + fusee_testing::given_or("TCAP_SYSTEMS", 1_000) / 20;
    let mut total = Outlasted::default();
    for seed in 0..runs {
        let mut dice = Random::new(seed, 0);
        let outlasted = attack(&mut |n| dice.below(u64::from(n)) as u32, 1_000)
            .unwrap_or_else(|why| panic!("seed {seed}: {why}"));
        total.calls += outlasted.calls;
        total.periods += outlasted.periods;
    }
    println!("{runs} runs: {total:?}");
    assert!(total.calls > 300 * runs && total.periods > 10 * runs, "too little: {total:?}");
}

#[test]
fn random_systems_find_each_seeded_defect() {
    for defect in Mutation::of("tcaps") {
        let found = defect.during(|| run(0..4_000, 150));
        let why = found.expect_err(defect.what());
        println!("{}: {}", defect.what(), why.lines().next().unwrap_or_default());
    }
}
