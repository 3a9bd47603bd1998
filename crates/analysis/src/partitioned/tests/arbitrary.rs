//! Any input: nothing panics, and what does not fit is not schedulable.

use proptest::prelude::*;

use super::*;
use crate::partitioned::TESTS;
use crate::partitioned::fmlp::{FmlpPlus, FmlpPlusLinear};

type Raw = (u64, u64, u64, u64, u32, usize, Vec<(usize, u64, u64)>);

fn build(rows: Vec<Raw>) -> TaskSet {
    let mut tasks = Vec::new();
    let mut requests = Vec::new();
    for (wcet, period, deadline, jitter, priority, core, list) in rows {
        let need: u64 =
            list.iter().map(|(_, n, l)| n.saturating_mul(*l)).fold(0, u64::saturating_add);
        let list = if need < u64::MAX { list } else { Vec::new() };
        let wcet = if need < u64::MAX { wcet.max(need) } else { wcet };
        tasks.push(
            Task::implicit(wcet, period, priority)
                .with_deadline(deadline.min(period))
                .with_jitter(jitter)
                .on(core),
        );
        requests.push(list.into_iter().map(|(q, n, l)| Request::new(q, n, l)).collect());
    }
    TaskSet::new(tasks).unwrap().with_requests(requests).unwrap()
}

/// Sets of small numbers on up to three cores.
pub(crate) fn any_set() -> impl Strategy<Value = TaskSet> {
    let list = proptest::collection::vec((0_usize..3, 0_u64..3, 1_u64..4), 0..3);
    let row = (1_u64..10, 20_u64..100, 15_u64..100, 0_u64..4, 0_u32..6, 0_usize..3, list);
    proptest::collection::vec(row, 1..8).prop_map(build)
}

/// Sets of any numbers.
fn wild_set() -> impl Strategy<Value = TaskSet> {
    let number =
        || prop_oneof![0_u64..20, any::<u64>(), (0_u64..64).prop_map(|s| 1 << s), Just(u64::MAX)];
    let positive = || number().prop_map(|n| n.max(1));
    let list = proptest::collection::vec((0_usize..3, number(), number()), 0..3);
    let row = (number(), positive(), positive(), number(), any::<u32>(), 0_usize..4, list);
    proptest::collection::vec(row, 0..6).prop_map(build)
}

/// Checks that a set passes exactly if its bounds hold, and none of them is beyond its deadline.
fn verdicts_agree_with_bounds(tasks: &TaskSet) {
    for test in TESTS {
        let name = test.metadata().name;
        let verdict = test.decide(tasks);
        let Some(bounds) = test.response_times(tasks) else { continue };
        for (bound, task) in bounds.iter().zip(tasks.tasks()) {
            assert!(bound.is_none_or(|b| b <= task.deadline), "{name}");
        }
        assert_eq!(verdict.is_schedulable(), bounds.iter().all(Option::is_some), "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5000))]

    #[test]
    fn the_short_way_under_fmlp_plus_accepts_what_the_longer_one_does(tasks in any_set()) {
        let longer = FmlpPlusLinear.decide(&tasks);
        prop_assert_eq!(FmlpPlus.decide(&tasks), longer);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn nothing_panics_and_bounds_keep_deadlines(tasks in prop_oneof![wild_set(), any_set()]) {
        verdicts_agree_with_bounds(&tasks);
    }

    #[test]
    fn more_work_never_helps(tasks in any_set(), which in 0_usize..8, more in 1_u64..4) {
        let mut longer = tasks.tasks().to_vec();
        let which = which % longer.len();
        longer[which].wcet += more;
        let requests = (0..longer.len()).map(|i| tasks.requests(i).to_vec()).collect();
        let longer = TaskSet::new(longer).unwrap().with_requests(requests).unwrap();
        for test in TESTS {
            let (before, after) = (test.decide(&tasks), test.decide(&longer));
            prop_assert!(
                before.is_schedulable() || !after.is_schedulable(),
                "{}",
                test.metadata().name,
            );
        }
    }
}

#[test]
fn the_empty_set_and_idle_cores_are_schedulable() {
    let empty = TaskSet::new(vec![]).unwrap().with_cores(3).unwrap();
    let one = TaskSet::new(vec![Task::implicit(5, 5, 1).on(2)]).unwrap().with_cores(4).unwrap();
    for test in TESTS {
        assert!(accepts(*test, &empty), "{}", test.metadata().name);
        assert!(accepts(*test, &one), "{}", test.metadata().name);
    }
}

#[test]
fn a_jitter_that_leaves_no_time_to_execute_is_refused_however_large() {
    for latest in [20, u64::MAX - 1, u64::MAX] {
        let alone = |wcet| {
            let tasks = set(&[Task::implicit(wcet, latest, 0).with_jitter(latest)], &[&[]]);
            verdicts_agree_with_bounds(&tasks);
            FmlpPlus.decide(&tasks).is_schedulable()
        };
        assert!(!alone(1), "{latest}");
        // A job that executes nothing is complete as soon as it is released.
        assert!(alone(0), "{latest}");
    }
}

#[test]
fn what_does_not_fit_is_not_schedulable() {
    let half = u64::MAX / 2;
    let tasks = [
        Task::implicit(half, u64::MAX, 3),
        Task::implicit(half, u64::MAX, 2),
        Task::implicit(half, u64::MAX, 1),
    ];
    let tasks = set(&tasks, &[&[], &[], &[]]);
    for test in TESTS {
        assert!(!accepts(*test, &tasks), "{}", test.metadata().name);
    }
}
