//! MSRP by hand, and holistic against classic.

use proptest::prelude::*;

use super::arbitrary::any_set;
use super::*;
use crate::Assumption;
use crate::partitioned::layout::Layout;
use crate::partitioned::msrp::{MsrpClassic, MsrpClassicEdf, MsrpHolistic, MsrpHolisticEdf};

/// Two cores with two tasks each, one resource used by all.
fn four() -> TaskSet {
    let tasks = [
        Task::implicit(3, 20, 4),
        Task::implicit(5, 50, 2),
        Task::implicit(4, 40, 3).on(1),
        Task::implicit(6, 60, 1).on(1),
    ];
    set(&tasks, &[&[(0, 1, 1)], &[(0, 1, 2)], &[(0, 2, 1)], &[(0, 1, 4)]])
}

#[test]
fn each_request_waits_for_the_longest_of_the_other_core() {
    // Spin 4 on core 0, 2 on core 1. Task 0: 3 + 4 + (2 + 4) = 13. Task 1: 5 + 4 + 7 = 16.
    // Task 2: 4 + 2 * 2 + (4 + 2) = 14. Task 3: 6 + 2 + 8 = 16.
    assert_eq!(bounds(&MsrpClassic, &four()), [13, 16, 14, 16].map(Some));
}

#[test]
fn no_request_counts_twice_in_a_window() {
    // Task 0 waits once, and so does the one that blocks it: the other core has 4 and 1, not twice
    // 4: 3 + 4 + (2 + 1) = 10. Task 1: 5 + 3 + (4 + 1) = 13. Task 2: two jobs of task 0 may reach
    // into its window, so its two requests meet 2 and 1, the blocking one 1: 4 + 3 + (4 + 1) = 12.
    // Task 3: its level's three requests meet 2, 1 and 1: 6 + 4 + 4 = 14.
    assert_eq!(bounds(&MsrpHolistic, &four()), [10, 13, 12, 14].map(Some));
}

#[test]
fn local_resources_block_by_their_ceiling_and_global_ones_always() {
    let tasks = [Task::implicit(2, 20, 3), Task::implicit(2, 20, 2), Task::implicit(6, 40, 1)];
    let local = set(&tasks, &[&[], &[(0, 1, 1)], &[(0, 1, 5)]]);
    assert_eq!(bounds(&MsrpClassic, &local), [2, 9, 10].map(Some));
    let mut with_other = tasks.to_vec();
    with_other.push(Task::implicit(3, 30, 1).on(1));
    let global = set(&with_other, &[&[], &[], &[(0, 1, 5)], &[(0, 1, 3)]]);
    assert_eq!(bounds(&MsrpClassic, &global), [2 + 8, 4 + 8, 4 + 9, 3 + 5].map(Some));
}

#[test]
fn jitter_counts_in_what_is_compared_with_the_deadline() {
    let late = Task::implicit(4, 10, 1).with_deadline(8).with_jitter(3);
    let one = |task| set(&[task, Task::implicit(2, 10, 1).on(1)], &[&[(0, 1, 2)], &[(0, 1, 2)]]);
    assert_eq!(bounds(&MsrpClassic, &one(late))[0], None, "4 + 2 + 3 > 8");
    assert_eq!(bounds(&MsrpClassic, &one(late.with_deadline(9)))[0], Some(9));
}

#[test]
fn blocking_with_spinning_counts_in_short_intervals_under_edf() {
    // C' = 2, 4 + 3 = 7; B(t) = 3 + 3 for t < 20. At t = 6: 2 + 6 > 6; at t = 8: 2 + 6 <= 8.
    let tasks = |d| {
        [
            Task::implicit(2, 20, 0).with_deadline(d),
            Task::implicit(4, 20, 0),
            Task::implicit(3, 20, 0).on(1),
        ]
    };
    let requests: [&[(usize, u64, u64)]; 3] = [&[], &[(0, 1, 3)], &[(0, 1, 3)]];
    for test in [&MsrpClassicEdf as &dyn SchedulabilityTest, &MsrpHolisticEdf] {
        assert!(!accepts(test, &set(&tasks(7), &requests)));
        assert!(accepts(test, &set(&tasks(8), &requests)));
    }
}

#[test]
fn questions_outside_the_assumptions_are_errors() {
    let nested = Request::new(0, 1, 2).with_nested(vec![Request::new(1, 1, 1)]);
    let set = TaskSet::new(vec![Task::implicit(2, 9, 0)])
        .unwrap()
        .with_requests(vec![vec![nested]])
        .unwrap();
    assert_eq!(MsrpClassic.check(&set).unwrap_err().assumption, Assumption::NoNesting);
    let jitter = TaskSet::new(vec![Task::implicit(2, 9, 0).with_jitter(1)]).unwrap();
    assert_eq!(MsrpHolisticEdf.check(&jitter).unwrap_err().assumption, Assumption::NoJitter);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn counting_is_never_worse(tasks in any_set()) {
        let (classic, holistic) = (bounds(&MsrpClassic, &tasks), bounds(&MsrpHolistic, &tasks));
        let accepted = MsrpClassic.decide(&tasks).is_schedulable();
        prop_assert_eq!(accepted, classic.iter().all(Option::is_some), "the short way and the \
            bounds");
        if classic.iter().all(Option::is_some) {
            for (h, c) in holistic.iter().zip(&classic) {
                prop_assert!(h.is_some_and(|h| Some(h) <= *c), "{holistic:?} {classic:?}");
            }
        }
    }

    #[test]
    fn counting_is_never_worse_under_edf(tasks in any_set()) {
        if MsrpClassicEdf.covers(&tasks).is_ok() && MsrpClassicEdf.decide(&tasks).is_schedulable() {
            prop_assert!(MsrpHolisticEdf::holistic(&Layout::new(&tasks)));
        }
    }
}
