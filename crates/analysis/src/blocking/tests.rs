//! Blocking terms worked out by hand.

use super::protocols::{Protocol, terms};
use crate::{Request, SchedulabilityTest, Task, TaskSet};

fn set(requests: Vec<Vec<Request>>) -> TaskSet {
    let count = requests.len() as u32;
    let tasks = (0..count).map(|i| Task::implicit(9, 100, count - i)).collect();
    TaskSet::new(tasks).unwrap().with_requests(requests).unwrap()
}

fn all(set: &TaskSet) -> [Vec<u64>; 4] {
    [
        Protocol::NonPreemptive,
        Protocol::Inheritance,
        Protocol::InheritanceMatching,
        Protocol::Ceiling,
    ]
    .map(|protocol| terms(set, protocol).unwrap())
}

#[test]
fn push_through_reaches_tasks_that_use_nothing() {
    let shared = set(vec![vec![Request::new(0, 1, 1)], vec![], vec![Request::new(0, 1, 4)]]);
    assert_eq!(all(&shared), [[4, 4, 0]; 4].map(Vec::from));
}

#[test]
fn only_what_reaches_the_priority_blocks() {
    let below = set(vec![vec![], vec![Request::new(0, 1, 2)], vec![Request::new(0, 1, 5)]]);
    assert_eq!(all(&below), [[5, 5, 0], [0, 5, 0], [0, 5, 0], [0, 5, 0]].map(Vec::from));
}

#[test]
fn inheritance_chains_where_ceilings_block_once() {
    let first = vec![Request::new(0, 1, 1), Request::new(1, 1, 1)];
    let chain = set(vec![
        first,
        vec![Request::new(0, 1, 6)],
        vec![Request::new(0, 1, 5), Request::new(1, 1, 4)],
    ]);
    assert_eq!(all(&chain), [[6, 5, 0], [10, 5, 0], [10, 5, 0], [6, 5, 0]].map(Vec::from));
}

#[test]
fn nested_sections_pass_priorities_on() {
    // The first task waits for 0, held by the second, which waits for 1, held by the third.
    let inner = Request::new(0, 1, 3).with_nested(vec![Request::new(1, 1, 2)]);
    let nested = set(vec![vec![Request::new(0, 1, 1)], vec![inner], vec![Request::new(1, 1, 5)]]);
    assert_eq!(all(&nested), [[5, 5, 0], [8, 5, 0], [8, 5, 0], [3, 5, 0]].map(Vec::from));
}

#[test]
fn circular_nesting_is_outside_inheritance() {
    let around =
        |outer, inner| vec![Request::new(outer, 1, 2).with_nested(vec![Request::new(inner, 1, 1)])];
    let circle = set(vec![around(0, 1), around(1, 0)]);
    assert!(super::PRIORITY_INHERITANCE.check(&circle).is_err());
    assert!(super::PRIORITY_CEILING.check(&circle).is_ok(), "ceilings keep such tasks apart");
}
