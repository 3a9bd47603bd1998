//! Nested FIFO requests: cases with one task on each core, by hand.
//!
//! Those that are marked are rewritten from the tests of a published implementation of Biondi,
//! Brandenburg and Wieder 2016, whose numbers are the waiting alone.

use super::*;
use crate::partitioned::mrsp::MrspNested;

/// A section with others in it; lengths as in the cases, without what is nested.
fn around(resource: usize, alone: u64, nested: Vec<Request>) -> Request {
    let inside: u64 = nested.iter().map(|r| r.count * r.length).sum();
    Request::new(resource, 1, alone + inside).with_nested(nested)
}

fn plain(resource: usize, length: u64) -> Request {
    Request::new(resource, 1, length)
}

/// Returns the wait of each task, on a core of its own with 40 ticks and a period of 1000.
fn waits(requests: &[Vec<Request>]) -> Vec<u64> {
    let task = |(core, _): (usize, &Vec<Request>)| Task::implicit(40, 1000, 1).on(core);
    let tasks = requests.iter().enumerate().map(task).collect();
    let set = TaskSet::new(tasks).unwrap().with_requests(requests.to_vec()).unwrap();
    bounds(&MrspNested, &set).into_iter().map(|bound| bound.unwrap() - 40).collect()
}

/// Two tasks; the second has three deep, two deep, and perhaps a request of the innermost alone.
fn two_tasks(more: bool) -> Vec<Vec<Request>> {
    let mut one = vec![around(1, 1, vec![plain(3, 1)])];
    let deep = around(1, 3, vec![around(2, 3, vec![plain(3, 3)])]);
    let mut two = vec![deep, around(1, 5, vec![plain(3, 5)])];
    if more {
        one.push(plain(3, 1));
        two.push(plain(3, 7));
    }
    vec![one, two]
}

/// Published: 10, and 9 + 7 + 5. Resource 1 is held around 3, so the request for 3 inside meets
/// only who does not hold 1.
#[test]
fn what_encloses_requests_is_remembered() {
    assert_eq!(waits(&two_tasks(false))[0], 5 + 5);
    assert_eq!(waits(&two_tasks(true))[0], (3 + 3 + 3) + 7 + 5);
    // With 8 ticks of its own the first task is done in 29; sums that forget it say 31.
    let tasks = vec![Task::implicit(8, 100, 1), Task::implicit(40, 100, 1).on(1)];
    let set = TaskSet::new(tasks).unwrap().with_requests(two_tasks(true)).unwrap();
    assert_eq!(bounds(&MrspNested, &set)[0], Some(29));
    // The second task waits for the one of the first around 1, once; and for its request of 3.
    assert_eq!(waits(&two_tasks(false))[1], 1 + 1);
}

/// Published.
#[test]
fn nested_requests_of_three_tasks() {
    let both = |length| vec![around(1, length, vec![plain(2, length)])];
    assert_eq!(waits(&[both(1), both(5), both(7)]), [24, 16, 12]);
    let third = vec![plain(1, 20), around(1, 7, vec![plain(3, 7)])];
    let three =
        [vec![around(1, 1, vec![plain(2, 1)])], vec![around(2, 5, vec![plain(3, 5)])], third];
    // The third one's are published with two jobs of each other task in its window; here it is one.
    assert_eq!(waits(&three), [5 + 5 + 20, 1 + 7, (1 + 1) + 10]);
}

/// Published: the fourth task cannot come in at the end of a chain whose start holds what it needs.
#[test]
fn a_chain_meets_nobody_who_needs_what_its_start_holds() {
    let mut five = vec![
        vec![around(1, 1, vec![plain(2, 1)])],
        vec![around(2, 2, vec![plain(3, 2)])],
        vec![around(3, 3, vec![plain(4, 3)])],
        vec![plain(1, 10), around(1, 4, vec![plain(4, 4)])],
    ];
    assert_eq!(waits(&five)[0], 4 + 6 + 10);
    five.push(vec![around(0, 5, vec![plain(4, 5)])]);
    assert_eq!(waits(&five)[0], 4 + 6 + 10 + 5);
}

/// Published as an open case: 5 there, 3 in truth.
#[test]
fn sections_inside_one_resource_are_never_in_a_queue_together() {
    let inside = |length| vec![around(1, length, vec![plain(2, length)])];
    assert_eq!(waits(&[vec![plain(2, 1)], inside(2), inside(3)])[0], 3);
    // With another resource around it each of them can be there.
    let other = vec![around(0, 3, vec![plain(2, 3)])];
    assert_eq!(waits(&[vec![plain(2, 1)], inside(2), other])[0], 2 + 3);
}

/// Published: each of seven meets the first directly, and two of them others inside.
#[test]
fn many_tasks_that_nest_the_same() {
    let often = |resource, length| Request::new(resource, 2, length);
    let task = |i: usize| match i {
        0 => vec![plain(1, 1)],
        1 | 2 => vec![around(1, 1, vec![plain(2, 1)]), often(2, 2), often(1, 1)],
        _ => vec![plain(1, 1), often(2, 2), often(1, 1)],
    };
    let eight: Vec<_> = (0..8).map(task).collect();
    assert_eq!(waits(&eight)[0], 7 + 1 + 1 + 6 * 2 * 2);
}
