//! Every test in the registry on anything that is a task set.
//!
//! Numbers from 0 to 2^64 - 1, none of them sensible: every answer is a verdict or
//! names an assumption; nothing overflows, hangs or panics. And where several tests
//! cover a set, what a weaker one accepts a stronger one accepts too.

#![allow(clippy::unwrap_used, reason = "tests")]

use fusee_analysis::registry::{all, by_name};
use fusee_analysis::{Request, SchedulabilityTest, Task, TaskSet};
use proptest::prelude::*;

/// Small numbers, numbers near the limits of signed and unsigned ones, and anything.
fn any_number() -> impl Strategy<Value = u64> {
    prop_oneof![
        4 => 0_u64..40,
        1 => (1_u64 << 63) - 3..(1 << 63) + 3,
        1 => u64::MAX - 3..=u64::MAX,
        1 => any::<u64>(),
    ]
}

prop_compose! {
    fn any_task()(
        wcet in any_number(), period in any_number(), deadline in any_number(),
        jitter in any_number(),
        rest in any_number(), which in 0_u8..6, priority in prop_oneof![0_u32..4, any::<u32>()],
        core in 0_usize..3,
    ) -> Task {
        let deadline = if which < 3 { period } else { deadline };
        let mut task =
            Task::implicit(wcet, period.max(1), priority).with_deadline(deadline.max(1)).on(core);
        match which {
            0 => task.jitter = jitter,
            1 => task.suspension = rest,
            2 => task.blocking = rest,
            3 => task.threshold = Some(u32::MAX),
            4 => task.offset = rest,
            _ => {}
        }
        task
    }
}

fn any_request() -> impl Strategy<Value = Request> {
    (0_usize..4, 0_u64..3, any_number(), any::<bool>(), 0_u64..3).prop_map(
        |(resource, count, length, nests, inner)| {
            let request = Request::new(resource, count, length);
            if nests {
                request.with_nested(vec![Request::new(resource + 1, 1, inner)])
            } else {
                request
            }
        },
    )
}

/// Any tasks; with any resources if those are consistent with them.
fn any_set() -> impl Strategy<Value = TaskSet> {
    let tasks = proptest::collection::vec(
        (any_task(), proptest::collection::vec(any_request(), 0..3)),
        0..6,
    );
    tasks.prop_map(|both| {
        let (tasks, requests): (Vec<Task>, Vec<Vec<Request>>) = both.into_iter().unzip();
        let set = TaskSet::new(tasks).unwrap();
        set.clone().with_requests(requests).unwrap_or(set)
    })
}

/// A test and one that accepts all that it accepts.
const DOMINATED: [(&str, &str); 11] = [
    ("fp-liu-layland", "fp-hyperbolic"),
    ("fp-hyperbolic-published", "fp-rta"),
    ("fp-hyperbolic", "fp-rta"),
    ("fp-rta", "fp-rta-arbitrary"),
    ("fp-rta-arbitrary", "fp-rta"),
    ("fp-npcs", "fp-ipcp"),
    ("fp-pip", "fp-pip-matching"),
    ("fp-pcp", "fp-ipcp"),
    ("edf-demand", "edf-qpa"),
    ("edf-srp-density", "edf-srp"),
    ("edf-npcs", "edf-srp"),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn every_test_answers(set in any_set()) {
        for test in all() {
            let answer = test.check(&set);
            prop_assert_eq!(answer.is_ok(), test.covers(&set).is_ok());
            let _ = test.decide(&set);
            if let Some(bounds) = test.response_times(&set) {
                prop_assert_eq!(bounds.len(), set.tasks().len(), "{}", test.metadata().name);
            }
        }
    }
}

/// Sets with numbers that make sense, so that verdicts differ.
fn plausible_set() -> impl Strategy<Value = TaskSet> {
    let task = (1_u64..9, 8_u64..60, 0_usize..3, 1_u64..4, any::<bool>());
    proptest::collection::vec(task, 1..6).prop_map(|raw| {
        let tasks =
            raw.iter().enumerate().map(|(i, &(c, t, ..))| Task::implicit(c, t, i as u32)).collect();
        let requests =
            raw.iter().map(
                |&(c, _, q, length, used)| {
                    if used { vec![Request::new(q, 1, length.min(c))] } else { vec![] }
                },
            );
        TaskSet::new(tasks).unwrap().with_requests(requests.collect()).unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn stronger_tests_accept_more(shared in plausible_set()) {
        let alone = shared.clone().without_requests();
        for (weak, strong) in DOMINATED {
            for set in [&shared, &alone] {
                let (weaker, stronger) =
                    (by_name(weak).unwrap().check(set), by_name(strong).unwrap().check(set));
                if let (Ok(weaker), Ok(stronger)) = (weaker, stronger) {
                    prop_assert!(stronger.is_schedulable() || !weaker.is_schedulable(), "{weak} \
                        and not {strong}");
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(250))]

    #[test]
    fn verdicts_are_what_response_times_say(set in plausible_set(), small in degenerate_set()) {
        for set in [&set, &small, &small.clone().without_requests()] {
            for test in all() {
                agree(test, set)?;
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn verdicts_are_what_response_times_say_whatever_the_numbers(set in any_set()) {
        for test in all() {
            agree(test, &set)?;
        }
    }
}

/// A set is schedulable if each task has a bound, and no bound is beyond its deadline.
fn agree(test: &dyn SchedulabilityTest, set: &TaskSet) -> Result<(), TestCaseError> {
    let name = test.metadata().name;
    let Ok(verdict) = test.check(set) else { return Ok(()) };
    prop_assert_eq!(test.decide(set), verdict, "{}", name);
    if let Some(bounds) = test.response_times(set) {
        let beyond = bounds.iter().zip(set.tasks()).any(|(b, t)| b.is_some_and(|b| b > t.deadline));
        prop_assert!(!beyond, "{}: {:?}", name, bounds);
        let all = bounds.iter().all(Option::is_some);
        prop_assert_eq!(all, verdict.is_schedulable(), "{}: {:?}", name, bounds);
    }
    Ok(())
}

/// Sets at the edges: lengths of 0, equal numbers, jitter beyond the period, deadlines on both
/// sides of it.
fn degenerate_set() -> impl Strategy<Value = TaskSet> {
    let task = (0_u64..6, 1_u64..14, 1_u64..28, 0_u64..20, 0_u8..4, 0_u32..3, 0_usize..3);
    let request = (0_usize..3, 0_u64..3, 0_u64..3);
    let both = (task, proptest::collection::vec(request, 0..2));
    let drawn = (proptest::collection::vec(both, 1..6), 0_u8..3);
    drawn.prop_map(|(raw, kind)| {
        let mut tasks = Vec::new();
        let mut requests = Vec::new();
        for ((wcet, period, deadline, jitter, which, priority, core), list) in raw {
            let list: Vec<Request> =
                list.into_iter().map(|(q, n, l)| Request::new(q, n, l)).collect();
            let inside: u64 = list.iter().map(|r| r.count * r.length).sum();
            // Most tests know deadlines up to the period only, and half of them no jitter.
            let deadline = if kind == 0 { deadline } else { deadline.min(period) };
            let core = if kind == 1 { 0 } else { core };
            let task = Task::implicit(wcet.max(inside), period, priority);
            let jitter = if which == 0 { jitter } else { 0 };
            tasks.push(task.with_deadline(deadline).with_jitter(jitter).on(core));
            requests.push(list);
        }
        TaskSet::new(tasks).unwrap().with_requests(requests).unwrap()
    })
}
