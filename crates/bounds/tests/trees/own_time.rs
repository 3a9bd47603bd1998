//! Threads with time of their own, and the threads that they keep waiting.

use fusee_model::*;
use fusee_testing::given_or;
use fusee_testing::systems::{Builder, compute, sourced};

use crate::{Tally, analysis, bound_and_seen, drawn};

/// The time in which all is filled up.
const EVERY: u64 = 20;

/// A thread: its priority, how long it computes, and what it has of its own, if anything.
type Thread = (Priority, u64, u64);

/// Task 0 is the scheduler, then come its threads, the first of which events release, each in every
/// so many, the last one of the kernel's own below all of them.
fn serving(threads: &[Thread], period: u64, below: u64) -> System {
    let mut builder = Builder::default().task(10, 1, &[]);
    for &(priority, time, _) in threads {
        builder = builder.task(priority, period, &[compute(time)]);
    }
    let mut system = builder.task(5, 1_000, &[compute(below)]).system();
    (system.tasks[0].release, system.tasks[0].deadline) = (None, None);
    if let Some(release) = &mut system.tasks[1].release {
        release.kind = ReleaseKind::Sporadic;
    }
    let threads = threads.iter().zip(1_usize..);
    let delegates = threads.clone().filter(|((_, _, own), _)| *own > 0);
    let delegates = delegates.map(|(&(priority, _, own), place)| Delegation {
        to: TaskId::from(place),
        amount: sourced(Duration(own)),
        priority,
    });
    system.schedulers = vec![Scheduler {
        task: TaskId::from(0_usize),
        algorithm: Algorithm::PriorityServers,
        threads: threads.clone().map(|(_, place)| sourced(TaskId::from(place))).collect(),
        every: Some(sourced(Duration(EVERY))),
        delegates: delegates.collect(),
    }];
    system
}

/// An interrupt comes in the middle of a less urgent thread's job, and does not wait for `look`.
#[test]
fn who_has_time_of_its_own_comes_at_once() {
    let system = serving(&[(3, 2, 5), (2, 9, 0)], 100, 1);
    assert_eq!(bound_and_seen(&system, 1, &[4, 0, 500]), (Some(2), 2));
    assert_eq!(bound_and_seen(&system, 2, &[4, 0, 500]), (Some(11), 11));
    // Without, the scheduler would look after 1 ms, and sees it when the other one is done.
    let plain = serving(&[(3, 2, 0), (2, 9, 0), (1, 1, 5)], 100, 1);
    assert_eq!(bound_and_seen(&plain, 1, &[4, 0, 600, 500]).1, 5 + 2);
}

/// A more urgent thread goes before it, though it has no time of its own.
#[test]
fn more_urgent_threads_go_first() {
    let system = serving(&[(1, 2, 5), (2, 9, 0)], 100, 1);
    assert_eq!(bound_and_seen(&system, 1, &[4, 4, 500]), (Some(11), 11));
}

/// Just enough for two jobs may end with one: no bound for it. Then it takes 4 at the end of one
/// period, and 4 at the beginning of the next; what is below comes through behind that.
#[test]
fn it_takes_no_more_than_it_has() {
    let storm = |amount| serving(&[(3, 2, amount), (2, 5, 0)], 3, 1);
    let mut system = storm(4);
    for task in &mut system.tasks[2..] {
        task.release.as_mut().expect("it is timed").period = sourced(Duration(1_000));
        task.deadline = Some(sourced(Duration(1_000)));
    }
    assert_eq!(bound_and_seen(&system, 1, &[0, 900, 900]).0, None);
    assert_eq!(bound_and_seen(&system, 2, &[14, 14, 900]), (Some(4 + 4 + 5), 13));
    assert_eq!(bound_and_seen(&system, 3, &[14, 900, 14]), (Some(4 + 4 + 5 + 1), 3));
}

/// The less urgent of two threads that come by themselves may be overlooked, where the scheduler
/// has dispatched a third: until it looks.
#[test]
fn only_the_most_urgent_is_never_overlooked() {
    let threads = [(2, 1, 9), (3, 4, 9), (1, 15, 0)];
    let mut system = serving(&threads, 100, 1);
    system.tasks[2].release.as_mut().expect("it is timed").kind = ReleaseKind::Sporadic;
    let look = Attribute { name: "look".into(), value: Value::Integer(6), origin: Origin::NONE };
    let component = system.tasks[0].component.index();
    system.components[component].attributes.push(look);
    assert_eq!(bound_and_seen(&system, 1, &[3, 2, 0, 500]), (Some(1 + 4 + 6), 4));
    assert_eq!(bound_and_seen(&system, 1, &[8, 7, 0, 500]).1, 5);
    // As urgent as the other, it comes at once.
    system.tasks[1].priority = sourced(3);
    system.schedulers[0].delegates[0].priority = 3;
    assert_eq!(bound_and_seen(&system, 1, &[7, 4, 0, 500]), (Some(1 + 4), 1));
}

/// Another tree as urgent as this one: while a thread of that runs, whoever comes overtakes the
/// more urgent ones of its own that wait behind it.
#[test]
fn beside_a_tree_of_the_same_priority_nothing_is_known() {
    let mut system = serving(&[(3, 2, 5), (2, 9, 0), (2, 1, 0)], 100, 1);
    let other = Builder::default().task(10, 1, &[]).system();
    let (mut task, component) = (other.tasks[0].clone(), other.components[0].clone());
    (task.release, task.deadline) = (None, None);
    task.component = ComponentId::from(system.components.len());
    system.components.push(component);
    let place = TaskId::from(system.tasks.len());
    system.tasks.push(task);
    let own = system.schedulers[0].threads.pop().expect("the last one");
    let algorithm = Algorithm::FixedPriority;
    let threads = vec![own];
    let tree = Scheduler { task: place, algorithm, threads, every: None, delegates: Vec::new() };
    system.schedulers.push(tree);
    let has_bound = |system: &System| analysis(system).tasks[1].response().is_some();
    assert!(!has_bound(&system));
    system.tasks[place.index()].priority = sourced(9);
    assert!(has_bound(&system));
}

/// `SERVER_SYSTEMS` makes it longer.
#[test]
fn no_run_exceeds_a_bound_beside_threads_with_own_time() {
    let (count, seed) = (given_or("SERVER_SYSTEMS", 250), given_or("SERVER_SEED", 596));
    let tally = Tally::of(drawn::serving, seed, 0..count);
    println!("{count} systems of threads with own time: {tally:?}");
    assert!(tally.below > count / 2 && tally.reached * 8 > tally.bounds, "{tally:?}");
}
