//! The costs of schedulers' decisions, in systems worked out by hand.

use fusee_bounds::{Analysis, Obstacle, analyze};
use fusee_model::costs::{CostTable, Limits, SchedulerCosts, Slope};
use fusee_model::derived::Derived;
use fusee_model::*;
use fusee_testing::systems::{Builder, compute, sourced};

/// A decision takes 10 and 2 for each thread, an event 1 and 1 for each; in tables 7 and 3. In
/// servers 20 and 2 for each, and to fill all up 5 and 1. Nothing else costs anything.
fn costs() -> CostTable {
    let slope = |once, thread| Slope { once: Duration(once), thread: Duration(thread) };
    CostTable {
        schedulers: Some(SchedulerCosts {
            choose: slope(10, 2),
            hear: slope(1, 1),
            serve: slope(20, 2),
            fill: slope(5, 1),
            slot: Duration(7),
            note: Duration(3),
            lend: Duration(2),
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
    // A server that takes longer to decide than what it leaves.
    let server = chosen(Algorithm::DeferrableServer);
    let serve = Slope { once: Duration(9_997), thread: Duration(2) };
    let schedulers = costs().schedulers.map(|costs| SchedulerCosts { serve, ..costs });
    let slow = CostTable { schedulers, ..costs() };
    assert_eq!([1, 4].map(|task| refused(&server, &slow, task)), [unknown; 2]);
}

/// All periods are a thousand times as long.
fn rarely(mut system: System) -> System {
    for release in system.tasks.iter_mut().filter_map(|task| task.release.as_mut()) {
        release.period = sourced(Duration(1_000_000));
    }
    system
}

/// With two threads a decision is 24. Besides those of a chooser there are two each time that all
/// is filled up, and one for each release. Of 60 in every 100, in thousands, 50 are for certain.
#[test]
fn a_server_decides_when_it_is_filled_up_and_used_up() {
    let mut system = rarely(chosen(Algorithm::DeferrableServer));
    let component = system.tasks[0].component.index();
    for (name, value) in [("capacity", 60_000), ("every", 100_000)] {
        let value = Value::Integer(value);
        let said = Attribute { name: name.into(), value, origin: Origin::NONE };
        system.components[component].attributes.push(said);
    }
    let (jobs, begins, call) = (2 * (3 * 24 + 2 * 3), 2 * 24 + 2 * 3, 7);
    let (fills, again) = (2 * 2 * 24, 5 * 24);
    let own = 50_000 + 2 + jobs + fills + again + begins + 2 * (call + 24);
    assert_eq!(responses(&system)[1..3], [Some(own + 5), Some(own + 5 + 7)]);
    // To who is below it takes all of that twice, each time for a call longer, in two periods.
    let below = 2 * (60_000 + call) + 2 + jobs + 3 * 2 * 24 + again + begins + call + 4;
    assert_eq!(responses(&system)[4], Some(below));
}

/// The first has so much of its own.
fn with_own_time(amount: u64) -> System {
    let mut system = rarely(chosen(Algorithm::PriorityServers));
    let gift = Delegation { to: TaskId::from(1), amount: sourced(Duration(amount)), priority: 2 };
    system.schedulers[0].every = Some(sourced(Duration(10_000)));
    system.schedulers[0].delegates = vec![gift];
    system
}

/// Each time that all is filled up that is a decision and 7, and another one, with an event, when
/// somebody's time has ended. All of that may be charged to who has time of its own.
#[test]
fn own_time_is_filled_up_and_pays_for_what_others_do() {
    let (jobs, begins, call) = (2 * (3 * 24 + 2 * 3), 2 * 24 + 2 * 3, 7);
    let fill = 24 + 7 + 24 + 3;
    let all = 2 + jobs + 2 * fill + begins + call;
    let needed = 5 + jobs + 3 * fill + begins + call + 24;
    let lasts = responses(&with_own_time(needed + 1));
    assert_eq!(lasts[1..3], [Some(all + 24 + 5), Some(all + 24 + 5 + 7)]);
    assert_eq!(lasts[4], Some(all + 5 + 7 + 4));
    // It takes all that it has, twice, and is stopped late by one call.
    let ends = with_own_time(needed);
    let task = TaskId::from(1);
    assert_eq!(bounds(&ends).tasks[1].bound, Err(Obstacle::OwnTime { task }));
    let taken = 2 * (needed + call);
    assert_eq!(responses(&ends)[2], Some(all + 24 + 7 + taken));
    assert_eq!(responses(&ends)[4], Some(all + 7 + 4 + taken));
}

/// A table that has all slots of another, each of 100. It begins when both have decided, and so
/// much of each of its own slots is not for certain. A window that holds two can touch three.
#[test]
fn tables_in_slots_of_tables_decide_both() {
    let system = Builder::default()
        .task(10, 1, &[])
        .task(2, 1000, &[compute(5)])
        .task(1, 1000, &[compute(7)])
        .system();
    let nested = with(system, vec![table(0, &[1], 100), table(1, &[2], 100)]);
    let begins = 2 * (7 + 2 * 3);
    let each = 7 + 2 * 7;
    let late = begins + each + 1;
    assert_eq!(responses(&nested)[2], Some(2 * late + 7 + begins + 3 * each));
}
