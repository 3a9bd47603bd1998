//! MrsP with requests counted over the window, and with the cost of helping.
//!
//! The z requests that a level makes for a resource in its window wait, for each
//! other core, for no more requests than that core issues in the window. So all
//! response times are solved together. Each section, whoever's, may also have to
//! move: once to be helped, and once for each stretch that it cannot be preempted.

use super::{Helping, longest_sections, outside_sections, reaching};
use crate::partitioned::ASSUMPTIONS;
use crate::partitioned::layout::{Access, Layout};
use crate::partitioned::response::{Asked, ByResponses, Responses, least_solution};
use crate::windows::{jobs, times};
use crate::{Exactness, Family, Metadata, TaskSet};

/// w = C without sections + sum over q of c_q (z + sum over other cores of min(z, their requests))
/// + blocking + interference, with moves in c_q.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mrsp2017 {
    /// The costs of helping.
    pub helping: Helping,
}

/// Tables that do not depend on windows.
struct Tables<'a> {
    layout: &'a Layout<'a>,
    /// Longest section of each resource, with its moves.
    cost: Vec<u64>,
    outside: Vec<u64>,
    /// The requests by task.
    rows: Vec<Row>,
    /// The time for which a holder that moved here may hold up any task.
    moved: u64,
    /// For the window that is looked at: jobs of each task in it.
    jobs: Vec<u64>,
}

/// The resources that matter to a task: those that its level requests, and those whose holder on
/// its core may block its arrival, which are marked.
type Row = Vec<(usize, bool)>;

/// `marks` is room for a mark for each resource.
fn row(layout: &Layout<'_>, i: usize, marks: &mut [Option<bool>]) -> Row {
    let level = layout.higher(i).iter().chain([&i]);
    level.flat_map(|&j| layout.accesses(j)).for_each(|a| marks[a.resource] = Some(false));
    reaching(layout, i).for_each(|a| marks[a.resource] = Some(true));
    let found = marks.iter_mut().enumerate();
    found.filter_map(|(q, mark)| mark.take().map(|blocks| (q, blocks))).collect()
}

impl<'a> Tables<'a> {
    fn new(layout: &'a Layout<'a>, helping: Helping) -> Self {
        let longest = longest_sections(layout);
        let with_moves = |(q, &c): (usize, &u64)| {
            if layout.is_global(q) { c.saturating_add(helping.of_section(c)) } else { c }
        };
        let mut marks = vec![None; layout.resources];
        Self {
            layout,
            cost: longest.iter().enumerate().map(with_moves).collect(),
            outside: (0..layout.tasks.len()).map(|i| outside_sections(layout, i)).collect(),
            rows: (0..layout.tasks.len()).map(|i| row(layout, i, &mut marks)).collect(),
            moved: helping.arrival_blocking(),
            jobs: vec![0; layout.tasks.len()],
        }
    }

    /// Counts the jobs in a window: of the task's level those released in it, of other cores those
    /// pending in it.
    fn count_jobs(&mut self, i: usize, window: u64, reach: &[u64]) {
        let tasks = self.layout.tasks;
        for (j, task) in tasks.iter().enumerate().filter(|(_, t)| t.core != tasks[i].core) {
            if !self.layout.accesses(j).is_empty() {
                self.jobs[j] = jobs(window, reach[j], task.period);
            }
        }
        for &j in self.layout.mates(i) {
            let counts = tasks[j].priority >= tasks[i].priority;
            self.jobs[j] = if counts { jobs(window, tasks[j].jitter, tasks[j].period) } else { 0 };
        }
        self.jobs[i] = 1;
    }

    fn demand(&mut self, i: usize, window: u64, reach: &[u64]) -> u64 {
        self.count_jobs(i, window, reach);
        let level = self.layout.higher(i).iter().copied().chain([i]);
        let mut sum =
            level.fold(0_u64, |sum, j| sum.saturating_add(times(self.jobs[j], self.outside[j])));
        let core = self.layout.tasks[i].core;
        let requests = |users: &[Access]| {
            users.iter().fold(0_u64, |sum, a| sum.saturating_add(times(self.jobs[a.task], a.count)))
        };
        let mut blocking = self.moved;
        for &(q, blocks) in &self.rows[i] {
            let own = self
                .layout
                .users_by_core(q)
                .find(|users| users[0].core == core)
                .map_or(0, requests);
            let mut sections = own;
            let mut one_more = 1_u64;
            for users in self.layout.users_by_core(q).filter(|users| users[0].core != core) {
                let issued = requests(users);
                sections = sections.saturating_add(own.min(issued));
                one_more += u64::from(issued > own);
            }
            sum = sum.saturating_add(times(sections, self.cost[q]));
            if blocks {
                blocking = blocking.max(times(one_more, self.cost[q]));
            }
        }
        sum.saturating_add(blocking)
    }
}

impl Mrsp2017 {
    fn responses(&self, layout: &Layout<'_>, asked: Asked) -> Responses {
        let mut tables = Tables::new(layout, self.helping);
        least_solution(layout, asked, |i, w, reach| tables.demand(i, w, reach))
    }
}

impl ByResponses for Mrsp2017 {
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

    fn response_bounds(&self, set: &TaskSet, asked: Asked) -> Responses {
        self.responses(&Layout::new(set), asked)
    }
}
