//! Tasks that suspend themselves.
//!
//! While a job suspends, lower tasks execute, and when it comes back its work is
//! late and close to the next job's. Treating the suspension S_h of a higher task
//! as its release jitter misses that a late job can still be pending (the error
//! of half a dozen articles: Chen et al. 2019, section 3): for (C, T, S) = (1, 2, 0),
//! (5, 20, 5), (1, 50, 0) it gives 12 for the last task, which can take 22. What is
//! safe: a job starts at most R_h - C_h after its arrival. The task's own
//! suspension counts as execution.
//!
//! Or the window begins earlier, where the higher task that suspends has no job
//! pending either: then its jobs count as they are released, and the window and what
//! comes in it is longer by S_h, for it and for all above it. Each task above may be
//! treated in the one or the other way, and every choice is a bound (Chen, Nelissen
//! and Huang 2016: the unifying framework, in which jitter R - C is x = 0 and the
//! longer window is x = 1). The least of several is taken: of all choices where few
//! tasks suspend, else of three. The second way is for distinct priorities: of equal
//! ones each may execute while the other is pending.

use super::window::{Arrivals, least_window};
use crate::{Assumption, Exactness, Family, Metadata, SchedulabilityTest, Task, TaskSet, Verdict};

/// w = C_i + S_i + sum of ceil((w + A_h) / T_h) C_h with A_h = Q_h + J_h, or Q_h + R_h - C_h for
/// tasks that suspend and do not lengthen the window; Q_h is the sum of S_j over h and tasks
/// between h and i that do. The least over several choices of those that do.
///
/// For tasks of the same priority R_h is not known yet, and D_h takes its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SuspensionAware;

impl SchedulabilityTest for SuspensionAware {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "fp-suspension",
            title: "response-time analysis with self-suspension",
            source: "Chen, Nelissen and Huang 2016 (unifying framework); Chen et al. 2019 (repairs \
                     Bletsas et al.'s jitter)",
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

/// A task above the one that is looked at.
struct Above {
    task: Task,
    /// R - C if it suspends, else J.
    late: u64,
}

/// Choices are tried one by one for so many tasks above that suspend.
const FEW: usize = 5;

fn response(set: &TaskSet, index: usize, known: &[Option<u64>]) -> Option<u64> {
    let own = &set.tasks()[index];
    let mut above = Vec::new();
    for (h, &task) in set.interfering(index) {
        let late = if task.suspension > 0 {
            let bound = if task.priority == own.priority { task.deadline } else { known[h]? };
            bound.saturating_sub(task.wcet).max(task.jitter)
        } else {
            task.jitter
        };
        above.push(Above { task, late });
    }
    above.sort_by_key(|h| std::cmp::Reverse(h.task.priority));
    let start = own.wcet.checked_add(own.suspension)?;
    let limit = own.deadline.checked_sub(own.jitter)?;
    let of_choice = |lengthens: Vec<bool>| window(own, &above, &lengthens, (start, limit));
    let shortest = choices(own, &above).into_iter().filter_map(of_choice).min()?;
    Some(shortest + own.jitter)
}

/// Returns several choices of the tasks above, from the highest down, that lengthen the window.
fn choices(own: &Task, above: &[Above]) -> Vec<Vec<bool>> {
    let suspending: Vec<usize> =
        (0..above.len()).filter(|&h| above[h].task.suspension > 0).collect();
    let levels = above.iter().map(|h| h.task.priority).chain([own.priority]);
    let distinct = levels.clone().zip(levels.skip(1)).all(|(upper, lower)| upper > lower);
    let none = vec![false; above.len()];
    if suspending.is_empty() || !distinct {
        return vec![none];
    }
    let with = |chosen: &dyn Fn(usize) -> bool| {
        let mut choice = none.clone();
        suspending.iter().enumerate().for_each(|(k, &h)| choice[h] = chosen(k));
        choice
    };
    if suspending.len() <= FEW {
        return (0..1_usize << suspending.len())
            .map(|bits| with(&|k| bits >> k & 1 == 1))
            .collect();
    }
    // U_h (R_h - C_h) > S_h times the sum of U over h and above (the article's third choice).
    let mut load = 0.0;
    let better = above.iter().map(|h| {
        let share = h.task.wcet as f64 / h.task.period as f64;
        load += share;
        share * h.late as f64 > h.task.suspension as f64 * load
    });
    let better: Vec<bool> = better.collect();
    vec![none.clone(), with(&|_| true), with(&|k| better[suspending[k]])]
}

/// The window of one choice, from `start` on and up to `limit`.
fn window(
    own: &Task,
    above: &[Above],
    lengthens: &[bool],
    (start, limit): (u64, u64),
) -> Option<u64> {
    // From the lowest up, what the window is longer by.
    let mut longer = 0_u64;
    let mut interference = Vec::with_capacity(above.len());
    for (h, &lengthens) in above.iter().zip(lengthens).rev() {
        let late = if lengthens {
            longer = longer.checked_add(h.task.suspension)?;
            h.task.jitter
        } else {
            h.late
        };
        let jitter = longer.checked_add(late)?;
        interference.push((Arrivals { period: h.task.period, jitter }, h.task.wcet));
    }
    least_window(start, limit, |w| {
        let seen = w.checked_add(own.beyond())?;
        interference.iter().try_fold(start, |sum, (arrivals, wcet)| {
            sum.checked_add(arrivals.within(seen)?.checked_mul(*wcet)?)
        })
    })
}
