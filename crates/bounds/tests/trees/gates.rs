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

/// Returns a section of 3 of each; who has the highest priority executes for 1 besides, the next
/// for 5 and never enters, the last for 1.
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

/// Three threads with sections of 2 at one gate, below one that asks once for it: it waits for one
/// of them, as if priorities were inherited by the kernel's own.
#[test]
fn one_request_waits_for_one_section_of_many() {
    let system = Builder::default()
        .gate(Protocol::Inherited, &[compute(2)])
        .task(10, 1, &[])
        .task(4, 90, &[compute(1), call(0)])
        .task(3, 90, &[compute(1), call(0)])
        .task(2, 90, &[compute(1), call(0)])
        .task(1, 90, &[compute(1), call(0)])
        .system();
    let by_priority = below(system, Algorithm::FixedPriority, Vec::new());
    // 3 of its own, and one section of 2.
    assert_eq!(responses(&by_priority)[1], Some(5));
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

/// If threads lend, each path takes 2 longer, and here nothing else takes any time. So a release,
/// an end, a way in and a way out take 2, a decision and an event as well: 10 for each job. When a
/// window begins, two decisions, the events of three threads and one path can be under way; one
/// more decision begins. The section of the last has both ways in it.
#[test]
fn paths_take_longer_where_threads_lend() {
    let mut system = three(Algorithm::FixedPriority);
    for release in system.tasks.iter_mut().filter_map(|task| task.release.as_mut()) {
        release.period = sourced(Duration(1_000));
    }
    let schedulers = SchedulerCosts { lend: Duration(2), ..SchedulerCosts::default() };
    let with = |schedulers| CostTable { schedulers, ..CostTable::zero("board") };
    let costs = with(Some(schedulers));
    let bounds = analyze(&system, &Derived::of(&system), &costs).tasks;
    let found: Vec<_> = bounds.iter().map(|task| task.response().map(Duration::ns)).collect();
    let (releases, decisions, begins) = (4 * 2, 3 * 10, 2 * 2 + 3 * 2 + 2 + 2);
    let all = releases + decisions + begins;
    let (client, other, section) = (4 + 2 + 2 * 2, 5 + 2, 3 + 2 * 2);
    assert_eq!(found[1], Some(all + client + section));
    assert_eq!(found[2], Some(all + client + other + section));
    assert_eq!(found[3], Some(all + 2 * client + other));
    // Nobody knows what it takes.
    let unknown = analyze(&system, &Derived::of(&system), &with(None)).tasks;
    let task = TaskId::from(0);
    assert!(unknown.iter().all(|found| found.bound == Err(Obstacle::SchedulerCosts { task })));
}
