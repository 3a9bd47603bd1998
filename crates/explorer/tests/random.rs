//! Larger systems, at random, under the same checks as the exhaustive search.

use fusee_explorer::drive::{Tally, drive};
use fusee_generate::Random;
use fusee_kernel::Mutation;
use proptest::prelude::*;

/// Draws systems and puts each through so many events.
fn run(seeds: std::ops::Range<u64>, steps: u32) -> Result<Tally, String> {
    let mut total = Tally::default();
    for seed in seeds {
        let mut dice = Random::new(seed, 0);
        let tally = drive(&mut |n| dice.below(u64::from(n)) as u32, steps)
            .map_err(|why| format!("seed {seed}: {why}"))?;
        total.steps += tally.steps;
        total.refused += tally.refused;
        total.waits += tally.waits;
    }
    Ok(total)
}

/// Mixed, nested protocols, base priorities that change, budgets, faults: in every state each
/// effective priority is the fixpoint of the rule, nobody waits in a circle, and the ledger agrees.
#[test]
fn twenty_thousand_random_systems_keep_every_rule() {
    let total = run(0..20_000, 200).unwrap_or_else(|why| panic!("{why}"));
    println!("{total:?}");
    assert!(total.waits > 30_000, "too little contention to mean anything: {total:?}");
}

/// Effects that add up over a long time: calendars, debts, lost jobs, restarts.
#[test]
fn long_histories_keep_every_rule() {
    let total = run(20_000..20_100, 20_000).unwrap_or_else(|why| panic!("{why}"));
    println!("{total:?}");
    assert!(total.waits > 5_000, "too little contention to mean anything: {total:?}");
}

#[test]
fn random_systems_find_each_seeded_defect() {
    // Those of earliest deadline, of priority ceilings, of several cores, of what they have between
    // them, of temporal capabilities, of mutex words, of funded threads, and of what joins those to
    // schedulers are sought in `policies`, `cores_mutations.rs`, `memory.rs`, `tcaps_random.rs`,
    // `words.rs`, the kernel's `trees.rs`, and `lending`.
    let elsewhere = [
        "adopt",
        "deadlines",
        "ceilings",
        "cores",
        "depend",
        "exchange",
        "funding",
        "tcaps",
        "trees",
    ];
    // What a short way does where a component is gone only who asks that way itself sees
    // (`mutations.rs`): here the outcome repairs it.
    let gone =
        [Mutation::GoneCallee, Mutation::GoneHolder, Mutation::GoneWaiter, Mutation::GoneCaller];
    let is_sought =
        |defect: &&Mutation| !elsewhere.contains(&defect.module()) && !gone.contains(defect);
    for defect in Mutation::ALL.iter().filter(is_sought) {
        let found = defect.during(|| run(0..10_000, 200));
        let why = found.expect_err("the defect is found");
        println!(
            "{}: {}: {}",
            defect.module(),
            defect.what(),
            why.lines().next().unwrap_or_default()
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(500)
    })]

    #[test]
    fn any_choices_keep_every_rule(bytes in prop::collection::vec(any::<u8>(), 0..800)) {
        let mut bytes = bytes.into_iter();
        let outcome = drive(&mut |n| u32::from(bytes.next().unwrap_or(0)) % n, 150);
        prop_assert!(outcome.is_ok(), "{}", outcome.unwrap_err());
    }
}
