//! Servers' threads, and the threads that servers keep waiting.

use fusee_model::*;
use fusee_testing::given_or;
use fusee_testing::systems::{Builder, compute, sourced};

use crate::{Tally, analysis, bound_and_seen, drawn};

/// A server's priority, its capacity, and its period.
const SERVER: (Priority, u64, u64) = (10, 4, 10);

/// Task 0 is the server, then come its threads, the most urgent first, then two of the kernel's
/// own: one above and one below. Each computes for so long in every 1,000.
fn served(threads: &[u64], [above, below]: [u64; 2]) -> System {
    let (level, capacity, every) = SERVER;
    let mut builder = Builder::default().task(level, 1, &[]);
    for (&time, urgency) in threads.iter().zip((1..10).rev()) {
        builder = builder.task(urgency, 1000, &[compute(time)]);
    }
    builder = builder.task(20, 1000, &[compute(above)]).task(5, 1000, &[compute(below)]);
    let mut system = builder.system();
    let root = &mut system.tasks[0];
    (root.release, root.deadline) = (None, None);
    let time = |name: &str, time: u64| Attribute {
        name: name.into(),
        value: Value::Integer(time.into()),
        origin: Origin::NONE,
    };
    let given = [time("capacity", capacity), time("every", every)];
    let component = root.component.index();
    system.components[component].attributes.extend(given);
    let threads = (1..=threads.len()).map(|thread| sourced(TaskId::from(thread))).collect();
    let algorithm = Algorithm::DeferrableServer;
    let (task, every, delegates) = (TaskId::from(0_usize), None, Vec::new());
    system.schedulers = vec![Scheduler { task, algorithm, threads, every, delegates }];
    system
}

/// A less urgent thread has just used up the capacity, and whoever is above runs when it is there
/// again.
#[test]
fn nothing_is_left_until_the_capacity_is_filled_up() {
    let system = served(&[3, 4], [1, 1]);
    assert_eq!(bound_and_seen(&system, 1, &[4, 0, 10, 800]), (Some(6 + 1 + 3), 10));
}

/// From 4 on: 6 without, 4 of 10, 4 of 10, and the 2 above before the last 2.
#[test]
fn each_period_has_the_capacity() {
    let system = served(&[10, 4], [2, 1]);
    assert_eq!(bound_and_seen(&system, 1, &[4, 0, 30, 800]), (Some(6 + 10 + 10 + 2 + 2), 30));
}

/// The one in the middle has what the first leaves of it: 1, and 3 of the next.
#[test]
fn threads_share_the_capacity() {
    let system = served(&[3, 4, 4], [1, 1]);
    assert_eq!(bound_and_seen(&system, 2, &[4, 4, 0, 20, 800]), (Some(6 + 10 + 1 + 3), 20));
}

/// The last 4 of one period and the first of the next follow each other, and before the job below
/// is done another 4 come.
#[test]
fn others_are_kept_waiting_twice_in_a_row() {
    let system = served(&[4, 8], [2, 5]);
    assert_eq!(bound_and_seen(&system, 4, &[6, 6, 14, 6]), (Some(3 * 4 + 2 + 5), 19));
    let system = served(&[4, 8], [1, 4]);
    assert_eq!(bound_and_seen(&system, 4, &[6, 6, 14, 6]), (Some(2 * 4 + 1 + 4), 13));
}

/// More of it than there is time is all the time.
#[test]
fn a_capacity_without_end_is_no_limit() {
    let mut system = served(&[3, 4], [1, 1]);
    for given in system.components.iter_mut().flat_map(|own| &mut own.attributes) {
        if given.name == "capacity" {
            given.value = Value::Integer(15);
        }
    }
    assert_eq!(bound_and_seen(&system, 1, &[4, 0, 4, 800]), (Some(1 + 3), 4));
    assert!(analysis(&system).tasks[4].response().is_none());
}

/// Returns for each task if it has a bound.
fn has_bound(system: &System) -> Vec<bool> {
    analysis(system).tasks.iter().map(|task| task.response().is_some()).collect()
}

/// Nothing is known of a server whose thread waits in the middle of a job; and in a slot of a table
/// only its demand.
#[test]
fn of_other_servers_nothing_is_known() {
    let mut waiting = served(&[3, 4], [1, 1]);
    let name = "news".to_owned();
    waiting.notifications.push(Notification { name, counting: false, origin: Origin::NONE });
    waiting.tasks[2].body.steps.push(Step::Wait(NotificationId::from(0_usize)));
    assert_eq!(has_bound(&waiting), [false, false, false, true, false]);
    // The first thread becomes the server, and what was the server a table.
    let mut guest = served(&[3, 4], [1, 1]);
    let own = Scheduler { task: TaskId::from(1_usize), ..guest.schedulers[0].clone() };
    let threads = vec![own.threads[1]];
    (guest.tasks[1].release, guest.tasks[1].deadline) = (None, None);
    let table = &mut guest.schedulers[0];
    (table.algorithm, table.every) = (Algorithm::Partitions, Some(sourced(Duration(10))));
    table.threads.truncate(1);
    table.delegates = vec![Delegation { to: own.task, amount: sourced(Duration(4)), priority: 1 }];
    guest.schedulers.push(Scheduler { threads, ..own });
    assert_eq!(has_bound(&guest), [false, false, false, true, true]);
}

/// `SERVER_SYSTEMS` makes it longer.
#[test]
fn no_run_exceeds_a_bound_beside_servers() {
    let (count, seed) = (given_or("SERVER_SYSTEMS", 250), given_or("SERVER_SEED", 622));
    let tally = Tally::of(drawn::served, seed, 0..count);
    println!("{count} systems of servers: {tally:?}");
    assert!(tally.below > count / 2 && tally.reached * 8 > tally.bounds, "{tally:?}");
}
