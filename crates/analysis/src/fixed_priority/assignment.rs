//! Choosing priorities.
//!
//! Deadline-monotonic order is optimal for constrained deadlines without jitter
//! and blocking (Leung and Whitehead 1982). Audsley's algorithm (1991) is optimal
//! for every test in which a task's verdict depends only on *which* tasks are
//! above it, not on their order: with jitter, with arbitrary deadlines, with fixed
//! blocking terms. Blocking that itself depends on the order (most protocols) is
//! outside that, so there its answer is a good try and no proof of absence.
//!
//! Thresholds go from the lowest priority up, each the least with which its task meets
//! the deadline (Wang and Saksena 1999). A response does not grow with the task's own
//! threshold and grows with those of lower tasks only, which block; so if any thresholds
//! do for these priorities, the least ones do.

use std::cmp::Reverse;

use super::thresholds::response;
use crate::{Priority, Task, TaskSet};

/// Distinct priorities n, ..., 1: the shorter the deadline, the higher; ties by position.
pub fn deadline_monotonic(set: &TaskSet) -> Vec<Priority> {
    ranked(set, |i| set.tasks()[i].deadline)
}

/// Distinct priorities n, ..., 1: the shorter the period, the higher; ties by position.
pub fn rate_monotonic(set: &TaskSet) -> Vec<Priority> {
    ranked(set, |i| set.tasks()[i].period)
}

fn ranked(set: &TaskSet, key: impl Fn(usize) -> u64) -> Vec<Priority> {
    let count = set.tasks().len();
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&i| (key(i), i));
    let mut priorities = vec![0; count];
    for (rank, &index) in order.iter().enumerate() {
        priorities[index] = (count - rank) as Priority;
    }
    priorities
}

/// Audsley's assignment: distinct priorities n, ..., 1 under which every task passes, or `None`.
///
/// `passes(set, i)` says whether task i meets its deadline under the set's
/// priorities. Levels are filled from the lowest; candidates are tried by falling
/// deadline, so that the result stays close to deadline-monotonic.
pub fn audsley(
    set: &TaskSet,
    mut passes: impl FnMut(&TaskSet, usize) -> bool,
) -> Option<Vec<Priority>> {
    let count = set.tasks().len();
    let unassigned = count as Priority + 1;
    let mut priorities = vec![unassigned; count];
    let mut candidates: Vec<usize> = (0..count).collect();
    candidates.sort_by_key(|&i| Reverse((set.tasks()[i].deadline, i)));
    for level in 1..=count as Priority {
        let found = candidates.iter().position(|&i| {
            priorities[i] = level;
            let passed = passes(&set.clone().with_priorities(&priorities), i);
            priorities[i] = unassigned;
            passed
        })?;
        priorities[candidates.remove(found)] = level;
    }
    Some(priorities)
}

/// The least preemption thresholds under which every task meets its deadline with the priorities
/// that it has, or `None`. The set keeps the assumptions of
/// [`PreemptionThresholds`](super::PreemptionThresholds).
pub fn preemption_thresholds(set: &TaskSet) -> Option<Vec<Priority>> {
    let priorities: Vec<Priority> = set.tasks().iter().map(|t| t.priority).collect();
    let mut set = set.clone().with_priorities(&priorities);
    let mut thresholds = priorities.clone();
    let mut order: Vec<usize> = (0..priorities.len()).collect();
    order.sort_by_key(|&i| (priorities[i], i));
    for i in order {
        let own = set.tasks()[i];
        let mut levels: Vec<Priority> =
            set.on_core(own.core).map(|(_, t)| t.priority).filter(|&p| p >= own.priority).collect();
        levels.sort_unstable();
        levels.dedup();
        thresholds[i] = levels.into_iter().find(|&level| {
            thresholds[i] = level;
            let Ok(tried) = set.clone().with_thresholds(&thresholds) else { return false };
            set = tried;
            response(&set, i, Task::effective_threshold).is_some_and(|r| r <= own.deadline)
        })?;
    }
    Some(thresholds)
}

/// One level for each period, the shorter the higher, from 1 up.
pub fn rate_monotonic_levels(set: &TaskSet) -> Vec<Priority> {
    let mut periods: Vec<u64> = set.tasks().iter().map(|t| t.period).collect();
    periods.sort_unstable_by_key(|&p| Reverse(p));
    periods.dedup();
    let level = |t: &crate::Task| periods.partition_point(|&p| p > t.period) as Priority + 1;
    set.tasks().iter().map(level).collect()
}
