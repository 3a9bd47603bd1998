//! A system of the size that engineers have.

use std::time::{Duration as Elapsed, Instant};

use fusee_bounds::{analyze, diagnostics};
use fusee_model::costs::{CostTable, Limits};
use fusee_model::derived::Derived;
use fusee_model::{Duration, Origin, Policy, Protocol, Sourced, System};
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
    // Far more than it takes without optimization on a busy machine.
    assert!(elapsed < Elapsed::from_secs(4), "{elapsed:?}");
}

/// Returns the notes for a system of so many tasks, with a table for 32.
fn notes(tasks: usize, change: impl Fn(&mut System)) -> Vec<String> {
    let builder = (0..tasks).fold(Builder::default(), |builder, index| {
        builder.task(200 - index as u8, 1_000_000 + index as u64, &[compute(10)])
    });
    let mut system = builder.system();
    change(&mut system);
    let release = Duration(2);
    let limits = Some(Limits { threads: 32, nesting: 8, cores: Some(2), schedulers: None });
    let policy = system.policy_on(0);
    let costs = CostTable { release, limits, policy, ..CostTable::zero("board") };
    let analysis = analyze(&system, &Derived::of(&system), &costs);
    let found = diagnostics(&system, &analysis, &|_| None);
    let size = found.into_iter().find(|message| message.code.0 == "F0615");
    size.map_or(vec!["fits".to_owned()], |size| size.notes)
}

#[test]
fn more_threads_than_measured_can_be_measured() {
    let says = |notes: &[String]| notes.iter().any(|note| note.contains("fusee measure --threads"));
    assert_eq!(notes(32, |_| {}), ["fits"]);
    let many = notes(60, |_| {});
    assert!(many.iter().any(|note| note.contains("`fusee measure --threads 60 ")), "{many:?}");
    // No system that measures is so large, or of these kinds.
    assert!(!says(&notes(101, |_| {})));
    let by_deadline = |system: &mut System| {
        let value = Policy::EarliestDeadline;
        system.settings.policy = Some(Sourced { value, origin: Origin::NONE });
    };
    assert!(!says(&notes(60, by_deadline)));
    assert!(!says(&notes(60, |system| system.tasks[0].core = 1)));
}
