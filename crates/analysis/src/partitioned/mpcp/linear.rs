//! MPCP with waiting bounded by a linear program.
//!
//! Over a whole window, each request of another task can delay a job in one way
//! only: *directly*, by coming first for a resource that the job wants; *indirectly*,
//! by preempting on its core a section that does; or, from a lower task of the own
//! core, by *preempting* the job itself. What is known of these counts (after
//! Brandenburg 2013 and Yang, Wieder and Brandenburg 2015; every constraint here is
//! one that the sums of [`Mpcp`](super::Mpcp) keep too, so the optimum is never above):
//!
//! 1. no request counts twice, and the window holds only so many;
//! 2. of lower tasks, each own request waits for at most one;
//! 3. of a higher task, each own request waits for what is pending within its wait;
//! 4. a task preempts each section at most once, with a ceiling at least as high;
//! 5. a lower task of the core requests nothing while the job is ready, so in all ways
//!    together it delays at most at the release and each time that the job resumes;
//! 6. what comes first for one request, or preempts that, is over within its wait.
//!
//! Sections of higher tasks of the own core delay too, but that time is their
//! interference already; they gain nothing and only carry those that preempt them.

use super::holding::Holding;
use crate::effort::spend;
use crate::linear::Program;
use crate::partitioned::ASSUMPTIONS;
use crate::partitioned::contention::longest_pending;
use crate::partitioned::layout::{Access, Layout};
use crate::partitioned::response::{
    Asked, Responses, Suspending, all_met, smaller, suspending_least_solution,
};
use crate::windows::{jobs, times};
use crate::{Exactness, Family, Metadata, SchedulabilityTest, TaskSet, Verdict};

/// R = C + optimum + local sections + interference with jitter R - C.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MpcpLinear;

/// The data that do not change from window to window.
struct Tables<'a> {
    layout: &'a Layout<'a>,
    holding: Holding,
}

/// The ways in which one kind of request can delay, as variables of a program.
struct Ways {
    access: Access,
    all: Vec<usize>,
}

impl Tables<'_> {
    fn is_local(&self, i: usize, access: &Access) -> bool {
        access.core == self.layout.tasks[i].core
    }

    fn is_higher(&self, i: usize, access: &Access) -> bool {
        self.layout.tasks[access.task].priority >= self.layout.tasks[i].priority
    }

    /// Returns the number of times that a task begins to execute in a window: at its release, and
    /// when it resumes.
    fn begins(&self, i: usize, window: u64, reach: &[u64]) -> u64 {
        let pending = |j: usize| jobs(window, reach[j], self.layout.tasks[j].period);
        self.layout.resumptions(i, pending).saturating_add(1)
    }

    /// For each of a task's global accesses the longest wait, if others are pending for so long;
    /// `u64::MAX`: longer than its deadline.
    fn waits(&self, i: usize, reach: &[u64]) -> Vec<u64> {
        let wait = |access| self.holding.wait(self.layout, access, reach);
        self.layout.global_accesses(i).map(|a| wait(a).unwrap_or(u64::MAX)).collect()
    }

    /// The program of task i in a window; `reach`: for each task, how long its jobs are pending.
    fn program(&self, i: usize, window: u64, reach: &[u64]) -> Program {
        let waits = self.waits(i, reach);
        let mut program = Program::default();
        let others = self
            .layout
            .all_users()
            .iter()
            .filter(|a| a.task != i && self.layout.is_global(a.resource));
        let mut ways: Vec<Ways> = others.map(|a| Ways { access: *a, all: Vec::new() }).collect();
        let supply: Vec<u64> = ways
            .iter()
            .map(|w| {
                times(
                    jobs(window, reach[w.access.task], self.layout.tasks[w.access.task].period),
                    w.access.count,
                )
            })
            .collect();
        for (own, &wait) in self.layout.global_accesses(i).zip(&waits) {
            let within = |a: &Access| jobs(wait, reach[a.task], self.layout.tasks[a.task].period);
            let direct = self.direct(&mut program, &mut ways, &supply, (own, &within));
            let indirect = self.indirect(&mut program, &mut ways, &supply, own, &direct);
            let all = direct.iter().chain(&indirect);
            let weighed = |(access, variable): &(Access, usize)| {
                Some((*variable, i64::try_from(access.length).ok()?))
            };
            if let Some(terms) = all.map(weighed).collect() {
                program.at_most(terms, times(own.count, wait));
            }
        }
        let begins = self.begins(i, window, reach);
        self.preempting(&mut program, &mut ways, &supply, (i, begins));
        for (way, supply) in ways.iter().zip(&supply) {
            program.at_most(way.all.iter().map(|&variable| (variable, 1)).collect(), *supply);
        }
        program
    }

    /// Requests that come first for one own resource; constraints 2 and 3, `within` being the jobs
    /// that are pending in a wait. By user: its core, task and variable.
    fn direct(
        &self,
        program: &mut Program,
        ways: &mut [Ways],
        supply: &[u64],
        (own, within): (&Access, &dyn Fn(&Access) -> u64),
    ) -> Vec<(Access, usize)> {
        let mut lower = Vec::new();
        let mut direct = Vec::new();
        for (way, &supply) in
            ways.iter_mut().zip(supply).filter(|(w, _)| w.access.resource == own.resource)
        {
            let access = way.access;
            let higher = self.is_higher(own.task, &access);
            let interferes = higher && self.is_local(own.task, &access);
            let variable = program.variable(if interferes { 0 } else { access.length }, supply);
            if higher {
                let in_wait = times(within(&access), access.count);
                program.at_most(vec![(variable, 1)], times(own.count, in_wait));
            } else {
                lower.push((variable, 1));
            }
            way.all.push(variable);
            direct.push((access, variable));
        }
        program.at_most(lower, own.count);
        direct
    }

    /// Requests that preempt those that come first; constraint 4, core by core and task by task. By
    /// user: as those.
    fn indirect(
        &self,
        program: &mut Program,
        ways: &mut [Ways],
        supply: &[u64],
        own: &Access,
        direct: &[(Access, usize)],
    ) -> Vec<(Access, usize)> {
        let mut found = Vec::new();
        let mut by_task: Vec<(usize, Vec<usize>)> = Vec::new();
        for (way, &supply) in
            ways.iter_mut().zip(supply).filter(|(w, _)| w.access.resource != own.resource)
        {
            // It is looked for among all of those: many times as much work as a step of a fixpoint.
            if !spend(direct.len() as u64) {
                break;
            }
            let access = way.access;
            let interferes = self.is_higher(own.task, &access) && self.is_local(own.task, &access);
            let held = direct.iter().any(|(d, _)| d.core == access.core && d.task != access.task);
            let reaches = self.holding.ceiling(access.core, access.resource)
                >= self.holding.ceiling(access.core, own.resource);
            if interferes || !held || !reaches {
                continue;
            }
            let variable = program.variable(access.length, supply);
            way.all.push(variable);
            found.push((access, variable));
            match by_task.iter_mut().find(|(task, _)| *task == access.task) {
                Some((_, variables)) => variables.push(variable),
                None => by_task.push((access.task, vec![variable])),
            }
        }
        for (task, variables) in by_task {
            let core = self.layout.tasks[task].core;
            let preempted = direct.iter().filter(|(d, _)| d.core == core && d.task != task);
            let terms =
                variables.into_iter().map(|v| (v, 1)).chain(preempted.map(|&(_, v)| (v, -1)));
            program.at_most(terms.collect(), 0);
        }
        found
    }

    /// Requests of lower tasks of the core that preempt the job itself, with all other ways;
    /// constraint 5.
    fn preempting(
        &self,
        program: &mut Program,
        ways: &mut [Ways],
        supply: &[u64],
        (i, begins): (usize, u64),
    ) {
        for &l in self.layout.lower(i) {
            let mut terms = Vec::new();
            for (way, &supply) in ways.iter_mut().zip(supply).filter(|(w, _)| w.access.task == l) {
                way.all.push(program.variable(way.access.length, supply));
                terms.extend(way.all.iter().map(|&variable| (variable, 1)));
            }
            program.at_most(terms, begins);
        }
    }
}

