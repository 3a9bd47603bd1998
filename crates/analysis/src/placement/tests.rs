//! Textbook packings, and what holds for every packing.

use proptest::prelude::*;

use super::*;
use crate::fixed_priority::ResponseTimeAnalysis;
use crate::{Request, Task};

/// Tasks of period 100 with these execution times.
fn set(cores: usize, wcets: &[u64]) -> TaskSet {
    let tasks = wcets.iter().enumerate().map(|(i, &c)| Task::implicit(c, 100, i as u32)).collect();
    TaskSet::new(tasks).unwrap().with_cores(cores).unwrap()
}

fn places(set: &TaskSet, fit: Fit, order: Order) -> Option<Vec<usize>> {
    let placed = Placement { fit, order }.place(set, &by_utilization)?;
    Some(placed.tasks().iter().map(|t| t.core).collect())
}

#[test]
fn each_fit_has_its_own_way() {
    let tasks = set(3, &[50, 70, 20, 30, 40]);
    assert_eq!(places(&tasks, Fit::First, Order::Given), Some(vec![0, 1, 0, 0, 2]));
    assert_eq!(places(&tasks, Fit::Next, Order::Given), Some(vec![0, 1, 1, 2, 2]));
    assert_eq!(places(&tasks, Fit::Best, Order::Given), Some(vec![0, 1, 1, 0, 2]));
    assert_eq!(places(&tasks, Fit::Worst, Order::Given), Some(vec![0, 1, 2, 2, 0]));
    assert_eq!(places(&tasks, Fit::Worst, Order::DecreasingUtilization), Some(vec![1, 0, 1, 2, 2]));
}

#[test]
fn any_fit_finds_what_others_miss() {
    let tasks = set(2, &[50, 50, 60, 40]);
    assert_eq!(places(&tasks, Fit::Worst, Order::Given), None);
    assert_eq!(places(&tasks, Fit::Any, Order::Given), Some(vec![0, 0, 1, 1]));
}

#[test]
fn full_cores_are_accepted_exactly() {
    assert!(places(&set(2, &[70, 30, 1, 99]), Fit::First, Order::Given).is_some());
    assert!(places(&set(2, &[70, 30, 2, 99]), Fit::Any, Order::Given).is_none());
}

#[test]
fn a_test_decides_where_it_is_asked_to() {
    // Utilization 1 with these periods is beyond fixed priorities.
    let tasks = vec![Task::implicit(5, 10, 2), Task::implicit(7, 14, 1)];
    let pair = TaskSet::new(tasks).unwrap().with_cores(2).unwrap();
    let placement = Placement { fit: Fit::First, order: Order::Given };
    assert_eq!(placement.place(&pair, &by_utilization).unwrap().tasks()[1].core, 0);
    assert_eq!(placement.place(&pair, &by_test(&ResponseTimeAnalysis)).unwrap().tasks()[1].core, 1);
}

#[test]
fn bundles_stay_together_and_break_where_they_must() {
    let uses = |qs: &[usize]| qs.iter().map(|&q| Request::new(q, 1, 1)).collect::<Vec<_>>();
    let shared = |wcets: &[u64], lists: &[&[usize]]| {
        set(2, wcets).with_requests(lists.iter().map(|qs| uses(qs)).collect()).unwrap()
    };
    let bundle_of =
        |set: &TaskSet| places(set, Fit::ResourceAware, Order::DecreasingUtilization).unwrap();
    let two = bundle_of(&shared(&[40, 40, 40, 40], &[&[0], &[1], &[0], &[1]]));
    assert_eq!((two[0] == two[2], two[1] == two[3], two[0] == two[1]), (true, true, false));
    let worst =
        places(&shared(&[40, 40, 40, 40], &[&[0], &[1], &[0], &[1]]), Fit::Worst, Order::Given)
            .unwrap();
    assert_eq!(worst, [0, 1, 0, 1], "worst fit is lucky here");
    // 0-1-2 chain through resources 0 and 1; together they exceed a core.
    let chain = bundle_of(&shared(&[40, 50, 45, 30], &[&[0], &[0, 1, 2], &[1], &[1, 2]]));
    assert_eq!(chain[1], chain[3], "the pair with two resources in common: {chain:?}");
}

proptest! {
    #[test]
    fn every_placed_core_is_accepted(
        wcets in proptest::collection::vec(1_u64..100, 0..12), cores in 1_usize..5,
        fit in 0_usize..6, order in 0_usize..4,
    ) {
        let fit = [Fit::First, Fit::Next, Fit::Best, Fit::Worst, Fit::Any, Fit::ResourceAware][fit];
        let order =
            [
                Order::Given,
                Order::DecreasingUtilization,
                Order::DecreasingDensity,
                Order::IncreasingPeriod,
            ][order];
        let tasks = set(cores, &wcets);
        let requests = (0..wcets.len()).map(|i| vec![Request::new(i % 3, 1, 1)]).collect();
        let shared = tasks.clone().with_requests(requests).unwrap();
        let placement = Placement { fit, order };
        prop_assert_eq!(
            placement.place_by_utilization(&shared),
            placement.place(&shared, &by_utilization),
        );
        if let Some(placed) = (Placement { fit, order }).place(&tasks, &by_utilization) {
            for core in 0..cores {
                prop_assert!(placed.on_core(core).map(|(_, t)| t.wcet).sum::<u64>() <= 100);
            }
        } else {
            prop_assert!(wcets.iter().sum::<u64>() >= least_refused(cores, &wcets, placement));
        }
    }
}

/// The least work of which a way to place can leave a task over, per 100 ticks.
///
/// That task fits on no core, so each core and the task exceed 100 together. All but
/// worst fit open a core only for what fits on none before it (next fit: on the one
/// before), so neighbors exceed 100 too, and with the task left over all of them
/// exceed half. Worst fit spreads small tasks first; only where they come last is a
/// task left over with cores that are half full.
fn least_refused(cores: usize, wcets: &[u64], placement: Placement) -> u64 {
    let cores = cores as u64;
    let falling =
        matches!(placement.order, Order::DecreasingUtilization | Order::DecreasingDensity);
    if placement.fit == Fit::Worst && !falling {
        let longest = wcets.iter().max().copied().unwrap_or(0);
        return cores * (101 - longest) + longest;
    }
    50 * cores + 1
}
