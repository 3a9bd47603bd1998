//! Response times under global fixed priorities with m - 1 tasks carrying in.
//!
//! The window starts where fewer than m higher jobs were active the tick before.
//! So at most m - 1 tasks have jobs that started earlier, and those had the core:
//! one tick of each is done.

use super::ASSUMPTIONS;
use super::workload::fresh;
use crate::partitioned::window::least;
use crate::{Exactness, Family, Metadata, SchedulabilityTest, Task, TaskSet, Verdict};

/// R = C + floor((sum of fresh work + the m - 1 largest differences to carried-in work) / m).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Guan;

/// floor((x - C)_0 / T) C + C + min(C - 1, ((x - C)_0 mod T - (T - R))_0)
fn carried_in(task: &Task, window: u64, response: u64) -> u64 {
    if task.wcet == 0 {
        return 0;
    }
    let rest = window.saturating_sub(task.wcet);
    let whole = (rest / task.period).saturating_add(1).saturating_mul(task.wcet);
    let early = (rest % task.period).saturating_sub(task.period.saturating_sub(response));
    whole.saturating_add(early.min(task.wcet - 1))
}

fn response(set: &TaskSet, task: &Task, others: &[(Task, u64)]) -> Option<u64> {
    let carriers = set.cores().saturating_sub(1);
    let mut differences = Vec::with_capacity(others.len());
    least(task.wcet.max(1), task.deadline, |window| {
        let most = window.saturating_sub(task.wcet).saturating_add(1);
        differences.clear();
        let mut sum = 0_u128;
        for (other, response) in others {
            let without = fresh(other, window).min(most);
            sum += u128::from(without);
            differences
                .push(carried_in(other, window, *response).min(most).saturating_sub(without));
        }
        differences.sort_unstable_by(|a, b| b.cmp(a));
        sum += differences.iter().take(carriers).map(|&d| u128::from(d)).sum::<u128>();
        let share = sum / (set.cores().max(1) as u128);
        u64::try_from(share).map_or(u64::MAX, |share| task.wcet.saturating_add(share))
    })
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
    if found.iter().all(Option::is_some) { found } else { vec![None; tasks.len()] }
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
