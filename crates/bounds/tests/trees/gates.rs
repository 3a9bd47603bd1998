//! Threads that lend at gates, in systems worked out by hand.

use fusee_bounds::{Obstacle, analyze};
use fusee_model::costs::{CostTable, SchedulerCosts};
use fusee_model::derived::Derived;
use fusee_model::*;
use fusee_testing::systems::{Builder, call, compute, sourced};

use crate::analysis;

/// The first task dispatches all others by this.
fn below(mut system: System, algorithm: Algorithm, delegates: Vec<Delegation>) -> System {
    let threads = (1..system.tasks.len()).map(|task| sourced(TaskId::from(task))).collect();
    let (task, every) = (TaskId::from(0), Some(sourced(Duration(10))));
    (system.tasks[0].release, system.tasks[0].deadline) = (None, None);
    system.schedulers = vec![Scheduler { task, algorithm, threads, every, delegates }];
    system
}

/// A section of 3 of each; who has the highest priority executes for 1 besides, the next for 5 and
/// never enters, the last for 1.
fn three(algorithm: Algorithm) -> System {
    let system = Builder::default()
        .gate(Protocol::Inherited, &[compute(3)])
        .task(10, 1, &[])
        .task(3, 40, &[compute(1), call(0)])
        .task(2, 40, &[compute(5)])
        .task(1, 40, &[compute(1), call(0)])
        .system();
    below(system, algorithm, Vec::new())
}

fn responses(system: &System) -> Vec<Option<u64>> {
    analysis(system).tasks.iter().map(|task| task.response().map(Duration::ns)).collect()
}

/// 4 of its own and the section of the last; the second waits for both of these, and the last for
/// all that others do.
#[test]
fn who_waits_waits_for_one_section() {
    assert_eq!(responses(&three(Algorithm::FixedPriority)), [None, Some(7), Some(12), Some(13)]);
}

/// By turns each waits for all, whoever lends to whom.
#[test]
fn in_turns_sections_are_in_what_all_do() {
    assert_eq!(responses(&three(Algorithm::RoundRobin)), [None, Some(13), Some(13), Some(13)]);
}

/// Slots of 4 in every 10, and 4 of its own: one section of the other besides, however many slots
/// that takes. It is done 3 into the second of the slots that begin after 6 and after 16.
#[test]
fn a_slot_holds_a_section_of_another_for_each_request() {
    let system = Builder::default()
        .gate(Protocol::Inherited, &[compute(3)])
        .task(10, 1, &[])
        .task(1, 40, &[compute(1), call(0)])
        .task(1, 40, &[compute(1), call(0)])
        .system();
    let slot = |to: usize| {
        let amount = sourced(Duration(4));
        Delegation { to: TaskId::from(to), amount, priority: 1 }
    };
    let system = below(system, Algorithm::Partitions, vec![slot(1), slot(2)]);
    assert_eq!(responses(&system), [None, Some(19), Some(19)]);
}

/// Nobody has measured what it takes to find who lends, so no task has a bound where that costs.
#[test]
fn with_kernel_costs_nobody_has_a_bound() {
    let (system, zero) = (three(Algorithm::FixedPriority), CostTable::zero("board"));
    let schedulers = SchedulerCosts { note: Duration(1), ..SchedulerCosts::default() };
    let costs = CostTable { schedulers: Some(schedulers), ..zero };
    let bounds = analyze(&system, &Derived::of(&system), &costs).tasks;
    let (task, gate) = (TaskId::from(1), GateId::from(0));
    for found in bounds {
        assert_eq!(found.bound, Err(Obstacle::LendingCosts { task, gate }), "{:?}", found.task);
    }
}
