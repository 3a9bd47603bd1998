//! MPCP with virtual spinning: one request of a core at a time.
//!
//! A job that wants a global resource first takes its core's turn, in priority
//! order; it gives the turn back when its section ends. Meanwhile it suspends and
//! other jobs run, but none of them requests anything. So a section is never
//! preempted by another one, and a queue holds at most one request of each core:
//! who has the turn waits as at a spin lock in priority order
//! ([`ordered_spin`](crate::partitioned::ordered_spin)).
//!
//! Two arguments bound a job, and the smaller bound of the two holds.
//!
//! - *From the start of its level's busy period*, as if who waits were spinning: at
//!   each instant the highest pending job executes, or a lower section does, or some
//!   job of another core executes a section for which the turn's holder waits. All
//!   jobs of the level are released in the period, so they count with their release
//!   jitter alone.
//! - *While it is ready*: others' waiting does not concern it, unless it wants the
//!   turn itself. Higher jobs then come late, by R - C.
//!
//! In both, a lower task requests nothing while a job of the level is ready. So it has
//! one request pending at the start, and one more whenever a job of the level has
//! waited; and a job that wants the turn finds it with one lower job at most.

use crate::partitioned::ASSUMPTIONS;
use crate::partitioned::contention::longest;
use crate::partitioned::layout::{Access, Layout};
use crate::partitioned::ordered_spin::{Requester, SpinLocks};
use crate::partitioned::response::{Asked, ByResponses, Responses, least_solution};
use crate::windows::{jobs, times};
use crate::{Exactness, Family, Metadata, TaskSet};

/// The smaller of a bound over the busy period and one over the time in which the job is ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MpcpVirtualSpinning;

/// A set in which each core has one turn.
struct Turns<'a> {
    layout: &'a Layout<'a>,
    /// The spin locks by which a task with a turn waits.
    locks: SpinLocks<'a>,
    /// By core: for each global resource that it uses, its users there.
    users: Vec<Vec<Vec<&'a Access>>>,
    /// By task, its global sections, longest first.
    sections: Vec<Vec<Access>>,
    /// By task, the local sections of lower tasks that reach it.
    local: Vec<Vec<Access>>,
}

/// A window of one task's level.
struct Window<'a> {
    turns: &'a Turns<'a>,
    task: usize,
    length: u64,
    reach: &'a [u64],
}

