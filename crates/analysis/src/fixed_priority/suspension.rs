//! Tasks that suspend themselves.
//!
//! While a job suspends, lower tasks execute, and when it comes back its work is
//! late and close to the next job's. Treating the suspension S_h of a higher task
//! as its release jitter misses that a late job can still be pending (the error
//! of half a dozen articles: Chen et al. 2019, section 3): for (C, T, S) = (1, 2, 0),
//! (5, 20, 5), (1, 50, 0) it gives 12 for the last task, which can take 22. What is
//! safe: a job starts at most R_h - C_h after its arrival. The task's own
//! suspension counts as execution.

use super::window::{Arrivals, least_window};
use crate::{Assumption, Exactness, Family, Metadata, SchedulabilityTest, Task, TaskSet, Verdict};

/// w = C_i + S_i + sum of ceil((w + A_h) / T_h) C_h, with A_h = R_h - C_h for tasks that suspend.
///
/// For tasks of the same priority R_h is not known yet, and D_h takes its place. Where neither the
/// task nor one above it suspends, A_h = J_h, the plain analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SuspensionAware;

impl SchedulabilityTest for SuspensionAware {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "fp-suspension",
            title: "response-time analysis with self-suspension",
            source: "Huang, Chen, Zhou and Liu 2015; Chen et al. 2019 (repairs Bletsas et al.'s \
                     jitter)",
            family: Family::FixedPriority,
            assumptions: &[
                Assumption::ConstrainedDeadlines,
                Assumption::NoBlocking,
                Assumption::NoThresholds,
                Assumption::NoResources,
            ],
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

/// Response times by falling priority; `None` from the first task of a core that can miss its
/// deadline on.
fn responses(set: &TaskSet) -> Vec<Option<u64>> {
    let tasks = set.tasks();
    let mut order: Vec<usize> = (0..tasks.len()).collect();
    order.sort_by_key(|&i| (tasks[i].core, std::cmp::Reverse(tasks[i].priority), i));
    let mut known = vec![None; tasks.len()];
    for &i in &order {
        known[i] = response(set, i, &known);
    }
    // A task of the same level may have relied on a deadline that is missed.
    let level = |t: &Task| (t.core, t.priority);
    let failed: Vec<_> =
        order.iter().filter(|&&i| known[i].is_none()).map(|&i| level(&tasks[i])).collect();
    for (bound, task) in known.iter_mut().zip(tasks) {
        if failed.contains(&level(task)) {
            *bound = None;
        }
    }
    known
}

fn response(set: &TaskSet, index: usize, known: &[Option<u64>]) -> Option<u64> {
    let own = &set.tasks()[index];
    let above = || set.interfering(index).map(|(_, t)| t);
    let someone_suspends = own.suspension > 0 || above().any(|t| t.suspension > 0);
    let mut interference = Vec::new();
    for (h, task) in set.interfering(index) {
        let late = if someone_suspends && (task.suspension > 0 || task.jitter > 0) {
            let bound = if task.priority == own.priority { task.deadline } else { known[h]? };
            bound.saturating_sub(task.wcet).max(task.jitter)
        } else {
            task.jitter
        };
        interference.push((Arrivals { period: task.period, jitter: late }, task.wcet));
    }
    let start = own.wcet.checked_add(own.suspension)?;
    let window = least_window(start, own.deadline.checked_sub(own.jitter)?, |w| {
        interference.iter().try_fold(start, |sum, (arrivals, wcet)| {
            let window = w.checked_add(own.beyond())?;
            sum.checked_add(arrivals.within(window)?.checked_mul(*wcet)?)
        })
    })?;
    Some(window + own.jitter)
}
