//! No response above its bound, against an independent simulator.

use fusee_bounds::analyze;
use fusee_generate::{Mix, case};
use fusee_model::Protocol::{Fifo, Fixed, Inherited, Propagated};
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;

use crate::attack::{Runs, Tally, attack_all, cases};
use crate::unit_step::{Run, worst_responses};
use fusee_testing::systems::{Builder, call, compute};

/// Systems without kernel costs and waits, which the simulator does not know.
fn mix() -> Mix {
    Mix { costs: 0, wait: 0, time_slice: 0, ..Mix::default() }
}

fn campaign(mix: &Mix, seed: u64, cases: u64) -> Tally {
    attack_all(
        Runs { variants: 6, shuffled: 2 },
        (0..cases).map(|index| case(mix, seed, index).system),
    )
}

#[test]
fn no_response_exceeds_its_bound() {
    let tally = campaign(&mix(), 11, cases(300));
    tally.assert_at_least(0, 600);
    tally.assert_tight(4);
}

#[test]
fn no_response_exceeds_its_bound_where_many_gates_nest() {
    let mix = Mix {
        tasks: (3, 6),
        gates: (3, 6),
        two_methods: 60,
        protocols: &[(Propagated, 1), (Fixed, 3), (Inherited, 6), (Fifo, 1)],
        utilisation: (40, 90),
        ..mix()
    };
    let tally = campaign(&mix, 12, cases(200));
    tally.assert_at_least(0, 400);
}

#[test]
fn no_response_exceeds_its_bound_under_inheritance_alone() {
    let mix = Mix {
        tasks: (3, 5),
        gates: (1, 3),
        protocols: &[(Inherited, 1)],
        budget: 0,
        utilisation: (30, 80),
        ..mix()
    };
    let tally = campaign(&mix, 13, cases(200));
    tally.assert_at_least(0, 400);
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
    let bound =
        analyze(&system, &Derived::of(&system), &CostTable::zero("sim")).tasks[0].response();
    assert_eq!(bound.map(|b| b.ns()), Some(own + 7 + 7));
    let runs = (0..40).map(|seed| {
        worst_responses(&system, Run { ticks: 4000, seed, dense: false, shuffle: false })[0]
    });
    let seen = runs.max().unwrap();
    assert!(seen > own + 7, "the classical bound held: {seen}");
    assert!(seen <= own + 7 + 7, "{seen}");
}