impl Window<'_> {
    /// Jobs of a task that are pending some time in it.
    fn pending(&self, j: usize) -> u64 {
        jobs(self.length, self.reach[j], self.turns.layout.tasks[j].period)
    }

    /// Returns the execution of jobs of the level; those of a task arrive `late` before they are
    /// released.
    fn execution(&self, late: impl Fn(usize) -> u64) -> u64 {
        let tasks = self.turns.layout.tasks;
        self.turns.layout.higher(self.task).iter().fold(tasks[self.task].wcet, |sum, &h| {
            let arrived = jobs(self.length, late(h), tasks[h].period);
            sum.saturating_add(times(arrived, tasks[h].wcet))
        })
    }

    /// Returns the execution of lower tasks above the level whenever one of its jobs begins to
    /// execute.
    fn below(&self, begins: u64) -> u64 {
        let layout = self.turns.layout;
        let supply = |a: &Access| times(self.pending(a.task), a.count);
        let local = longest(&self.turns.local[self.task], begins, supply).total;
        layout.lower(self.task).iter().fold(local, |sum, &l| {
            sum.saturating_add(longest(&self.turns.sections[l], begins, supply).total)
        })
    }

    /// Returns the waiting of holders of the turn, each of those of the level once for each of its
    /// requests, of which `level` gives the jobs; and of lower ones in front of `wanting` requests.
    fn waiting(&self, level: impl Fn(usize) -> u64, wanting: u64) -> u64 {
        if wanting == 0 {
            return 0;
        }
        let (layout, locks) = (self.turns.layout, &self.turns.locks);
        let (mut alone, mut with_lower, mut longest) = (0_u64, 0_u64, 0);
        for users in &self.turns.users[layout.tasks[self.task].core] {
            let supply = locks.supply(users[0], self.length, self.reach);
            let lower =
                |a: &Access| layout.tasks[a.task].priority < layout.tasks[self.task].priority;
            let of_level = |a: &Access| {
                let (jobs, jitter) = (level(a.task), layout.tasks[a.task].jitter);
                let long = (a.task != self.task)
                    .then(|| (jobs, self.reach[a.task].saturating_sub(jitter)));
                locks.requester(a, times(jobs, a.count), long, self.reach)
            };
            let of_lower = |a: &Access| {
                let count = wanting.min(times(self.pending(a.task), a.count));
                locks.requester(a, count, None, self.reach)
            };
            let level: Vec<Requester> =
                users.iter().filter(|a| !lower(a)).map(|a| of_level(a)).collect();
            alone = alone.saturating_add(locks.waiting(&level, &supply));
            let mut all: Vec<Requester> = Vec::new();
            for access in users.iter().filter(|a| lower(a)) {
                let once = locks.requester(access, 1, None, self.reach);
                longest = locks.waiting(&[once], &supply).max(longest);
                all.push(of_lower(access));
            }
            all.extend(level);
            all.sort_by_key(|r| layout.tasks[r.task].priority);
            with_lower = with_lower.saturating_add(locks.waiting(&all, &supply));
        }
        with_lower.min(alone.saturating_add(times(wanting, longest)))
    }

    /// From the start of the level's busy period.
    fn busy(&self) -> u64 {
        let layout = self.turns.layout;
        let level = |j: usize| layout.releases(self.task, j, self.length);
        let requests = |j: usize| times(level(j), layout.global_requests(j));
        let wanting = layout
            .higher(self.task)
            .iter()
            .fold(requests(self.task), |sum, &h| sum.saturating_add(requests(h)));
        self.execution(|h| layout.tasks[h].jitter)
            .saturating_add(self.below(wanting.saturating_add(1)))
            .saturating_add(self.waiting(level, wanting))
    }

    /// While the job is ready or wants the turn.
    fn ready(&self) -> u64 {
        let layout = self.turns.layout;
        let wanting = layout.global_requests(self.task);
        let level = |j: usize| if j == self.task { 1 } else { self.pending(j) };
        let late = |h: usize| match layout.may_suspend(h) {
            true => self.reach[h].saturating_sub(layout.tasks[h].wcet),
            false => layout.tasks[h].jitter,
        };
        self.execution(late)
            .saturating_add(self.below(wanting.saturating_add(1)))
            .saturating_add(self.waiting(level, wanting))
    }
}

fn responses(layout: &Layout<'_>, asked: Asked) -> Responses {
    let by_length = |i: usize| {
        let mut sections: Vec<Access> = layout.global_accesses(i).copied().collect();
        sections.sort_by_key(|a| std::cmp::Reverse(a.length));
        sections
    };
    let turns = Turns {
        layout,
        locks: SpinLocks { layout, by_priority: true },
        users: layout.global_users_of_cores(),
        sections: (0..layout.tasks.len()).map(by_length).collect(),
        local: (0..layout.tasks.len()).map(|i| layout.local_sections(i)).collect(),
    };
    least_solution(layout, asked, |task, length, reach| {
        let window = Window { turns: &turns, task, length, reach };
        window.busy().min(window.ready())
    })
}

impl ByResponses for MpcpVirtualSpinning {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "mpcp-virtual-spinning",
            title: "MPCP with virtual spinning",
            source: "Lakshmanan, de Niz and Rajkumar 2009 (protocol); own bound, see its module",
            family: Family::PartitionedFixedPriority,
            assumptions: ASSUMPTIONS,
            exactness: Exactness::Sufficient,
        }
    }

    fn response_bounds(&self, set: &TaskSet, asked: Asked) -> Responses {
        responses(&Layout::new(set), asked)
    }
}
