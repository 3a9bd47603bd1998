//! A short way to a verdict under FMLP+: from deadlines downwards.
//!
//! Whatever responses are long enough for all that delays them, as long as the others
//! respond within their own ones here, bound the least ones. So those of tasks that were
//! looked at already are taken as found, those of all others as their deadlines; what
//! is long enough for a task remains so when others turn out to be faster, so only
//! those for which it was too long are looked at again. If it is too long for one of
//! them even if nobody else takes longer than to execute, the set is refused.
//!
//! A task is first looked at without counting: for each request of a job, a task of
//! another core delays it by one section at most, and a lower task of its core does so
//! whenever it begins to execute. Only where that is too long, requests are counted.

use super::counted::Counted;
use crate::partitioned::layout::Layout;
use crate::windows::{jobs, least, times};

/// The global requests of all tasks, in numbers.
struct Requests {
    /// The number of requests of each job of a task.
    count: Vec<u64>,
    /// The longest section of each task.
    longest: Vec<u64>,
    /// For each core, the longest sections of all its tasks.
    on_core: Vec<u64>,
    /// Those of all cores.
    everywhere: u64,
}

impl Requests {
    fn new(layout: &Layout<'_>) -> Self {
        let tasks = 0..layout.tasks.len();
        let longest: Vec<u64> = tasks.clone().map(|i| layout.longest_global(i)).collect();
        let mut on_core = vec![0_u64; layout.cores];
        for (task, longest) in layout.tasks.iter().zip(&longest) {
            on_core[task.core] = on_core[task.core].saturating_add(*longest);
        }
        Self {
            count: tasks.map(|i| layout.global_requests(i)).collect(),
            everywhere: on_core.iter().copied().fold(0, u64::saturating_add),
            longest,
            on_core,
        }
    }

    /// No less than what delays a task, however long its window.
    fn delay(&self, layout: &Layout<'_>, i: usize) -> u64 {
        let begins = self.count[i].saturating_add(1);
        let elsewhere = self.everywhere.saturating_sub(self.on_core[layout.tasks[i].core]);
        let lower = layout.lower(i).iter().map(|&x| self.longest[x]);
        let at_begins = lower.fold(layout.local_blocking(i), u64::saturating_add);
        times(self.count[i], elsewhere).saturating_add(times(begins, at_begins))
    }
}

/// Returns if all tasks meet their deadlines, where this test can tell.
pub(super) fn all_met(layout: &Layout<'_>, counted: &Counted<'_>) -> Option<bool> {
    let tasks = layout.tasks;
    if tasks.iter().any(|t| t.suspension > 0 || t.wcet == 0) {
        return None;
    }
    let requests = Requests::new(layout);
    let mut reach: Vec<u64> = tasks.iter().map(|t| t.deadline).collect();
    let mut open = layout.order.clone();
    loop {
        let before = open.len();
        open.retain(|&i| {
            let response = response(layout, counted, &requests, (i, &reach));
            reach[i] = response.unwrap_or(reach[i]);
            response.is_none()
        });
        if open.is_empty() {
            return Some(true);
        }
        if open.len() == before {
            break;
        }
    }
    // Nobody responds faster than this.
    let fastest: Vec<u64> = tasks.iter().map(|t| t.jitter.saturating_add(t.wcet)).collect();
    let late = |&i: &usize| response(layout, counted, &requests, (i, &fastest)).is_none();
    open.iter().any(late).then_some(false)
}

/// A response that is long enough for a task, the others' being `reach`.
fn response(
    layout: &Layout<'_>,
    counted: &Counted<'_>,
    requests: &Requests,
    (i, reach): (usize, &[u64]),
) -> Option<u64> {
    let (tasks, task) = (layout.tasks, &layout.tasks[i]);
    let limit = task.deadline.checked_sub(task.jitter)?;
    let own = task.wcet;
    let with_higher = |delay: u64, window: u64| {
        layout.higher(i).iter().fold(own.saturating_add(delay), |sum, &h| {
            let other = &tasks[h];
            let before = match requests.count[h] {
                0 => other.jitter,
                _ => reach[h].saturating_sub(other.wcet),
            };
            sum.saturating_add(times(jobs(window, before, other.period), other.wcet))
        })
    };
    let always = requests.delay(layout, i);
    let window = least(own, limit, |w| with_higher(always, w))
        .or_else(|| least(own, limit, |w| with_higher(counted.waiting(i, w, reach), w)))?;
    Some(window + task.jitter)
}
