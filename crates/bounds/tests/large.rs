//! A system of the size that engineers have.

use std::time::{Duration as Elapsed, Instant};

use fusee_bounds::analyze;
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::{Protocol, System};
use fusee_testing::systems::{Builder, call, compute};

/// 200 tasks over 800 gates, three deep, some shared by all.
fn large() -> System {
    let mut builder = Builder::default();
    for index in 0..800 {
        let protocol = match index % 4 {
            0 => Protocol::Propagated,
            1 => Protocol::Fixed,
            _ => Protocol::Inherited,
        };
        let steps = match index {
            0..40 => vec![compute(2_000)],
            40..400 => vec![compute(1_000), call(index / 40), compute(500)],
            _ => vec![compute(1_000), call(index - 360)],
        };
        builder = builder.gate(protocol, &steps);
    }
    for index in 0..200 {
        let period = 10_000_000 + 900_000 * index as u64;
        let gates = (0..4).map(|i| call(400 + (index * 2 + i * 7) % 400));
        let steps: Vec<_> = gates.chain([compute(period / 400)]).collect();
        builder = builder.task(240 - index as u8, period, &steps);
    }
    builder.system()
}

#[test]
fn two_hundred_tasks_take_no_time_to_speak_of() {
    let system = large();
    let start = Instant::now();
    let derived = Derived::of(&system);
    let analysis = analyze(&system, &derived, &CostTable::zero("sim"));
    let elapsed = start.elapsed();
    println!("200 tasks, 800 gates: {elapsed:?}");
    assert!(analysis.tasks.iter().all(|t| t.bound.is_ok()));
    assert!(analysis.is_schedulable());
    assert!(analysis.tasks.iter().any(|t| t.bound.as_ref().is_ok_and(|b| b.blocking.len() > 20)));
    // Far more than it takes without optimisation on a busy machine.
    assert!(elapsed < Elapsed::from_secs(4), "{elapsed:?}");
}
