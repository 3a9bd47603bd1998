//! Published vectors, counter-examples and dominance.

use proptest::prelude::*;

use super::assignment::{audsley, deadline_monotonic};
use super::window::Horizon;
use super::*;
use crate::{Assumption, InvalidTaskSet, SchedulabilityTest, Task, TaskSet, Verdict};

fn set(tasks: &[Task]) -> TaskSet {
    TaskSet::new(tasks.to_vec()).unwrap()
}

fn response(set: &TaskSet, index: usize) -> Option<u64> {
    BusyPeriodAnalysis.response(set, index, Horizon::FAR).map(|r| r.time)
}

#[test]
fn arbitrary_deadline_vectors() {
    let first_high = set(&[Task::implicit(52, 100, 2), Task::implicit(52, 140, 1)]);
    assert_eq!([response(&first_high, 0), response(&first_high, 1)], [Some(52), Some(156)]);
    let second_high = set(&[Task::implicit(52, 100, 1), Task::implicit(52, 140, 2)]);
    assert_eq!([response(&second_high, 0), response(&second_high, 1)], [Some(108), Some(52)]);
    let later = BusyPeriodAnalysis.response(&second_high, 0, Horizon::FAR).unwrap();
    assert_eq!(later.job, 1, "the worst job is the second one of the busy period");
}

#[test]
fn jitter_counts_in_what_is_compared_with_the_deadline() {
    // w = 3 and J = 3: R = 6 > 5, although w <= D.
    let late = set(&[Task::implicit(3, 10, 1).with_deadline(5).with_jitter(3)]);
    assert_eq!(response(&late, 0), Some(6));
    assert_eq!(ResponseTimeAnalysis.check(&late), Ok(Verdict::NotShown));
    assert_eq!(BusyPeriodAnalysis.check(&late), Ok(Verdict::NotShown));
}

#[test]
fn jitter_of_others_adds_releases() {
    // Two releases of the first fall into the window of the second: 2 + 2 * 3 = 8.
    let tasks = set(&[Task::implicit(3, 10, 2).with_jitter(6), Task::implicit(2, 20, 1)]);
    assert_eq!(response(&tasks, 1), Some(8));
    assert_eq!(ResponseTimeAnalysis.response(&tasks, 1), Some(8));
}

#[test]
fn equal_priorities_interfere_both_ways() {
    let tasks = set(&[Task::implicit(2, 10, 1), Task::implicit(3, 10, 1)]);
    assert_eq!([response(&tasks, 0), response(&tasks, 1)], [Some(5), Some(5)]);
}

#[test]
fn published_hyperbolic_bound_accepts_a_set_that_misses() {
    // (0.5, 2) and (10, 100) on one level, in half units.
    let tasks = set(&[Task::implicit(1, 4, 1), Task::implicit(20, 200, 1)]);
    assert!(PublishedHyperbolicBound.condition(&tasks));
    let outside = PublishedHyperbolicBound.check(&tasks).unwrap_err();
    assert_eq!((outside.assumption, outside.task), (Assumption::EqualPeriodsOnOneLevel, 1));
    assert_eq!(HyperbolicBound.check(&tasks), Ok(Verdict::NotShown));
    assert_eq!(ResponseTimeAnalysis.check(&tasks), Ok(Verdict::NotShown));
    assert!(response(&tasks, 0).unwrap() > 20);
}

#[test]
fn hyperbolic_bound_is_exact_at_the_bound() {
    // 1.25 * 1.6 = 2; in floats 1.6 is already too large or too small.
    let at = set(&[Task::implicit(1, 4, 2), Task::implicit(6, 10, 1)]);
    assert_eq!(HyperbolicBound.check(&at), Ok(Verdict::Schedulable));
    assert_eq!(PublishedHyperbolicBound.check(&at), Ok(Verdict::Schedulable));
    let above =
        set(&[Task::implicit(1 << 40, 1 << 42, 2), Task::implicit(6 << 40 | 1, 10 << 40, 1)]);
    assert_eq!(HyperbolicBound.check(&above), Ok(Verdict::NotShown));
    let blocked = set(&[Task::implicit(1, 4, 2), Task::implicit(5, 10, 1).with_blocking(1)]);
    assert_eq!(HyperbolicBound.check(&blocked), Ok(Verdict::Schedulable));
}

