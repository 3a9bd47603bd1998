//! Sets on which counting requests over the window decides.

use super::*;
use crate::partitioned::msrp::{MsrpClassicEdf, MsrpHolistic};
use crate::registry::by_name;

fn of(name: &str, set: &TaskSet) -> Vec<Option<u64>> {
    bounds(by_name(name).unwrap(), set)
}

#[test]
fn carry_in_goes_by_response_times_under_fmlp_plus() {
    let tasks = [
        Task::implicit(76, 141, 3).on(1),
        Task::implicit(25, 164, 2).on(1),
        Task::implicit(77, 514, 1),
    ];
    let three = set(&tasks, &[&[(0, 2, 3)], &[(0, 2, 2)], &[(0, 1, 16)]]);
    for name in ["fmlp-plus", "fmlp-plus-lp"] {
        assert_eq!(of(name, &three), [98, 117, 82].map(Some), "{name}");
    }
}

#[test]
fn an_agent_on_the_own_core_counts_once_under_dpcp() {
    let tasks = [
        Task::implicit(15, 26, 2).with_deadline(21),
        Task::implicit(5, 54, 1).with_deadline(48).on(1),
    ];
    let two = set(&tasks, &[&[(0, 1, 3)], &[(0, 1, 4)]]);
    assert_eq!(of("dpcp", &two), [19, 8].map(Some));
}

#[test]
fn spin_locks_meet_no_request_twice_in_a_window() {
    let tasks = [
        Task::implicit(50, 184, 2).with_deadline(182),
        Task::implicit(480, 970, 1).with_deadline(956).on(1),
    ];
    let two = set(&tasks, &[&[(0, 2, 16)], &[(0, 2, 18)]]);
    for name in ["spin-unordered", "spin-priority"] {
        assert_eq!(of(name, &two), [86, 544].map(Some), "{name}");
    }
}

#[test]
fn a_short_job_meets_what_comes_while_it_is_pending() {
    let tasks = [
        Task::implicit(8, 53, 3),
        Task::implicit(14, 110, 2),
        Task::implicit(128, 145, 1).with_deadline(140).on(1),
    ];
    let three = set(&tasks, &[&[(0, 2, 1)], &[], &[(0, 1, 1)]]);
    assert_eq!(bounds(&MsrpHolistic, &three), [9, 23, 129].map(Some));
}

#[test]
fn a_core_that_is_exactly_full_keeps_its_deadlines_under_edf() {
    // C' = 3 + 2 and 4 + 1 on periods of 10: the core is full, and nothing blocks beyond a length
    // of 10.
    let tasks = |d| {
        [
            Task::implicit(5, 10, 0).with_deadline(d),
            Task::implicit(4, 10, 0),
            Task::implicit(2, 10, 0).on(1),
        ]
    };
    let requests: [&[(usize, u64, u64)]; 3] = [&[], &[(0, 1, 1)], &[(0, 1, 1)]];
    assert!(accepts(&MsrpClassicEdf, &set(&tasks(10), &requests)));
    assert!(accepts(&MsrpClassicEdf, &set(&tasks(7), &requests)), "5 + 2 <= 7");
    assert!(!accepts(&MsrpClassicEdf, &set(&tasks(6), &requests)), "5 + 2 > 6");
}

#[test]
fn requests_of_several_lengths_for_one_resource_each_wait() {
    // Each of the two requests of task 1 waits for one of the two of task 0.
    let tasks = [Task::implicit(10, 33, 2), Task::implicit(13, 43, 1).with_deadline(40).on(1)];
    let two = set(&tasks, &[&[(0, 2, 5)], &[(0, 1, 3), (0, 1, 1)]]);
    for name in ["fmlp-plus", "fmlp-plus-lp"] {
        assert_eq!(of(name, &two), [10 + 3 + 1, 13 + 5 + 5].map(Some), "{name}");
    }
}
