//! Response times under global fixed priorities with m - 1 tasks carrying in.
//!
//! The window starts where fewer than m higher jobs were active the tick before.
//! So at most m - 1 tasks have jobs that started earlier, and those had the core:
//! one tick of each is done.

use super::ASSUMPTIONS;
use super::response_time::without_equals_of_late_ones;
use super::workload::{Work, carried_in_started, fresh, least_window, with_length};
use crate::{Exactness, Family, Metadata, SchedulabilityTest, Task, TaskSet, Verdict};

/// R = C + floor((sum of fresh work + the m - 1 largest differences to carried-in work) / m).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Guan;

fn response(set: &TaskSet, task: &Task, others: &[(Task, u64)]) -> Option<u64> {
    let carriers = set.cores().saturating_sub(1);
    let mut works: Vec<(Work, Work)> = Vec::with_capacity(others.len());
    let (task, less) = with_length(task);
    let window = least_window(&task, task.wcet, set.cores(), |window, limit| {
        works.clear();
        works.extend(others.iter().map(|(other, response)| {
            let carried = carried_in_started(other, window, *response).min(limit);
            (fresh(other, window).min(limit), carried)
        }));
        works.sort_unstable_by_key(|(fresh, carried)| {
            std::cmp::Reverse(carried.done.saturating_sub(fresh.done))
        });
        // Whoever carries in most now is a choice in longer windows as well; others may be more.
        let chosen = |(place, (fresh, carried)): (usize, &(Work, Work))| {
            if place < carriers && carried.done > fresh.done { *carried } else { *fresh }
        };
        works.iter().enumerate().map(chosen).collect()
    });
    window.map(|window| window - less)
}

fn responses(set: &TaskSet) -> Vec<Option<u64>> {
    let tasks = set.tasks();
    let mut order: Vec<usize> = (0..tasks.len()).collect();
    order.sort_by_key(|&i| (std::cmp::Reverse(tasks[i].priority), i));
    let mut found: Vec<Option<u64>> = vec![None; tasks.len()];
    for &k in &order {
        let level = tasks[k].priority;
        let above = (0..tasks.len()).filter(|&i| i != k && tasks[i].priority >= level);
        // Among equals nothing is known but that deadlines are met.
        let known =
            |i: usize| if tasks[i].priority > level { found[i] } else { Some(tasks[i].deadline) };
        let others: Option<Vec<(Task, u64)>> = above.map(|i| Some((tasks[i], known(i)?))).collect();
        found[k] = others.and_then(|others| response(set, &tasks[k], &others));
    }
    without_equals_of_late_ones(tasks, found)
}

impl SchedulabilityTest for Guan {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "guan",
            title: "response-time analysis with limited carry-in",
            source: "Guan, Stigge, Yi and Yu 2009",
            family: Family::GlobalFixedPriority,
            assumptions: ASSUMPTIONS,
            exactness: Exactness::Sufficient,
        }
    }

    fn decide(&self, set: &TaskSet) -> Verdict {
        Verdict::from_condition(responses(set).iter().all(Option::is_some))
    }

    fn response_times(&self, set: &TaskSet) -> Option<Vec<Option<u64>>> {
        Some(responses(set))
    }
}
