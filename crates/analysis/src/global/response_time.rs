//! Response times under global scheduling from interference (RTA).
//!
//! A job's window is its response time, so the interference in it is smaller than
//! in the window of a deadline; and a job that is complete early carries less work
//! into others' windows. Under fixed priorities higher tasks come first. Under EDF
//! everybody's slack helps everybody else's, so all are improved in turns, until
//! nothing changes; that rests on no deadline being missed before.

use super::ASSUMPTIONS;
use super::workload::{Work, carried_in, due, least_window, with_length};
use crate::{Exactness, Family, Metadata, Priority, SchedulabilityTest, Task, TaskSet, Verdict};

/// R = C + floor(sum of min(W_i(R), EDF's bound, R - C + 1) / m) under EDF.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BertognaResponseTime;

/// R = C + floor(sum over higher tasks of min(W_i(R), R - C + 1) / m).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BertognaResponseTimeFixed;

/// The least response time of a task, others doing at most `work(i, window)`.
fn response(
    set: &TaskSet,
    task: &Task,
    others: &[usize],
    work: impl Fn(usize, u64) -> Work,
) -> Option<u64> {
    let (task, less) = with_length(task);
    let window = least_window(&task, task.wcet, set.cores(), |window, limit| {
        others.iter().map(|&i| work(i, window).min(limit)).collect()
    });
    window.map(|window| window - less)
}

/// Bounds under fixed priorities, found by falling priority, without those of whole levels of which
/// one task has none: equals rest on each other's deadlines.
pub(super) fn without_equals_of_late_ones(
    tasks: &[Task],
    mut found: Vec<Option<u64>>,
) -> Vec<Option<u64>> {
    let late = found.iter().zip(tasks).filter(|(bound, _)| bound.is_none());
    let late: Vec<Priority> = late.map(|(_, task)| task.priority).collect();
    for (bound, task) in found.iter_mut().zip(tasks) {
        if late.contains(&task.priority) {
            *bound = None;
        }
    }
    found
}

/// Rounds of improvement under EDF; each takes every task once.
const MOST_ITERATIONS: usize = 100;

fn under_edf(set: &TaskSet) -> Vec<Option<u64>> {
    let tasks = set.tasks();
    let others: Vec<Vec<usize>> =
        (0..tasks.len()).map(|k| (0..tasks.len()).filter(|&i| i != k).collect()).collect();
    // Nothing is known at first but that deadlines are met.
    let mut known: Vec<u64> = tasks.iter().map(|t| t.deadline).collect();
    // At its deadline a job of no length finds all earlier work done, if others meet theirs.
    let of_no_length = |t: &Task| (t.wcet == 0).then_some(t.deadline);
    let mut found: Vec<Option<u64>> = tasks.iter().map(of_no_length).collect();
    for _ in 0..MOST_ITERATIONS {
        let mut improved = false;
        for k in 0..tasks.len() {
            let task = &tasks[k];
            let better = response(set, task, &others[k], |i, window| {
                let slack = tasks[i].deadline - known[i];
                let due = Work::fixed(due(&tasks[i], task.deadline, slack));
                carried_in(&tasks[i], window, known[i]).min(due)
            });
            if let Some(better) = better {
                improved |= better < known[k] || found[k].is_none();
                known[k] = known[k].min(better);
                found[k] = Some(known[k]);
            }
        }
        if !improved {
            break;
        }
    }
    if found.iter().all(Option::is_some) { found } else { vec![None; tasks.len()] }
}

fn under_fixed_priorities(set: &TaskSet) -> Vec<Option<u64>> {
    let tasks = set.tasks();
    let mut order: Vec<usize> = (0..tasks.len()).collect();
    order.sort_by_key(|&i| (std::cmp::Reverse(tasks[i].priority), i));
    let mut found = vec![None; tasks.len()];
    for &k in &order {
        let level = tasks[k].priority;
        let others: Vec<usize> =
            (0..tasks.len()).filter(|&i| i != k && tasks[i].priority >= level).collect();
        // Among equals nothing is known but that deadlines are met.
        let known =
            |i: usize| if tasks[i].priority > level { found[i] } else { Some(tasks[i].deadline) };
        let known: Option<Vec<_>> = others.iter().map(|&i| Some((i, known(i)?))).collect();
        let Some(known) = known else { continue };
        let response_of =
            |i: usize| known.iter().find(|(j, _)| *j == i).map_or(tasks[i].deadline, |(_, r)| *r);
        found[k] = response(set, &tasks[k], &others, |i, window| {
            carried_in(&tasks[i], window, response_of(i))
        });
    }
    without_equals_of_late_ones(tasks, found)
}

impl SchedulabilityTest for BertognaResponseTime {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "rta-global-edf",
            title: "response-time analysis under global EDF",
            source: "Bertogna and Cirinei 2007",
            family: Family::GlobalEarliestDeadline,
            assumptions: ASSUMPTIONS,
            exactness: Exactness::Sufficient,
        }
    }

    fn decide(&self, set: &TaskSet) -> Verdict {
        Verdict::from_condition(under_edf(set).iter().all(Option::is_some))
    }

    fn response_times(&self, set: &TaskSet) -> Option<Vec<Option<u64>>> {
        Some(under_edf(set))
    }
}

impl SchedulabilityTest for BertognaResponseTimeFixed {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "rta-global-fp",
            title: "response-time analysis under global fixed priorities",
            source: "Bertogna and Cirinei 2007",
            family: Family::GlobalFixedPriority,
            assumptions: ASSUMPTIONS,
            exactness: Exactness::Sufficient,
        }
    }

    fn decide(&self, set: &TaskSet) -> Verdict {
        Verdict::from_condition(under_fixed_priorities(set).iter().all(Option::is_some))
    }

    fn response_times(&self, set: &TaskSet) -> Option<Vec<Option<u64>>> {
        Some(under_fixed_priorities(set))
    }
}
