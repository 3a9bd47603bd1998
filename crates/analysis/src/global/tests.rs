//! Vectors by hand, dominance, and arbitrary input.

use proptest::prelude::*;

use super::*;
use crate::{Request, SchedulabilityTest, Task, TaskSet};

fn set(cores: usize, tasks: &[(u64, u64, u64)]) -> TaskSet {
    let count = tasks.len() as u32;
    let rows = tasks
        .iter()
        .zip(0..)
        .map(|(&(c, t, d), i)| Task::implicit(c, t, count - i).with_deadline(d));
    TaskSet::new(rows.collect()).unwrap().with_cores(cores).unwrap()
}

fn accepts(test: &dyn SchedulabilityTest, set: &TaskSet) -> bool {
    test.check(set).unwrap().is_schedulable()
}

#[test]
fn densities_decide_exactly_at_the_bound() {
    // 1/2 + 1/2 + 1/2 = 2 - 1/2.
    assert!(accepts(&Gfb, &set(2, &[(1, 2, 2), (2, 4, 4), (3, 6, 6)])));
    assert!(!accepts(&Gfb, &set(2, &[(1, 2, 2), (2, 4, 4), (301, 600, 600)])));
}

#[test]
fn the_effect_of_dhall_is_refused_by_all() {
    // Two light tasks keep the heavy one from its core for one tick.
    // BAR as published accepts.
    let dhall = set(2, &[(1, 10, 10), (1, 10, 10), (10, 11, 10)]);
    for test in TESTS {
        assert!(!accepts(*test, &dhall), "{}", test.metadata().name);
    }
}

#[test]
fn limited_carry_in_by_hand() {
    // Task 2 on two cores: both others fresh, one of them carried in.
    // x = 3: fresh 1 + 1, carried in at most 1 more: floor(3 / 2) = 1: R = 2 + 1 = 3.
    let tasks = set(2, &[(1, 4, 4), (1, 4, 4), (2, 8, 8)]);
    assert_eq!(Guan.response_times(&tasks).unwrap(), [Some(1), Some(1), Some(3)]);
    assert_eq!(
        BertognaResponseTimeFixed.response_times(&tasks).unwrap(),
        [Some(1), Some(1), Some(3)]
    );
}

#[test]
fn forced_forward_demand_counts_what_must_be_done_early() {
    // A heavy task with many light ones: the density bound refuses, forced-forward demand does not.
    let heavy = set(2, &[(7, 10, 10), (4, 20, 20), (4, 20, 20)]);
    assert!(accepts(&ForcedForward, &heavy));
    assert!(accepts(&Gfb, &heavy));
    let constrained = set(2, &[(3, 20, 5), (3, 20, 10), (3, 20, 15), (3, 20, 20), (4, 20, 20)]);
    assert!(!accepts(&Gfb, &constrained));
    assert!(accepts(&ForcedForward, &constrained));
}

#[test]
fn resources_are_outside_the_assumptions() {
    let with = set(2, &[(1, 4, 4)]).with_requests(vec![vec![Request::new(0, 1, 1)]]).unwrap();
    for test in TESTS {
        assert!(test.check(&with).is_err());
    }
}

fn any_set() -> impl Strategy<Value = TaskSet> {
    let number =
        || prop_oneof![1_u64..20, 1_u64..1000, any::<u64>().prop_map(|n| n.max(1)), Just(u64::MAX)];
    let row =
        (prop_oneof![Just(0), number()], number(), number()).prop_map(|(c, t, d)| (c, t, d.min(t)));
    let small = (1_u64..10, 10_u64..40, 10_u64..40).prop_map(|(c, t, d)| (c, t, d.min(t)));
    let rows =
        prop_oneof![proptest::collection::vec(row, 0..6), proptest::collection::vec(small, 1..8)];
    (1_usize..5, rows).prop_map(|(cores, rows)| set(cores, &rows))
}

