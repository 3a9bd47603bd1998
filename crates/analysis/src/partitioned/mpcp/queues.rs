//! The order of service: the users of each resource by falling priority.
//!
//! The wait of a request is a fixed point over all users that come first, and most
//! of these fixed points are the very number that the search starts from: none of
//! the users can come a second time within the wait. Sums, shortest periods and
//! longest sections over the first users of a queue, made once, tell so without
//! looking at a single user.

use super::wait;
use crate::Priority;
use crate::partitioned::layout::{Access, Layout};
use crate::windows::{jobs, least, times};

/// A user of a resource.
#[derive(Debug, Clone, Copy, Default)]
struct Queued {
    task: usize,
    priority: Priority,
    period: u64,
    /// From grant to end of one section.
    longest: u64,
    /// The need of all sections of one job.
    need: u64,
}

/// The facts about all users of at least a user's priority, and about the lower ones.
#[derive(Debug, Clone, Copy, Default)]
struct Known {
    need: u64,
    shortest_period: u64,
    longest_lower: u64,
}

/// The users of all resources, resource by resource, by falling priority.
pub(super) struct Queues {
    users: Vec<Queued>,
    known: Vec<Known>,
    /// By number of an access: its place.
    places: Vec<usize>,
}

impl Queues {
    /// `longest`: by number of an access, the time from grant to end.
    pub(super) fn new(layout: &Layout<'_>, longest: &[u64]) -> Self {
        let mut order: Vec<(u32, usize)> =
            layout.tasks.iter().enumerate().map(|(i, t)| (!t.priority, i)).collect();
        order.sort_unstable();
        let mut ends: Vec<usize> =
            (0..layout.resources).map(|q| layout.users_range(q).start).collect();
        let mut users = vec![Queued::default(); longest.len()];
        let mut places = vec![0; longest.len()];
        for (_, task) in order {
            let of = &layout.tasks[task];
            for access in layout.accesses(task) {
                let longest = longest[access.number];
                let need = times(access.count, longest);
                users[ends[access.resource]] =
                    Queued { task, priority: of.priority, period: of.period, longest, need };
                places[access.number] = ends[access.resource];
                ends[access.resource] += 1;
            }
        }
        let mut known = vec![Known::default(); users.len()];
        for resource in (0..layout.resources).filter(|&q| layout.is_global(q)) {
            let range = layout.users_range(resource);
            know(&users[range.clone()], &mut known[range]);
        }
        Self { users, known, places }
    }

    /// The longest time from grant to end of an access.
    pub(super) fn longest(&self, access: &Access) -> u64 {
        self.users[self.places[access.number]].longest
    }

    /// The longest wait for an access; `None`: longer than the task's deadline.
    pub(super) fn wait(&self, layout: &Layout<'_>, access: &Access) -> Option<u64> {
        let (at, deadline) = (self.places[access.number], layout.tasks[access.task].deadline);
        let known = &self.known[at];
        let mut own = self.users[at].need;
        let queue = layout.users_range(access.resource);
        let same = |user: &&Queued| user.task == access.task;
        own = self.users[queue.start..at]
            .iter()
            .rev()
            .take_while(same)
            .fold(own, |sum, u| sum.saturating_add(u.need));
        own = self.users[at + 1..queue.end]
            .iter()
            .take_while(same)
            .fold(own, |sum, u| sum.saturating_add(u.need));
        if known.need < u64::MAX {
            let start = known.longest_lower.saturating_add(times(2, known.need - own));
            if start <= known.shortest_period {
                return (start <= deadline).then_some(start);
            }
        }
        let others = self.users[queue].iter().filter(|user| user.task != access.task);
        let first = |user: &&Queued| user.priority >= layout.tasks[access.task].priority;
        let higher: Vec<(u64, u64)> =
            others.take_while(first).map(|user| (user.period, user.need)).collect();
        wait(deadline, known.longest_lower, &higher)
    }

    /// The same by how long jobs of each task are pending: the least b = `lower` + sum over higher
    /// of ceil((b + R) / T) need.
    pub(super) fn wait_within(
        &self,
        layout: &Layout<'_>,
        access: &Access,
        reach: &[u64],
    ) -> Option<u64> {
        let (task, lower) = (access.task, self.known[self.places[access.number]].longest_lower);
        let level = layout.tasks[task].priority;
        let users = &self.users[layout.users_range(access.resource)];
        let higher = users.iter().filter(|user| user.task != task && user.priority >= level);
        least(lower, layout.tasks[task].deadline, |b| {
            higher.clone().fold(lower, |sum, user| {
                sum.saturating_add(times(jobs(b, reach[user.task], user.period), user.need))
            })
        })
    }
}

/// Sums up one queue.
fn know(users: &[Queued], known: &mut [Known]) {
    let mut sum = Known { need: 0, shortest_period: u64::MAX, longest_lower: 0 };
    let mut from = 0;
    for level in users.chunk_by(|a, b| a.priority == b.priority) {
        for user in level {
            sum.need = sum.need.saturating_add(user.need);
            sum.shortest_period = sum.shortest_period.min(user.period);
        }
        known[from..from + level.len()].fill(sum);
        from += level.len();
    }
    let (mut longest_lower, mut to) = (0, users.len());
    while to > 0 {
        let level =
            users[..to].iter().rev().take_while(|u| u.priority == users[to - 1].priority).count();
        known[to - level..to].iter_mut().for_each(|k| k.longest_lower = longest_lower);
        longest_lower =
            users[to - level..to].iter().map(|u| u.longest).fold(longest_lower, u64::max);
        to -= level;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::partitioned::tests::arbitrary::any_set;

    proptest! {
        #[test]
        fn what_is_known_gives_the_wait_that_a_search_gives(
            set in any_set(),
            longest in 0_u64..40,
        ) {
            let layout = Layout::new(&set);
            let held: Vec<u64> =
                (0..layout.all_users().len() as u64).map(|k| (k * 7 + longest) % 23).collect();
            let queues = Queues::new(&layout, &held);
            for access in (0..layout.tasks.len()).flat_map(|i| layout.global_accesses(i)) {
                let task = &layout.tasks[access.task];
                let others = layout.users(access.resource).iter().filter(|a| a.task != access.task);
                let (higher, lower): (Vec<&Access>, Vec<&Access>) =
                    others.partition(|a| layout.tasks[a.task].priority >= task.priority);
                let lower = lower.iter().map(|a| held[a.number]).max().unwrap_or(0);
                let need =
                    |a: &&Access| (layout.tasks[a.task].period, times(a.count, held[a.number]));
                let higher: Vec<(u64, u64)> = higher.iter().map(need).collect();
                prop_assert_eq!(queues.wait(&layout, access), wait(task.deadline, lower, &higher));
            }
        }
    }
}
