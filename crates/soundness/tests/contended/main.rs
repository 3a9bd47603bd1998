//! Drawn systems in which many tasks wait for few gates: no bound is exceeded.
//!
//! Bounds have been wrong where several tasks wait at a gate when it is handed on, where jobs ask
//! more than once, wait between two requests or inside of a gate, where gates are within others
//! below schedulers and in slots, and where signals to another core come late. Few systems of the
//! other campaigns have more than one of these, and releases at random hardly ever show what they
//! do. Here each system has several, and its releases are searched: from those that brought a task
//! closest to its bound to some near them.
//! `CONTENDED_SYSTEMS` says how many systems are drawn, `CONTENDED_SEED` and `CONTENDED_FIRST`
//! which, and `CONTENDED_RUNS` how often each runs.

mod climb;
mod draw;

use std::collections::BTreeMap;

use climb::climb;
use draw::Order;
use fusee_bounds::analyze;
use fusee_generate::Random;
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_soundness::{read, refusing_rule};
use fusee_testing::given_or;

/// The counts of systems of one order.
#[derive(Debug, Default)]
struct Tally {
    systems: u64,
    tasks: u64,
    bounded: u64,
    /// Bounds by the tenth of them that a run has shown; the last were reached.
    tenths: [u64; 11],
}

#[test]
fn nothing_takes_longer_than_its_bound() {
    let systems = given_or("CONTENDED_SYSTEMS", 160);
    let (seed, first) = (given_or("CONTENDED_SEED", 31), given_or("CONTENDED_FIRST", 0));
    let runs = given_or("CONTENDED_RUNS", 60);
    let mut tallies: BTreeMap<Order, Tally> = BTreeMap::new();
    let mut refused: BTreeMap<String, u64> = BTreeMap::new();
    for index in first..first + systems {
        let plan = draw::plan(seed, index);
        let system = match read("drawn", &plan.text) {
            Ok(system) => system,
            Err(why) => {
                let rule = format!("{:?} {}", plan.order, refusing_rule(&why));
                *refused.entry(rule).or_default() += 1;
                continue;
            }
        };
        let analysis = analyze(&system, &Derived::of(&system), &CostTable::zero("free"));
        let random = &mut Random::new(seed, index);
        let closest = climb(random, &system, &analysis, runs).unwrap_or_else(|wrong| {
            panic!("system {index} of seed {seed}: {wrong}\n{}", plan.text)
        });
        let tally = tallies.entry(plan.order).or_default();
        tally.systems += 1;
        tally.tasks += system.tasks.len() as u64;
        for (bound, longest) in analysis.tasks.iter().zip(&closest.longest) {
            let Some(most) = bound.response() else { continue };
            tally.bounded += 1;
            tally.tenths[(longest.ns() * 10 / most.ns().max(1)) as usize] += 1;
        }
    }
    println!("{systems} systems: {tallies:#?}\nrefused: {refused:#?}");
    for (order, tally) in &tallies {
        let Tally { tasks, bounded, .. } = tally;
        assert!(bounded * 4 > *tasks, "{order:?}: few tasks have a bound: {tally:?}");
    }
}
