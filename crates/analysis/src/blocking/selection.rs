//! The sections that can hold up a task together.
//!
//! Under priority inheritance each lower task can be inside one section when a
//! busy window starts, and each resource can be granted to lower tasks only so
//! often while the window lasts. So the longest blocking is a selection of
//! sections, at most one for each task and at most `capacity` for each resource:
//! a matching. [`closed_form`] is the smaller of the two sums that forget one of
//! the two limits (Sha, Rajkumar and Lehoczky 1990, section 5); [`matching`] keeps
//! both and is exact for the selection.
//!
//! The classical capacity is 1. It needs a lock that a released waiter must win
//! anew. Where a release hands the lock on to a waiter at once, a resource can
//! pass to a second lower task inside the window, and the capacity is the number
//! of requests made by the window's own tasks.

use crate::effort;

/// A section that can block: who is inside, of what, for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Section {
    /// The lower-priority task.
    pub task: usize,
    /// The resource in question.
    pub resource: usize,
    /// Length in ticks.
    pub length: u64,
}

/// The smaller of: the longest section of each task, the `capacity` longest of each resource.
///
/// `None`: a sum does not fit.
pub fn closed_form(sections: &[Section], capacity: impl Fn(usize) -> u64) -> Option<u64> {
    let by_task = sum_of_largest(sections, |s| s.task, |_| 1)?;
    let by_resource = sum_of_largest(sections, |s| s.resource, capacity)?;
    Some(by_task.min(by_resource))
}

fn sum_of_largest(
    sections: &[Section],
    group: impl Fn(&Section) -> usize,
    capacity: impl Fn(usize) -> u64,
) -> Option<u64> {
    let mut sorted: Vec<(usize, u64)> = sections.iter().map(|s| (group(s), s.length)).collect();
    sorted.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)));
    sorted.chunk_by(|a, b| a.0 == b.0).try_fold(0_u64, |sum, group| {
        let count = usize::try_from(capacity(group[0].0)).unwrap_or(usize::MAX);
        group.iter().take(count).try_fold(sum, |sum, &(_, length)| sum.checked_add(length))
    })
}

/// The largest total length of sections, at most one a task and `capacity` a resource.
///
/// Each task is added along the path that gains most (successive longest paths),
/// so the result is the optimum. `None`: the total does not fit.
pub fn matching(sections: &[Section], capacity: impl Fn(usize) -> u64) -> Option<u64> {
    let mut graph = Matching::new(sections, capacity);
    while graph.augment() {}
    graph.total()
}

/// A matching under construction; indices are positions in `sections`, tasks and resources
/// renumbered.
struct Matching {
    edges: Vec<(usize, usize, i128)>,
    chosen: Vec<bool>,
    task_used: Vec<bool>,
    room: Vec<u64>,
}

impl Matching {
    fn new(sections: &[Section], capacity: impl Fn(usize) -> u64) -> Self {
        let distinct = |mut list: Vec<usize>| {
            list.sort_unstable();
            list.dedup();
            list
        };
        let tasks = distinct(sections.iter().map(|s| s.task).collect());
        let resources = distinct(sections.iter().map(|s| s.resource).collect());
        let position = |list: &[usize], x: usize| list.partition_point(|&y| y < x);
        let edge = |s: &Section| {
            (position(&tasks, s.task), position(&resources, s.resource), i128::from(s.length))
        };
        Self {
            edges: sections.iter().map(edge).collect(),
            chosen: vec![false; sections.len()],
            task_used: vec![false; tasks.len()],
            room: resources.iter().map(|&r| capacity(r)).collect(),
        }
    }

    /// Longest alternating paths from unused tasks to every resource: gain and last edge into each.
    ///
    /// Bellman-Ford; without gaining cycles, since the matching is the best of its size.
    fn longest_paths(&self) -> (Vec<Option<i128>>, Vec<usize>, Vec<usize>) {
        let mut task_gain: Vec<Option<i128>> =
            self.task_used.iter().map(|&used| (!used).then_some(0)).collect();
        let mut gain: Vec<Option<i128>> = vec![None; self.room.len()];
        let mut into_resource = vec![usize::MAX; self.room.len()];
        let mut into_task = vec![usize::MAX; self.task_used.len()];
        let mut changed = true;
        while changed && effort::spend(self.edges.len() as u64) {
            changed = false;
            for (index, &(task, resource, length)) in self.edges.iter().enumerate() {
                let (from, to, step) = if self.chosen[index] {
                    (gain[resource], &mut task_gain[task], -length)
                } else {
                    (task_gain[task], &mut gain[resource], length)
                };
                let Some(from) = from else { continue };
                if to.is_none_or(|t| from + step > t) {
                    *to = Some(from + step);
                    if self.chosen[index] {
                        into_task[task] = index
                    } else {
                        into_resource[resource] = index
                    }
                    changed = true;
                }
            }
        }
        (gain, into_resource, into_task)
    }