impl MpcpLinear {
    /// The optimum for one task in one window, others being complete by their deadlines; `None`:
    /// none is known.
    pub fn delay(set: &TaskSet, task: usize, window: u64) -> Option<u64> {
        Self::program(set, task, window)?.bound()
    }

    /// Its program; `None`: there is no such task, or its wait for a resource has no bound.
    pub fn program(set: &TaskSet, task: usize, window: u64) -> Option<Program> {
        if task >= set.tasks().len() {
            return None;
        }
        let layout = Layout::new(set);
        let tables = Tables { layout: &layout, holding: Holding::new(&layout) };
        let reach: Vec<u64> = set.tasks().iter().map(|t| t.deadline).collect();
        let known = tables.waits(task, &reach).iter().all(|&wait| wait < u64::MAX);
        known.then(|| tables.program(task, window, &reach))
    }
}

/// All response times together, as the least solution.
fn responses(layout: &Layout<'_>, asked: Asked) -> Responses {
    let tables = Tables { layout, holding: Holding::new(layout) };
    let count = layout.tasks.len();
    let own = |i: usize| Suspending { execution: layout.tasks[i].wcet, delay: 0 };
    let terms: Vec<Suspending> = (0..count).map(own).collect();
    let local: Vec<Vec<Access>> = (0..count).map(|i| layout.local_sections(i)).collect();
    let late = |i: usize| layout.may_suspend(i);
    suspending_least_solution(layout, asked, &terms, late, |i, w, reach| {
        let global = tables.program(i, w, reach).bound().unwrap_or(u64::MAX);
        let begins = tables.begins(i, w, reach);
        global.saturating_add(longest_pending(layout, &local[i], begins, (w, reach)))
    })
}

impl SchedulabilityTest for MpcpLinear {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "mpcp-lp",
            title: "MPCP, waiting suspended, linear program",
            source: "after Brandenburg 2013 and Yang, Wieder and Brandenburg 2015",
            family: Family::PartitionedFixedPriority,
            assumptions: ASSUMPTIONS,
            exactness: Exactness::Sufficient,
        }
    }

    /// Sets that the sums accept are accepted without a program.
    fn decide(&self, set: &TaskSet) -> Verdict {
        let layout = Layout::new(set);
        Verdict::from_condition(
            all_met(&super::suspending::responses(&layout, Asked::Verdict))
                || all_met(&responses(&layout, Asked::Verdict)),
        )
    }

    fn response_times(&self, set: &TaskSet) -> Option<Responses> {
        let layout = Layout::new(set);
        let sums = super::suspending::responses(&layout, Asked::Bounds);
        Some(smaller(responses(&layout, Asked::Bounds), sums))
    }
}
