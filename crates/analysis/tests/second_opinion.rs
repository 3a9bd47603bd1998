//! Another library's answers, whose theory is machine-checked.
//!
//! The crate `response-time-analysis` implements the analyses that were verified in
//! Prosa (Bozhko and Brandenburg 2020). It counts responses from the release, so the
//! task that is asked about has no jitter, the others have. 10,000 random sets, each
//! under fixed priorities with arbitrary deadlines, without preemption, and under EDF
//! (without jitter); every bound must be equal.

#![allow(clippy::unwrap_used, reason = "tests")]

use fusee_analysis::earliest_deadline::EdfResponseTimes;
use fusee_analysis::fixed_priority::window::Horizon;
use fusee_analysis::fixed_priority::{BusyPeriodAnalysis, NonPreemptive};
use fusee_analysis::generation::{Part, Random};
use fusee_analysis::{SchedulabilityTest, Task, TaskSet};
use response_time_analysis::arrival::Sporadic;
use response_time_analysis::demand::RBF;
use response_time_analysis::time::{Duration, Service};
use response_time_analysis::wcet::Scalar;
use response_time_analysis::{edf, fixed_priority};

const SETS: u64 = 10_000;

/// A set with a utilization of at most 0.97, so that every busy period is short.
fn random_set(index: u64, jitter: bool) -> TaskSet {
    let mut random = Random::new(0x5ec0_4d09, index, Part::Other);
    loop {
        let count = random.whole(1, 6);
        let task = |priority: u64, random: &mut Random| {
            let period = random.whole(3, 100);
            let deadline = random.whole(1, 2 * period);
            let jitter = if jitter { random.whole(0, period) } else { 0 };
            let task =
                Task::implicit(random.whole(1, 2 * period / count + 1), period, priority as u32);
            task.with_deadline(deadline).with_jitter(jitter)
        };
        let tasks: Vec<Task> = (1..=count).map(|p| task(p, &mut random)).collect();
        if tasks.iter().map(|t| t.wcet as f64 / t.period as f64).sum::<f64>() <= 0.97 {
            return TaskSet::new(tasks).unwrap();
        }
    }
}

fn without_jitter_of(set: &TaskSet, index: usize) -> TaskSet {
    let steady = |(i, t): (usize, &Task)| if i == index { t.with_jitter(0) } else { *t };
    TaskSet::new(set.tasks().iter().enumerate().map(steady).collect()).unwrap()
}

fn arrivals(task: &Task) -> Sporadic {
    Sporadic::new(Duration::from(task.period), Duration::from(task.jitter))
}

fn demand(task: &Task) -> RBF<Sporadic, Scalar> {
    RBF::new(arrivals(task), Scalar::new(Service::from(task.wcet)))
}

fn others(set: &TaskSet, index: usize) -> Vec<RBF<Sporadic, Scalar>> {
    set.interfering(index).map(|(_, t)| demand(t)).collect()
}

const LIMIT: u64 = 1_000_000;

#[test]
fn fixed_priorities() {
    for number in 0..SETS {
        let jittery = random_set(number, true);
        for i in 0..jittery.tasks().len() {
            let set = without_jitter_of(&jittery, i);
            let task = &set.tasks()[i];
            let ours = BusyPeriodAnalysis.response(&set, i, Horizon::FAR).map(|r| r.time);
            let rta = fixed_priority::fully_preemptive::dedicated_uniproc_rta;
            let theirs = rta(&demand(task), &others(&set, i), Duration::from(LIMIT));
            assert_eq!(ours, theirs.ok().map(u64::from), "task {i} of set {number}: {set:#?}");
        }
    }
}

/// A bound as tests give it: not beyond the deadline.
fn in_time(bound: Option<u64>, task: &Task) -> Option<u64> {
    bound.filter(|&bound| bound <= task.deadline)
}

#[test]
fn no_preemption() {
    for number in 0..SETS {
        let jittery = random_set(number, true);
        for i in 0..jittery.tasks().len() {
            let set = without_jitter_of(&jittery, i);
            let (task, ours) = (&set.tasks()[i], NonPreemptive.response_times(&set).unwrap());
            let blocking = set.lower(i).map(|(_, t)| t.wcet - 1).max().unwrap_or(0);
            let under_analysis = fixed_priority::fully_nonpreemptive::TaskUnderAnalysis {
                wcet: Scalar::new(Service::from(task.wcet)),
                arrivals: &arrivals(task),
                blocking_bound: Service::from(blocking),
            };
            let rta = fixed_priority::fully_nonpreemptive::dedicated_uniproc_rta;
            let theirs = rta(&under_analysis, &others(&set, i), Duration::from(LIMIT));
            let theirs = in_time(theirs.ok().map(u64::from), task);
            assert_eq!(ours[i], theirs, "task {i} of set {number}: {set:#?}");
        }
    }
}

#[test]
fn earliest_deadline_first() {
    for number in 0..SETS {
        let set = random_set(number, false);
        let ours = EdfResponseTimes.response_times(&set).unwrap();
        let demands: Vec<_> = set.tasks().iter().map(demand).collect();
        let task = |i: usize| edf::fully_preemptive::Task {
            rbf: &demands[i],
            deadline: Duration::from(set.tasks()[i].deadline),
        };
        for (i, ours) in ours.into_iter().enumerate() {
            let others: Vec<_> = (0..demands.len()).filter(|&j| j != i).map(task).collect();
            let theirs = edf::fully_preemptive::dedicated_uniproc_rta(
                &task(i),
                &others,
                Duration::from(LIMIT),
            );
            let theirs = in_time(theirs.ok().map(u64::from), &set.tasks()[i]);
            assert_eq!(ours, theirs, "task {i} of set {number}: {set:#?}");
        }
    }
}