#[test]
fn liu_layland_at_its_edges() {
    let half = |b| {
        set(&[Task::implicit(4142, 10_000, 2), Task::implicit(4142, 10_000, 1).with_blocking(b)])
    };
    assert_eq!(LiuLayland.check(&half(0)), Ok(Verdict::Schedulable), "0.8284 <= 0.828427");
    assert_eq!(LiuLayland.check(&half(1)), Ok(Verdict::NotShown), "0.8285 > 0.828427");
    assert_eq!(LiuLayland.check(&set(&[Task::implicit(7, 7, 1)])), Ok(Verdict::Schedulable));
    assert_eq!(LiuLayland.check(&set(&[])), Ok(Verdict::Schedulable));
    let unequal = set(&[Task::implicit(1, 4, 1), Task::implicit(1, 8, 1)]);
    assert_eq!(
        LiuLayland.check(&unequal).unwrap_err().assumption,
        Assumption::EqualPeriodsOnOneLevel
    );
}

#[test]
fn questions_outside_the_assumptions_are_errors() {
    let late = set(&[Task::implicit(1, 4, 1).with_deadline(5)]);
    let error = ResponseTimeAnalysis.check(&late).unwrap_err();
    assert_eq!(
        error.to_string(),
        "fp-rta assumes deadlines no longer than periods, which task 0 breaks"
    );
    let jitter = set(&[Task::implicit(1, 4, 1).with_jitter(1)]);
    assert_eq!(HyperbolicBound.check(&jitter).unwrap_err().assumption, Assumption::NoJitter);
    let reversed = set(&[Task::implicit(1, 4, 1), Task::implicit(1, 8, 2)]);
    assert_eq!(LiuLayland.check(&reversed).unwrap_err().assumption, Assumption::RateMonotonic);
    assert_eq!(
        TaskSet::new(vec![Task::implicit(1, 0, 1)]),
        Err(InvalidTaskSet::ZeroPeriod { task: 0 })
    );
}

#[test]
fn overflow_is_not_schedulable() {
    let huge = set(&[Task::implicit(u64::MAX, u64::MAX, 2), Task::implicit(u64::MAX, u64::MAX, 1)]);
    assert_eq!(response(&huge, 1), None);
    for test in [
        &ResponseTimeAnalysis as &dyn SchedulabilityTest,
        &BusyPeriodAnalysis,
        &HyperbolicBound,
        &LiuLayland,
    ] {
        assert_eq!(test.check(&huge), Ok(Verdict::NotShown), "{}", test.metadata().name);
    }
}

#[test]
fn audsley_finds_what_deadline_monotonic_misses() {
    // With jitter, deadline-monotonic order is not optimal.
    let tasks = set(&[
        Task::implicit(2, 20, 0).with_deadline(10).with_jitter(0),
        Task::implicit(4, 20, 0).with_deadline(11).with_jitter(7),
    ]);
    let passes = |s: &TaskSet, i| ResponseTimeAnalysis.response(s, i).is_some();
    let monotonic = tasks.clone().with_priorities(&deadline_monotonic(&tasks));
    assert_eq!(ResponseTimeAnalysis.check(&monotonic), Ok(Verdict::NotShown));
    let found = audsley(&tasks, passes).unwrap();
    assert_eq!(found, [1, 2]);
    assert_eq!(
        ResponseTimeAnalysis.check(&tasks.with_priorities(&found)),
        Ok(Verdict::Schedulable)
    );
}

/// Random tasks with small numbers.
fn any_set(most: usize) -> impl Strategy<Value = TaskSet> {
    let task = (1_u64..12, 4_u64..60, 1_u64..80, 0_u64..10, 0_u64..6, 0_u32..4);
    proptest::collection::vec(task, 1..most).prop_map(|tasks| {
        let tasks = tasks.into_iter().map(|(c, t, d, j, b, p)| {
            Task::implicit(c.min(t), t, p).with_deadline(d).with_jitter(j).with_blocking(b)
        });
        TaskSet::new(tasks.collect()).unwrap()
    })
}

