//! Exact tests: what they refuse does go wrong.
//!
//! For each task of a random set its critical instant is built by hand and run:
//! the observed response must be the bound itself, not only at most it.

use fusee_analysis::fixed_priority::{NonPreemptive, PreemptionThresholds, ResponseTimeAnalysis};
use fusee_analysis::generation::{Part, Random};
use fusee_analysis::{SchedulabilityTest, Task, TaskSet};

use super::machine::{Machine, Policy};

/// Tasks with distinct priorities; with and without thresholds.
fn random_set(random: &mut Random, thresholds: bool) -> TaskSet {
    let count = random.whole(2, 5);
    let task = |priority: u64, random: &mut Random| {
        let period = random.whole(4, 30);
        let task =
            Task::implicit(random.whole(1, (period / count).max(1)), period, priority as u32);
        if thresholds { task.with_threshold(random.whole(priority, count) as u32) } else { task }
    };
    TaskSet::new((1..=count).map(|p| task(p, random)).collect()).expect("a consistent set")
}

/// Everything of at least the task's priority at tick 1; the lower task that blocks longest at
/// tick 0.
fn critical_instant(
    set: &TaskSet,
    index: usize,
    blocks: impl Fn(&Task) -> bool,
    end: u64,
) -> Vec<(usize, u64, u64)> {
    let blocker =
        set.lower(index).filter(|(_, t)| blocks(t)).max_by_key(|(_, t)| t.wcet).map(|(i, _)| i);
    let mut jobs: Vec<(usize, u64, u64)> = blocker.map(|b| (b, 0, 0)).into_iter().collect();
    for (i, task) in set.interfering(index).chain([(index, &set.tasks()[index])]) {
        jobs.extend((0..).map(|k| 1 + k * task.period).take_while(|&a| a < end).map(|a| (i, a, a)));
    }
    jobs
}

fn exact(test: &dyn SchedulabilityTest, policy: Policy, thresholds: bool) {
    let mut compared = 0;
    for number in 0..super::count() {
        let mut random = Random::new(0xe8ac7, number, Part::Other);
        let set = random_set(&mut random, thresholds);
        let bounds = test.response_times(&set).expect("a test with response times");
        for (i, task) in set.tasks().iter().enumerate() {
            let Some(bound) = bounds[i].filter(|&b| b <= 60) else { continue };
            let threshold = |t: &Task| {
                policy == Policy::NonPreemptive || t.effective_threshold() >= task.priority
            };
            let jobs = critical_instant(&set, i, threshold, 400);
            let seen = Machine::new(&set, policy, &jobs, &mut random).run(400)[i];
            assert_eq!(seen, bound, "{}: task {i} of set {number}: {set:#?}", test.metadata().name);
            compared += 1;
        }
    }
    assert!(compared >= super::count(), "{compared}");
}

#[test]
fn critical_instants_reach_the_bounds() {
    exact(&ResponseTimeAnalysis, Policy::FixedPriority, false);
    exact(&PreemptionThresholds, Policy::FixedPriority, true);
    exact(&NonPreemptive, Policy::NonPreemptive, false);
}