    /// Adds the path that gains most, if any gains.
    fn augment(&mut self) -> bool {
        let (gain, into_resource, into_task) = self.longest_paths();
        if !effort::spend(1) {
            return false;
        }
        let candidates = (0..self.room.len()).filter(|&r| self.room[r] > 0);
        let best = candidates
            .filter_map(|r| Some((gain[r]?, r)))
            .max_by_key(|&(g, r)| (g, std::cmp::Reverse(r)));
        let Some((_, mut resource)) = best.filter(|&(g, _)| g > 0) else { return false };
        self.room[resource] -= 1;
        loop {
            let added = into_resource[resource];
            self.chosen[added] = true;
            let task = self.edges[added].0;
            if !self.task_used[task] {
                self.task_used[task] = true;
                return true;
            }
            let removed = into_task[task];
            self.chosen[removed] = false;
            resource = self.edges[removed].1;
        }
    }

    fn total(&self) -> Option<u64> {
        let lengths =
            self.edges.iter().zip(&self.chosen).filter(|(_, chosen)| **chosen).map(|(e, _)| e.2);
        u64::try_from(lengths.sum::<i128>()).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn section(task: usize, resource: usize, length: u64) -> Section {
        Section { task, resource, length }
    }

    #[test]
    fn both_limits_bind_at_once() {
        // Sums: by task 9 + 8 + 1 = 18, by resource 9 + 1 = 10, both limits: 9 + 1.
        let sections = [section(0, 0, 9), section(1, 0, 8), section(2, 0, 1), section(2, 1, 1)];
        assert_eq!(closed_form(&sections, |_| 1), Some(10));
        assert_eq!(matching(&sections, |_| 1), Some(10));
        // One task with the longest section of both resources: 9 + 7 by resource, 9 + 1 by task.
        let sections = [section(0, 0, 9), section(0, 1, 7), section(1, 1, 1)];
        assert_eq!(closed_form(&sections, |_| 1), Some(10));
        // Neither sum sees that tasks 0 and 1 cannot both be long.
        let sections = [
            section(0, 0, 9),
            section(1, 0, 9),
            section(0, 1, 3),
            section(2, 1, 9),
            section(2, 2, 9),
        ];
        assert_eq!(closed_form(&sections, |_| 1), Some(27));
        assert_eq!(matching(&sections, |_| 1), Some(21));
    }

    #[test]
    fn capacity_counts_grants_and_overflow_is_no_number() {
        let sections = [section(0, 0, 9), section(1, 0, 8)];
        assert_eq!(closed_form(&sections, |_| 2), Some(17));
        assert_eq!(matching(&sections, |_| 0), Some(0));
        let long = [section(0, 0, u64::MAX), section(1, 1, 1)];
        assert_eq!(closed_form(&long, |_| 1), None);
        assert_eq!(matching(&long, |_| 1), None);
    }

    /// Tries every choice.
    fn brute_force(sections: &[Section], capacity: u64) -> u64 {
        let legal = |mask: u32| {
            let chosen = || {
                sections.iter().enumerate().filter(move |(i, _)| mask >> i & 1 == 1).map(|(_, s)| s)
            };
            let count = |f: &dyn Fn(&Section) -> usize, x: usize| {
                chosen().filter(|s| f(s) == x).count() as u64
            };
            let legal = chosen().all(|s| {
                count(&|s| s.task, s.task) <= 1 && count(&|s| s.resource, s.resource) <= capacity
            });
            legal.then(|| chosen().map(|s| s.length).sum::<u64>())
        };
        (0..1 << sections.len()).filter_map(legal).max().unwrap_or(0)
    }

    proptest! {
        #[test]
        fn matching_is_the_best_selection(
            raw in proptest::collection::vec((0_usize..4, 0_usize..4, 0_u64..30), 0..9),
            capacity in 0_u64..3,
        ) {
            let sections: Vec<Section> =
                raw.into_iter().map(|(t, r, l)| section(t, r, l)).collect();
            let best = matching(&sections, |_| capacity);
            prop_assert_eq!(best, Some(brute_force(&sections, capacity)));
            prop_assert!(best <= closed_form(&sections, |_| capacity));
        }
    }
}