/// The same, implicit deadlines and no jitter.
fn implicit(set: &TaskSet) -> TaskSet {
    let tasks = set
        .tasks()
        .iter()
        .map(|t| Task::implicit(t.wcet, t.period, t.priority).with_blocking(t.blocking));
    TaskSet::new(tasks.collect()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn busy_period_is_plain_analysis_where_deadlines_are_constrained(tasks in any_set(6)) {
        for (i, task) in tasks.tasks().iter().enumerate().filter(|(_, t)| t.deadline <= t.period) {
            let whole = response(&tasks, i).filter(|&r| r <= task.deadline);
            prop_assert_eq!(ResponseTimeAnalysis.response(&tasks, i), whole);
        }
    }

    #[test]
    fn quick_verdicts_are_those_of_the_iteration(tasks in any_set(7), cores in 1_usize..3) {
        let tasks = tasks.tasks().iter().enumerate();
        let tasks = tasks.map(|(i, t)| t.on(i % cores).with_deadline(t.deadline.min(t.period)));
        let tasks = tasks.map(|t| if t.jitter < 5 { t.with_jitter(0) } else { t });
        let set = TaskSet::new(tasks.collect()).unwrap();
        let iterated =
            (0..set.tasks().len()).all(|i| ResponseTimeAnalysis.response(&set, i).is_some());
        prop_assert_eq!(ResponseTimeAnalysis.check(&set), Ok(Verdict::from_condition(iterated)));
    }

    #[test]
    fn bounds_on_utilisation_accept_nothing_that_exact_analysis_refuses(tasks in any_set(6)) {
        let tasks = implicit(&tasks);
        let exact = ResponseTimeAnalysis.check(&tasks).unwrap();
        let bounds: [&dyn SchedulabilityTest; 3] =
            [&HyperbolicBound, &LiuLayland, &PublishedHyperbolicBound];
        for test in bounds {
            if test.check(&tasks) == Ok(Verdict::Schedulable) {
                prop_assert_eq!(exact, Verdict::Schedulable, "{}", test.metadata().name);
            }
        }
    }

    #[test]
    fn liu_layland_accepts_nothing_that_the_hyperbolic_bound_refuses(tasks in any_set(6)) {
        let tasks = implicit(&tasks);
        let tasks = tasks.clone().with_priorities(&assignment::rate_monotonic(&tasks));
        if LiuLayland.check(&tasks) == Ok(Verdict::Schedulable) {
            prop_assert_eq!(HyperbolicBound.check(&tasks), Ok(Verdict::Schedulable));
        }
    }

    #[test]
    fn more_work_never_means_a_shorter_response(
        tasks in any_set(5),
        which in 0_usize..5,
        more in 1_u64..5,
    ) {
        let mut larger = tasks.tasks().to_vec();
        let which = which % larger.len();
        larger[which].wcet += more;
        let larger = set(&larger);
        for i in 0..tasks.tasks().len() {
            let (before, after) = (response(&tasks, i), response(&larger, i));
            prop_assert!(after.is_none() || before.is_some_and(|b| b <= after.unwrap()));
        }
    }

    #[test]
    fn audsley_finds_an_assignment_whenever_there_is_one(tasks in any_set(5)) {
        let passes =
            |s: &TaskSet, i: usize| response(s, i).is_some_and(|r| r <= s.tasks()[i].deadline);
        let count = tasks.tasks().len();
        let exists = permutations(count).into_iter().any(|p| {
            let candidate = tasks.clone().with_priorities(&p);
            (0..count).all(|i| passes(&candidate, i))
        });
        prop_assert_eq!(audsley(&tasks, passes).is_some(), exists);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_least_thresholds_do_whenever_any_do(tasks in any_set(4)) {
        let free = tasks.clone().with_blocking(&vec![0; tasks.tasks().len()]);
        let accepted = |thresholds: &[u32]| {
            let tried = free.clone().with_thresholds(thresholds);
            tried.is_ok_and(|t| PreemptionThresholds.check(&t) == Ok(Verdict::Schedulable))
        };
        // Priorities are 0 to 3.
        let choices = (0..4_u32.pow(tasks.tasks().len() as u32)).map(|number| {
            (0..tasks.tasks().len() as u32).map(|i| number / 4_u32.pow(i) % 4).collect::<Vec<_>>()
        });
        let all: Vec<Vec<u32>> = choices.filter(|choice| accepted(choice)).collect();
        let found = assignment::preemption_thresholds(&free);
        prop_assert_eq!(found.is_some(), !all.is_empty());
        if let Some(found) = found {
            prop_assert!(accepted(&found));
            let least = |i: usize| all.iter().map(|choice| choice[i]).min();
            prop_assert!((0..found.len()).all(|i| least(i) == Some(found[i])));
        }
    }
}

/// All orders of 1..=n.
fn permutations(n: usize) -> Vec<Vec<u32>> {
    if n == 0 {
        return vec![vec![]];
    }
    let mut all = Vec::new();
    for shorter in permutations(n - 1) {
        for position in 0..=shorter.len() {
            let mut longer = shorter.clone();
            longer.insert(position, n as u32);
            all.push(longer);
        }
    }
    all
}