/// Returns the results of the formulas, window by window: the densest packing, and Guan's.
fn tick_by_tick(set: &TaskSet, limited: bool) -> Option<Vec<u64>> {
    let cores = set.cores() as u64;
    let mut found: Vec<u64> = Vec::new();
    for (k, task) in set.tasks().iter().enumerate() {
        let first = if limited { task.wcet.max(1) } else { task.wcet };
        let ends = (first..=task.deadline).find(|&window| {
            let most = window - task.wcet + 1;
            let fresh = |i: usize| {
                let t = &set.tasks()[i];
                (window / t.period * t.wcet + t.wcet.min(window % t.period)).min(most)
            };
            let carried = |i: usize| {
                let (t, r) = (&set.tasks()[i], found[i]);
                let reach = window + r - t.wcet;
                let packed = reach / t.period * t.wcet + t.wcet.min(reach % t.period);
                let rest = window.saturating_sub(t.wcet);
                let early = (rest % t.period).saturating_sub(t.period - r);
                let started = (rest / t.period + 1) * t.wcet + early.min(t.wcet - 1);
                (if limited { started } else { packed }).min(most)
            };
            let mut more: Vec<u64> = (0..k).map(|i| carried(i).saturating_sub(fresh(i))).collect();
            more.sort_unstable_by(|a, b| b.cmp(a));
            let sum: u64 = if limited {
                (0..k).map(fresh).sum::<u64>() + more.iter().take(cores as usize - 1).sum::<u64>()
            } else {
                (0..k).map(carried).sum()
            };
            task.wcet + sum / cores <= window
        });
        found.push(ends?);
    }
    Some(found)
}

#[test]
fn verdicts_do_not_depend_on_how_fine_ticks_are() {
    // In nanoseconds a window that grows by one tick a step would need 188,960 of them.
    let tasks = set(
        2,
        &[
            (188_960, 10_025_122, 10_025_122),
            (6_371_503, 79_297_469, 79_297_469),
            (31_425_756, 91_231_641, 91_231_641),
        ],
    );
    let last = |test: &dyn SchedulabilityTest| test.response_times(&tasks).unwrap()[2];
    // Four jobs of the first keep both cores while the second has one of them.
    let bound = Some(31_425_756 + 4 * 188_960);
    assert_eq!((last(&Guan), last(&BertognaResponseTimeFixed)), (bound, bound));
    assert!(accepts(&BertognaResponseTime, &tasks));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn windows_are_those_that_are_found_tick_by_tick(
        cores in 1_usize..5,
        rows in proptest::collection::vec((1_u64..30, 10_u64..90, 10_u64..90), 1..9),
    ) {
        let rows: Vec<_> = rows.into_iter().map(|(c, t, d)| (c.min(t), t, d.min(t))).collect();
        let tasks = set(cores, &rows);
        let tests: [(&dyn SchedulabilityTest, bool); 2] =
            [(&Guan, true), (&BertognaResponseTimeFixed, false)];
        for (test, limited) in tests {
            let bounds = test.response_times(&tasks).unwrap();
            let bounds: Option<Vec<u64>> = bounds.into_iter().collect();
            prop_assert_eq!(bounds, tick_by_tick(&tasks, limited), "{}", test.metadata().name);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn nothing_panics_and_bounds_keep_deadlines(tasks in any_set()) {
        for test in TESTS {
            let verdict = test.decide(&tasks);
            let Some(bounds) = test.response_times(&tasks) else { continue };
            prop_assert_eq!(verdict.is_schedulable(), bounds.iter().all(Option::is_some));
            for (bound, task) in bounds.iter().zip(tasks.tasks()) {
                prop_assert!(bound.is_none_or(|b| b <= task.deadline), "{}", test.metadata().name);
            }
        }
    }

    #[test]
    fn response_times_accept_what_windows_of_deadlines_accept(tasks in any_set()) {
        prop_assume!(tasks.tasks().iter().all(|t| t.period < 1 << 60));
        let iterated = accepts(&BertognaResponseTimeFixed, &tasks);
        prop_assert!(!accepts(&BertognaFixed, &tasks) || iterated);
        prop_assert!(!accepts(&Bertogna, &tasks) || accepts(&BertognaResponseTime, &tasks));
        prop_assert!(!accepts(&BertognaResponseTimeFixed, &tasks) || accepts(&Guan, &tasks));
    }

    #[test]
    fn forced_forward_demand_accepts_what_densities_accept(tasks in any_set()) {
        let implicit =
            tasks.tasks().iter().map(|t| Task::implicit(t.wcet.min(t.period), t.period, 0));
        let implicit =
            TaskSet::new(implicit.take(4).collect()).unwrap().with_cores(tasks.cores()).unwrap();
        prop_assume!(implicit.tasks().iter().all(|t| t.period < 1000));
        prop_assert!(!accepts(&Gfb, &implicit) || accepts(&ForcedForward, &implicit));
    }
}
