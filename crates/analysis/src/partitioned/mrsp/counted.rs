//! MrsP with requests counted over the window, and with the cost of helping.
//!
//! The z requests that a level makes for a resource in its window wait, for each
//! other core, for no more requests than that core issues in the window. So all
//! response times are solved together. Each section, whoever's, may also have to
//! move: once to be helped, and once for each stretch that it cannot be preempted.

use super::{Helping, longest_sections, outside_sections, reaching};
use crate::partitioned::ASSUMPTIONS;
use crate::partitioned::layout::{Access, Layout};
use crate::partitioned::response::{Responses, all_met, least_solution};
use crate::partitioned::window::{jobs, times};
use crate::{Exactness, Family, Metadata, SchedulabilityTest, TaskSet, Verdict};

/// w = C without sections + sum over q of c_q (z + sum over other cores of min(z, their requests))
/// + blocking + interference, with moves in c_q.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mrsp2017 {
    /// What helping costs.
    pub helping: Helping,
}

/// Tables that do not depend on windows.
struct Tables<'a> {
    layout: &'a Layout<'a>,
    /// Longest section of each resource, with its moves.
    cost: Vec<u64>,
    outside: Vec<u64>,
    /// For each task: the resources whose holder on this core may block its arrival.
    blocking: Vec<Vec<bool>>,
    /// What a holder that moved here may hold up anybody.
    moved: u64,
}

impl<'a> Tables<'a> {
    fn new(layout: &'a Layout<'a>, helping: Helping) -> Self {
        let longest = longest_sections(layout);
        let with_moves = |(q, &c): (usize, &u64)| {
            if layout.is_global(q) { c.saturating_add(helping.of_section(c)) } else { c }
        };
        let blocking = |i: usize| {
            let mut table = vec![false; layout.resources];
            reaching(layout, i).for_each(|a| table[a.resource] = true);
            table
        };
        Self {
            layout,
            cost: longest.iter().enumerate().map(with_moves).collect(),
            outside: (0..layout.tasks.len()).map(|i| outside_sections(layout, i)).collect(),
            blocking: (0..layout.tasks.len()).map(blocking).collect(),
            moved: helping.arrival_blocking(),
        }
    }

    fn demand(&self, i: usize, window: u64, reach: &[u64]) -> u64 {
        let tasks = self.layout.tasks;
        let released = |j: usize| if i == j { 1 } else { jobs(window, tasks[j].jitter, tasks[j].period) };
        let level = || self.layout.higher(i).iter().copied().chain([i]);
        let mut sum = level().fold(0_u64, |sum, j| sum.saturating_add(times(released(j), self.outside[j])));
        let mut blocking = self.moved;
        for q in 0..self.layout.resources {
            let of_level = |sum: u64, a: &Access| {
                let counts = a.core == tasks[i].core && tasks[a.task].priority >= tasks[i].priority;
                if counts { sum.saturating_add(times(released(a.task), a.count)) } else { sum }
            };
            let own = self.layout.users(q).iter().fold(0, of_level);
            if own == 0 && !self.blocking[i][q] {
                continue;
            }
            let mut sections = own;
            let mut one_more = 1_u64;
            for users in self.layout.users_by_core(q).filter(|users| users[0].core != tasks[i].core) {
                let pending = |a: &Access| times(jobs(window, reach[a.task], tasks[a.task].period), a.count);
                let issued = users.iter().fold(0_u64, |sum, a| sum.saturating_add(pending(a)));
                sections = sections.saturating_add(own.min(issued));
                one_more += u64::from(issued > own);
            }
            sum = sum.saturating_add(times(sections, self.cost[q]));
            if self.blocking[i][q] {
                blocking = blocking.max(times(one_more, self.cost[q]));
            }
        }
        sum.saturating_add(blocking)
    }
}

impl Mrsp2017 {
    fn responses(&self, layout: &Layout<'_>) -> Responses {
        let tables = Tables::new(layout, self.helping);
        least_solution(layout, |i, w, reach| tables.demand(i, w, reach))
    }
}

impl SchedulabilityTest for Mrsp2017 {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "mrsp-2017",
            title: "MrsP, requests counted over the window, with the cost of helping",
            source: "Zhao, Garrido, Burns and Wellings 2017",
            family: Family::PartitionedFixedPriority,
            assumptions: ASSUMPTIONS,
            exactness: Exactness::Sufficient,
        }
    }

    fn decide(&self, set: &TaskSet) -> Verdict {
        Verdict::from_condition(all_met(&self.responses(&Layout::new(set))))
    }

    fn response_times(&self, set: &TaskSet) -> Option<Responses> {
        Some(self.responses(&Layout::new(set)))
    }
}
