//! No response above its bound, against an independent simulator.

use fusee_bounds::analyze;
use fusee_generate::{Case, Mix, case};
use fusee_model::System;
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;

mod build;
mod unit_step;
use build::{Builder, call, compute};
use unit_step::{Run, worst_responses};

/// Systems without kernel costs and waits, which the simulator does not know.
fn mix() -> Mix {
    Mix { costs: 0, wait: 0, time_slice: 0, ..Mix::default() }
}

/// How often a bound was attacked, and how often it was reached.
#[derive(Default)]
struct Tally {
    bounds: u64,
    reached: u64,
}

fn attack(system: &System, seed: u64, tally: &mut Tally) {
    let derived = Derived::of(system);
    let analysis = analyze(system, &derived, &CostTable::zero("sim"));
    let longest = system.tasks.iter().filter_map(|t| t.release.as_ref()).map(|r| r.period.value.ns()).max();
    let ticks = longest.unwrap_or(1) * 6;
    let mut worst = vec![0; system.tasks.len()];
    for variant in 0..6 {
        let run = Run { ticks, seed: seed * 8 + variant, dense: variant < 2, shuffle: variant % 2 == 1 };
        for (worst, seen) in worst.iter_mut().zip(worst_responses(system, run)) {
            *worst = seen.max(*worst);
        }
    }
    for (task, seen) in analysis.tasks.iter().zip(worst) {
        let Some(bound) = task.response() else { continue };
        assert!(seen <= bound.ns(), "case {seed}: task {} took {seen}, bound {bound:?}\n{task:#?}", task.task.0);
        tally.bounds += 1;
        tally.reached += u64::from(seen == bound.ns());
    }
}

fn campaign(mix: &Mix, seed: u64, cases: u64) -> Tally {
    let mut tally = Tally::default();
    for index in 0..cases {
        let Case { system, .. } = case(mix, seed, index);
        let periods = system.tasks.iter().filter_map(|t| t.release.as_ref()).map(|r| r.period.value.ns());
        if periods.max().is_some_and(|p| p < 600) {
            attack(&system, index, &mut tally);
        }
    }
    tally
}

/// `FUSEE_CASES` makes the campaigns longer.
fn cases(default: u64) -> u64 {
    std::env::var("FUSEE_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

#[test]
fn no_response_exceeds_its_bound() {
    let tally = campaign(&mix(), 11, cases(600));
    assert!(tally.bounds > 600, "only {} bounds were attacked", tally.bounds);
    assert!(tally.reached * 4 > tally.bounds, "bounds are loose: {} of {}", tally.reached, tally.bounds);
}

#[test]
fn no_response_exceeds_its_bound_where_many_gates_nest() {
    let mix = Mix {
        tasks: (3, 6),
        gates: (3, 6),
        two_methods: 60,
        protocols: [1, 3, 6, 1, 0, 0, 0],
        utilisation: (40, 90),
        ..mix()
    };
    let tally = campaign(&mix, 12, cases(400));
    assert!(tally.bounds > 400, "only {} bounds were attacked", tally.bounds);
}

#[test]
fn no_response_exceeds_its_bound_under_inheritance_alone() {
    let mix = Mix {
        tasks: (3, 5),
        gates: (1, 3),
        protocols: [0, 0, 1, 0, 0, 0, 0],
        budget: 0,
        utilisation: (30, 80),
        ..mix()
    };
    let tally = campaign(&mix, 13, cases(400));
    assert!(tally.bounds > 400, "only {} bounds were attacked", tally.bounds);
}

/// A gate that is handed on blocks a task that asks twice for two sections, not for one.
#[test]
fn once_for_each_resource_is_too_little() {
    let system = Builder::default()
        .gate(fusee_model::Protocol::Inherited, &[compute(7)])
        .task(9, 97, &[call(0), compute(1), call(0)])
        .task(3, 101, &[call(0)])
        .task(2, 89, &[call(0)])
        .system();
    let own = 15;
    let bound = analyze(&system, &Derived::of(&system), &CostTable::zero("sim")).tasks[0].response();
    assert_eq!(bound.map(|b| b.ns()), Some(own + 7 + 7));
    let runs = (0..40).map(|seed| worst_responses(&system, Run { ticks: 4000, seed, dense: false, shuffle: false })[0]);
    let seen = runs.max().unwrap();
    assert!(seen > own + 7, "the classical bound held: {seen}");
    assert!(seen <= own + 7 + 7, "{seen}");
}
