//! What it costs that schedulers decide, in systems worked out by hand.

use fusee_bounds::{Analysis, Obstacle, analyze};
use fusee_model::costs::{CostTable, Limits, SchedulerCosts, Slope};
use fusee_model::derived::Derived;
use fusee_model::*;
use fusee_testing::systems::{Builder, compute, sourced};

/// A decision takes 10 and 2 for each thread, an event 1 and 1 for each; in tables 7 and 3. Nothing
/// else costs anything.
fn costs() -> CostTable {
    let slope = |once, thread| Slope { once: Duration(once), thread: Duration(thread) };
    CostTable {
        schedulers: Some(SchedulerCosts {
            choose: slope(10, 2),
            hear: slope(1, 1),
            slot: Duration(7),
            note: Duration(3),
        }),
        ..CostTable::zero("board")
    }
}

fn bounds(system: &System) -> Analysis {
    analyze(system, &Derived::of(system), &costs())
}

fn responses(system: &System) -> Vec<Option<u64>> {
    bounds(system).tasks.iter().map(|task| task.response().map(Duration::ns)).collect()
}

/// Nothing is said of when a scheduler's own thread is released.
fn with(mut system: System, mut schedulers: Vec<Scheduler>) -> System {
    schedulers.sort_by_key(|own| own.task);
    for own in &schedulers {
        let task = &mut system.tasks[own.task.index()];
        (task.release, task.deadline) = (None, None);
    }
    System { schedulers, ..system }
}

fn scheduler(task: usize, algorithm: Algorithm, threads: &[usize]) -> Scheduler {
    let threads = threads.iter().map(|&thread| sourced(TaskId::from(thread))).collect();
    let (every, delegates) = (None, Vec::new());
    Scheduler { task: TaskId::from(task), algorithm, threads, every, delegates }
}

/// Its slots are as long as this, one for each thread.
fn table(task: usize, threads: &[usize], slot: u64) -> Scheduler {
    let delegates = threads.iter().map(|&to| Delegation {
        to: TaskId::from(to),
        amount: sourced(Duration(slot)),
        priority: 1,
    });
    Scheduler {
        every: Some(sourced(Duration(slot * threads.len() as u64))),
        delegates: delegates.collect(),
        ..scheduler(task, Algorithm::Partitions, threads)
    }
}

/// Task 0 is the root; 1 and 2 compute for 5 and 7, 3 is the kernel's own above all, 4 below.
fn chosen(algorithm: Algorithm) -> System {
    let system = Builder::default()
        .task(10, 1, &[])
        .task(2, 1000, &[compute(5)])
        .task(1, 1000, &[compute(7)])
        .task(20, 1000, &[compute(2)])
        .task(5, 1000, &[compute(4)])
        .system();
    with(system, vec![scheduler(0, algorithm, &[1, 2])])
}

/// With two threads a decision is 14 and an event 3. Each job makes three decisions and is heard of
/// twice: 48. When a window begins, two decisions and two events can be under way: 34; and one as
/// long as any call, 7. In their own windows one more decision begins: 14.
#[test]
fn each_job_is_decided_three_times_and_heard_of_twice() {
    let (jobs, begins, call) = (2 * 48, 34, 7);
    let own = jobs + begins + call + 14;
    let chosen = responses(&chosen(Algorithm::FixedPriority));
    assert_eq!(chosen[1], Some(2 + 5 + own));
    assert_eq!(chosen[2], Some(2 + 5 + 7 + own));
    assert_eq!(chosen[3], Some(2 + call), "it yields to no scheduler");
    assert_eq!(chosen[4], Some(2 + 5 + 7 + 4 + jobs + begins + call));
}

#[test]
fn turns_are_decided_as_well() {
    let mut system = chosen(Algorithm::RoundRobin);
    let component = system.tasks[0].component.index();
    let value = Value::Integer(100);
    let quantum = Attribute { name: "quantum".into(), value, origin: Origin::NONE };
    system.components[component].attributes.push(quantum);
    // In windows of 201 and more three turns end, and one that was under way.
    let own = 2 + 5 + 7 + 2 * 48 + 34 + 7 + 14 + 4 * 14;
    assert_eq!(responses(&system)[1], Some(own));
}

/// In slots of 100 of every 200: who has the one decides when it begins, is told of the other at
/// most four times in a window that holds one period, and of all that was under way.
#[test]
fn a_table_decides_when_a_slot_begins() {
    let system = Builder::default()
        .task(10, 1, &[])
        .task(2, 1000, &[compute(5)])
        .task(1, 1000, &[compute(7)])
        .system();
    let tables = |slot| with(system.clone(), vec![table(0, &[1, 2], slot)]);
    let told = 2 * 2 * 3;
    let under_way = 7 + 2 * 2 * 3;
    // The window begins as a slot ends, and holds the next: what begins anew does so twice.
    let own = 100 + 5 + told + under_way + 2 * (7 + 7);
    assert_eq!(responses(&tables(100))[1], Some(own));
    // Slots that a table's decisions fill leave nothing.
    assert_eq!(bounds(&tables(14)).tasks[1].bound, Err(Obstacle::NoEnd));
}

#[test]
fn what_nobody_has_measured_has_no_bound() {
    let refused = |system: &System, costs: &CostTable, task: usize| {
        analyze(system, &Derived::of(system), costs).tasks[task].bound.clone().unwrap_err()
    };
    let system = chosen(Algorithm::FixedPriority);
    let unknown = Obstacle::SchedulerCosts { task: TaskId::from(0) };
    let silent = CostTable { schedulers: None, ..costs() };
    assert_eq!(refused(&system, &silent, 1), unknown);
    let limits = Limits { threads: 9, nesting: 9, cores: None, schedulers: Some(0) };
    let few = CostTable { limits: Some(limits), ..costs() };
    assert_eq!(refused(&system, &few, 1), Obstacle::Schedulers { schedulers: 1, most: 0 });
    // Of each wait in the middle of a job a scheduler hears as well.
    let mut waits = system.clone();
    let name = "news".to_owned();
    waits.notifications.push(Notification { name, counting: false, origin: Origin::NONE });
    waits.tasks[2].body.steps.push(Step::Wait(NotificationId::from(0)));
    assert_eq!(refused(&waits, &costs(), 1), unknown);
    // A server.
    let server = chosen(Algorithm::DeferrableServer);
    assert_eq!([1, 4].map(|task| refused(&server, &costs(), task)), [unknown; 2]);
    assert!(bounds(&server).supplies.is_empty());
    // A table in a slot of a table.
    let nested = with(system, vec![table(0, &[1], 100), table(1, &[2], 100)]);
    assert_eq!(refused(&nested, &costs(), 2), Obstacle::SchedulerCosts { task: TaskId::from(1) });
}
