//! Choosing priorities.
//!
//! Deadline-monotonic order is optimal for constrained deadlines without jitter
//! and blocking (Leung and Whitehead 1982). Audsley's algorithm (1991) is optimal
//! for every test in which a task's verdict depends only on *which* tasks are
//! above it, not on their order: with jitter, with arbitrary deadlines, with fixed
//! blocking terms. Blocking that itself depends on the order (most protocols) is
//! outside that, so there its answer is a good try and no proof of absence.

use std::cmp::Reverse;

use crate::{Priority, TaskSet};

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

/// One level for each period, the shorter the higher, from 1 up.
pub fn rate_monotonic_levels(set: &TaskSet) -> Vec<Priority> {
    let mut periods: Vec<u64> = set.tasks().iter().map(|t| t.period).collect();
    periods.sort_unstable_by_key(|&p| Reverse(p));
    periods.dedup();
    let level = |t: &crate::Task| periods.partition_point(|&p| p > t.period) as Priority + 1;
    set.tasks().iter().map(level).collect()
}
