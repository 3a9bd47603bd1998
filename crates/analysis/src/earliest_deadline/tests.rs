//! Vectors, agreement of the tests with each other, and resources.

use proptest::prelude::*;

use super::srp::Blocking;
use super::*;
use crate::{InvalidTaskSet, Request, SchedulabilityTest, Task, TaskSet, Verdict};

fn set(tasks: &[Task]) -> TaskSet {
    TaskSet::new(tasks.to_vec()).unwrap()
}

fn says(test: &dyn SchedulabilityTest, set: &TaskSet) -> bool {
    test.check(set).unwrap().is_schedulable()
}

#[test]
fn full_utilization_is_schedulable_and_one_tick_more_is_not() {
    let full = |more: u64| {
        set(&[Task::implicit(1, 3, 0), Task::implicit(1, 3, 0), Task::implicit(5 + more, 15, 0)])
    };
    for test in
        [&EdfUtilization as &dyn SchedulabilityTest, &ProcessorDemand, &Qpa, &EdfResponseTimes]
    {
        assert!(says(test, &full(0)), "{}", test.metadata().name);
        assert!(!says(test, &full(1)), "{}", test.metadata().name);
    }
}

#[test]
fn textbook_set_with_constrained_deadlines() {
    // Buttazzo, Hard Real-Time Computing Systems, section 4.6: (C, D, T) = (2, 4, 6), (2, 5, 8),
    // (3, 7, 9) is feasible.
    let tasks = |last| {
        let task = |c, d, t| Task::implicit(c, t, 0).with_deadline(d);
        set(&[task(2, 4, 6), task(2, 5, 8), task(last, 7, 9)])
    };
    for test in [&ProcessorDemand as &dyn SchedulabilityTest, &Qpa, &EdfResponseTimes] {
        assert!(says(test, &tasks(3)), "{}", test.metadata().name);
        assert!(!says(test, &tasks(4)), "{}", test.metadata().name);
    }
}

#[test]
fn jitter_shortens_the_window() {
    let late = |jitter| {
        set(&[
            Task::implicit(2, 10, 0).with_deadline(5),
            Task::implicit(3, 10, 0).with_jitter(jitter),
        ])
    };
    for test in [&ProcessorDemand as &dyn SchedulabilityTest, &Qpa, &EdfResponseTimes] {
        assert!(says(test, &late(7)), "{}", test.metadata().name);
        assert!(!says(test, &late(8)), "{}", test.metadata().name);
    }
}

#[test]
fn a_later_deadline_blocks_an_earlier_one_once() {
    let tasks = |length| {
        let tasks = set(&[Task::implicit(4, 20, 0).with_deadline(6), Task::implicit(9, 40, 0)]);
        tasks
            .with_requests(vec![vec![Request::new(0, 1, 1)], vec![Request::new(0, 1, length)]])
            .unwrap()
    };
    for (length, fits) in [(2, true), (3, false)] {
        assert_eq!(says(&EdfStackResource, &tasks(length)), fits);
        assert_eq!(says(&EdfNonPreemptiveSections, &tasks(length)), fits);
        assert_eq!(EdfStackResource.by_every_step(&tasks(length)).is_schedulable(), fits);
    }
    let blocking = Blocking::stack_resource(&tasks(3), 0);
    assert_eq!([5, 6, 39, 40].map(|t| blocking.at(t)), [0, 3, 3, 0]);
}

#[test]
fn sections_longer_than_their_task_cannot_reach_qpa() {
    let tasks = set(&[Task::implicit(4, 20, 0)]);
    let refused = tasks.with_requests(vec![vec![Request::new(0, 1, 5)]]);
    assert_eq!(refused, Err(InvalidTaskSet::SectionsExceedWcet { task: 0 }));
}

/// Random tasks with small numbers, resources without and with nesting.
pub(crate) fn any_shared_set() -> impl Strategy<Value = TaskSet> {
    let task = (
        1_u64..8,
        4_u64..40,
        0.2_f64..1.5,
        0_u64..3,
        0_u64..4,
        0_usize..3,
        0_u64..4,
        any::<bool>(),
    );
    proptest::collection::vec(task, 1..6).prop_map(|raw| {
        let mut tasks = Vec::new();
        let mut requests = Vec::new();
        for (i, (c, t, d, j, length, q, inner, nests)) in raw.into_iter().enumerate() {
            let (c, d) = (c.min(t), ((t as f64 * d) as u64).max(1));
            tasks.push(Task::implicit(c, t, i as u32).with_deadline(d).with_jitter(j));
            let length = length.min(c);
            let nested = vec![Request::new(q + 1, 1, inner.min(length))];
            let request = Request::new(q, 1, length);
            requests.push(vec![if nests { request.with_nested(nested) } else { request }]);
        }
        TaskSet::new(tasks).unwrap().with_requests(requests).unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn all_exact_tests_agree(shared in any_shared_set()) {
        let set = shared.without_requests();
        let demand = says(&ProcessorDemand, &set);
        prop_assert_eq!(says(&Qpa, &set), demand);
        prop_assert_eq!(says(&EdfResponseTimes, &set), demand);
    }

    #[test]
    fn jumps_are_as_good_as_steps_with_blocking(set in any_shared_set()) {
        prop_assert_eq!(EdfStackResource.decide(&set), EdfStackResource.by_every_step(&set));
    }

    #[test]
    fn sufficient_tests_are_dominated(set in any_shared_set()) {
        let yes = |test: &dyn SchedulabilityTest| test.decide(&set).is_schedulable();
        let srp = yes(&EdfStackResource);
        prop_assert!(srp || !yes(&EdfNonPreemptiveSections));
        prop_assert!(srp || !yes(&EdfStackResourceDensity));
        prop_assert!(!srp || says(&Qpa, &set.without_requests()));
    }

    #[test]
    fn utilization_decides_implicit_deadlines(shared in any_shared_set()) {
        let tasks = shared.tasks().iter().map(|t| Task::implicit(t.wcet, t.period, 0)).collect();
        let set = TaskSet::new(tasks).unwrap();
        prop_assert_eq!(says(&EdfUtilization, &set), says(&Qpa, &set));
    }
}

#[test]
fn extreme_numbers_are_not_schedulable() {
    let huge = Task::implicit(u64::MAX, u64::MAX, 0);
    for tasks in [
        vec![huge, huge],
        vec![huge.with_jitter(u64::MAX), huge],
        vec![Task::implicit(0, 1, 0).with_jitter(2)],
    ] {
        let set = set(&tasks);
        for test in [
            &ProcessorDemand as &dyn SchedulabilityTest,
            &Qpa,
            &EdfResponseTimes,
            &EdfStackResource,
        ] {
            assert_eq!(test.decide(&set), Verdict::NotShown, "{}", test.metadata().name);
        }
    }
    assert!(
        says(&Qpa, &set(&[]))
            && says(&EdfResponseTimes, &set(&[]))
            && says(&EdfUtilization, &set(&[]))
    );
}
