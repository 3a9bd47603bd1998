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
//! 3. of a higher task, each own request waits for what can come within its wait;
//! 4. a task preempts each section at most once, with a ceiling at least as high;
//! 5. a lower task of the core preempts the job at most at its release and each time
//!    that it resumes.
//!
//! Sections of higher tasks of the own core delay too, but that time is their
//! interference already; they gain nothing and only carry those that preempt them.

use super::suspending::{Holding, waits};
use crate::linear::Program;
use crate::partitioned::ASSUMPTIONS;
use crate::partitioned::layout::{Access, Layout};
use crate::partitioned::response::{Responses, all_met, suspending_with_delays};
use crate::partitioned::window::{jobs, times};
use crate::{Exactness, Family, Metadata, SchedulabilityTest, TaskSet, Verdict};

/// R = C + optimum + local sections + interference with jitter R - C.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MpcpLinear;

/// What does not change from window to window.
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

    /// The program of task i in a window; `waits`: for each of its global accesses the longest
    /// wait.
    fn program(&self, i: usize, window: u64, reach: &[u64], waits: &[u64]) -> Program {
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
        for (own, &wait) in self.layout.global_accesses(i).zip(waits) {
            let direct = self.direct(&mut program, &mut ways, &supply, own, wait);
            self.indirect(&mut program, &mut ways, &supply, own, &direct);
        }
        self.preempting(&mut program, &mut ways, &supply, i);
        for (way, supply) in ways.iter().zip(&supply) {
            program.at_most(way.all.iter().map(|&variable| (variable, 1)).collect(), *supply);
        }
        program
    }

    /// Requests that come first for one own resource; constraints 2 and 3. By user: its core, task
    /// and variable.
    fn direct(
        &self,
        program: &mut Program,
        ways: &mut [Ways],
        supply: &[u64],
        own: &Access,
        wait: u64,
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
                let jobs = jobs(wait, 0, self.layout.tasks[access.task].period).saturating_add(1);
                program.at_most(vec![(variable, 1)], times(own.count, times(jobs, access.count)));
            } else {
                lower.push((variable, 1));
            }
            way.all.push(variable);
            direct.push((access, variable));
        }
        program.at_most(lower, own.count);
        direct
    }

    /// Requests that preempt those that come first; constraint 4, core by core and task by task.
    fn indirect(
        &self,
        program: &mut Program,
        ways: &mut [Ways],
        supply: &[u64],
        own: &Access,
        direct: &[(Access, usize)],
    ) {
        let mut by_task: Vec<(usize, Vec<usize>)> = Vec::new();
        for (way, &supply) in
            ways.iter_mut().zip(supply).filter(|(w, _)| w.access.resource != own.resource)
        {
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
    }

    /// Requests of lower tasks of the core that preempt the job itself; constraint 5.
    fn preempting(&self, program: &mut Program, ways: &mut [Ways], supply: &[u64], i: usize) {
        let times_each = self.layout.global_requests(i).saturating_add(1);
        for &l in self.layout.lower(i) {
            let mut terms = Vec::new();
            for (way, &supply) in ways.iter_mut().zip(supply).filter(|(w, _)| w.access.task == l) {
                let variable = program.variable(way.access.length, supply);
                way.all.push(variable);
                terms.push((variable, 1));
            }
            program.at_most(terms, times_each);
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
        let waits = waits(&layout, &tables.holding, task)?;
        Some(tables.program(task, window, &reach, &waits))
    }
}

/// Bounds from the deadlines of the others: sound together, or not given.
fn responses(layout: &Layout<'_>) -> Responses {
    let tables = Tables { layout, holding: Holding::new(layout) };
    let reach: Vec<u64> = layout.tasks.iter().map(|t| t.deadline).collect();
    let waits: Vec<Option<Vec<u64>>> =
        (0..reach.len()).map(|i| waits(layout, &tables.holding, i)).collect();
    let own = |i: usize| {
        let resumes = layout.global_requests(i).saturating_add(1);
        layout.tasks[i].wcet.saturating_add(times(resumes, layout.local_blocking(i)))
    };
    suspending_with_delays(layout, own, |i, w| match &waits[i] {
        Some(waits) => tables.program(i, w, &reach, waits).bound().unwrap_or(u64::MAX),
        None => u64::MAX,
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
            all_met(&super::suspending::responses(&layout)) || all_met(&responses(&layout)),
        )
    }

    fn response_times(&self, set: &TaskSet) -> Option<Responses> {
        Some(responses(&Layout::new(set)))
    }
}
