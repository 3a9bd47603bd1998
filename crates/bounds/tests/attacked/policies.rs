//! Bounds by deadlines and behind ceilings, against an independent simulator.

use fusee_bounds::{Obstacle, analyze};
use fusee_generate::{Mix, case};
use fusee_model::Protocol::{Ceiling, Fixed, Inherited, NonPreemptive, Propagated, Srp};
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::{GateId, Origin, Policy, Protocol, Settings, Step, System};

use crate::attack::{Runs, Tally, attack_all, cases};
use crate::unit_step::{Run, worst_responses};
use fusee_testing::systems::{Builder, call, compute, sourced};

fn campaign(policy: Policy, mix: &Mix, seed: u64, cases: u64) -> Tally {
    attack_all(
        Runs { variants: 8, shuffled: 3 },
        (0..cases).map(|index| {
            let mut system = case(mix, seed, index).system;
            system.settings.policy = Some(sourced(policy));
            system
        }),
    )
}

fn mix(protocols: &'static [(Protocol, u32)]) -> Mix {
    Mix {
        costs: 0,
        wait: 0,
        time_slice: 0,
        tasks: (2, 5),
        gates: (1, 5),
        protocols,
        mutex: 0,
        ..Mix::default()
    }
}

const DEADLINES: Policy = Policy::EarliestDeadline;

#[test]
fn no_response_exceeds_its_bound_under_earliest_deadline() {
    let tally = campaign(
        DEADLINES,
        &mix(&[(Propagated, 2), (Inherited, 4), (Srp, 4), (NonPreemptive, 2)]),
        21,
        cases(700),
    );
    tally.assert_at_least(250, 750);
    tally.assert_tight(4);
}

#[test]
fn no_response_exceeds_its_bound_under_stack_resource_policy_alone() {
    let tally = campaign(
        DEADLINES,
        &Mix { jitter: 0, budget: 0, ..mix(&[(Propagated, 1), (Srp, 4), (NonPreemptive, 1)]) },
        22,
        cases(500),
    );
    tally.assert_at_least(200, 500);
}

#[test]
fn no_response_exceeds_its_bound_under_deadline_inheritance_alone() {
    let tally = campaign(
        DEADLINES,
        &Mix { utilisation: (30, 90), ..mix(&[(Propagated, 1), (Inherited, 4)]) },
        23,
        cases(500),
    );
    tally.assert_at_least(200, 500);
}

#[test]
fn no_response_exceeds_its_bound_behind_ceilings() {
    let tally = campaign(
        Policy::FixedPriority,
        &mix(&[(Propagated, 2), (Fixed, 1), (Ceiling, 6)]),
        24,
        cases(700),
    );
    tally.assert_at_least(200, 500);
    tally.assert_tight(5);
}

#[test]
fn no_response_exceeds_its_bound_where_all_fixed_priority_protocols_meet() {
    let tally = campaign(
        Policy::FixedPriority,
        &mix(&[
            (Propagated, 2),
            (Fixed, 2),
            (Inherited, 3),
            (Ceiling, 4),
            (Srp, 2),
            (NonPreemptive, 1),
        ]),
        25,
        cases(500),
    );
    tally.assert_at_least(150, 300);
}

fn responses(system: &System) -> Vec<Option<u64>> {
    let analysis = analyze(system, &Derived::of(system), &CostTable::zero("sim"));
    analysis.tasks.iter().map(|task| task.response().map(|response| response.ns())).collect()
}

fn by_deadline(builder: Builder) -> System {
    System {
        settings: Settings { policy: Some(sourced(DEADLINES)), ..Settings::default() },
        ..builder.system()
    }
}

/// (C, T) = (2, 5), (4, 7): utilization 34/35; the second needs 8 under any fixed priorities, and 6
/// by deadlines.
#[test]
fn deadlines_schedule_what_no_priorities_do() {
    let tasks = |builder: Builder, [first, second]: [u8; 2]| {
        builder.task(first, 5, &[compute(2)]).task(second, 7, &[compute(4)])
    };
    let first = tasks(Builder::default(), [2, 1]).system();
    let second = tasks(Builder::default(), [1, 2]).system();
    assert_eq!(responses(&first), [Some(2), Some(8)]);
    assert_eq!(responses(&second), [Some(7), Some(4)]);
    assert_eq!(responses(&by_deadline(tasks(Builder::default(), [0, 0]))), [Some(4), Some(6)]);
}

/// Taken early, a gate whose users all have longer deadlines still keeps a job waiting (Baker's
/// test would not have).
#[test]
fn a_gate_without_urgent_users_blocks_jobs_that_come_later() {
    let gate = Builder::default().gate(Protocol::Srp, &[compute(6)]);
    let system = gate.task(0, 40, &[call(0)]).task(0, 10, &[call(0)]).task(0, 8, &[compute(1)]);
    let system = by_deadline(system);
    let found = responses(&system);
    // x = 10: the gate, taken just before, then a job that came 2 later and is due with it.
    assert_eq!(found[2], Some(6 + 1 - 2 + 6));
}

#[test]
fn fixed_priorities_have_no_place_among_deadlines() {
    for (protocol, users) in [(Protocol::Fixed, 1), (Protocol::Ceiling, 1), (Protocol::Fifo, 2)] {
        let mut builder = Builder::default().gate(protocol, &[compute(1)]);
        for _ in 0..users {
            builder = builder.task(0, 40, &[call(0)]);
        }
        let system = by_deadline(builder);
        let analysis = analyze(&system, &Derived::of(&system), &CostTable::zero("sim"));
        assert!(matches!(analysis.tasks[0].bound, Err(Obstacle::NoTheorem { .. })), "{protocol:?}");
    }
}

/// Two tasks that take two gates in opposite orders: no deadlock behind ceilings, and one blocking.
#[test]
fn ceilings_allow_opposite_orders() {
    let inner = |gate: usize| Step::Invoke {
        gate: GateId::from(gate),
        method: Some(1),
        lock: None,
        origin: Origin::NONE,
    };
    let both = |protocol| {
        let gates = Builder::default().gate(protocol, &[compute(3), inner(1)]);
        let gates = gates.gate(protocol, &[compute(5), inner(0)]);
        let tasks =
            gates.task(9, 100, &[compute(1)]).task(5, 200, &[call(0)]).task(1, 300, &[call(1)]);
        let mut system = tasks.system();
        for (gate, time) in [(0, 2), (1, 1)] {
            let mut method = system.gates[gate].methods[0].clone();
            method.body.steps = vec![compute(time)];
            system.gates[gate].methods.push(method);
        }
        system
    };
    assert_eq!(responses(&both(Protocol::Ceiling)), [Some(1), Some(12), Some(12)]);
    assert_eq!(responses(&both(Protocol::Inherited)), [Some(1), None, None]);
    for seed in 0..20 {
        let run = Run { ticks: 3000, seed, dense: false, shuffle: false };
        assert!(worst_responses(&both(Protocol::Ceiling), run)[1] <= 12);
    }
}
