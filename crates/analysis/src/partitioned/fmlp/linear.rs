//! FMLP+ with requests counted over the window: its linear program.
//!
//! What the program knows (after Brandenburg 2013): a window holds only so many
//! requests of each task, and none delays twice; each own request is delayed by at
//! most one older request of each other task, of the same resource, or of any if
//! the task shares a core with another user; a lower task of the core preempts the
//! job at most at its release and each time it resumes. Nothing of this couples two
//! tasks. For one task, sections have limits of their own (the same resource) and
//! one limit in common (all else); so taking the longest sections first is optimal,
//! and no solver is needed. The sums of [`FmlpPlus`](super::FmlpPlus) keep the same limits but
//! the first, so the optimum is never above them.

use super::Layout;
use crate::linear::Program;
use crate::partitioned::ASSUMPTIONS;
use crate::partitioned::layout::Access;
use crate::partitioned::response::{Responses, all_met, suspending_with_delays};
use crate::partitioned::window::{jobs, times};
use crate::{Exactness, Family, Metadata, SchedulabilityTest, TaskSet, Verdict};

/// FMLP+ under fixed priorities, requests counted over the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FmlpPlusLinear;

/// How often another task may delay a job.
struct Limits {
    task: usize,
    /// With any resource.
    shared: u64,
    /// With one resource only.
    same: Vec<(usize, u64)>,
    /// Its requests, longest first.
    sections: Vec<Access>,
}

/// The limits of each other task that delays task i at all.
fn limits(layout: &Layout<'_>, i: usize) -> Vec<Limits> {
    let interferes = |x: &usize| layout.higher(i).contains(x);
    (0..layout.tasks.len()).filter(|x| *x != i && !interferes(x)).map(|x| limits_of(layout, i, x)).collect()
}

fn limits_of(layout: &Layout<'_>, i: usize, x: usize) -> Limits {
    let core = layout.tasks[x].core;
    let preempts = layout.lower(i).contains(&x);
    let mut shared = if preempts { layout.global_requests(i).saturating_add(1) } else { 0 };
    let mut same: Vec<(usize, u64)> = Vec::new();
    for own in layout.global_accesses(i) {
        if layout.users(own.resource).iter().any(|u| u.core == core && u.task != x) {
            shared = shared.saturating_add(own.count);
        } else {
            same.push((own.resource, own.count));
        }
    }
    let mut sections: Vec<Access> = layout.global_accesses(x).copied().collect();
    sections.sort_unstable_by_key(|a| std::cmp::Reverse(a.length));
    Limits { task: x, shared, same, sections }
}

/// The longest sections first, each as often as its limits and the window allow.
fn delay(layout: &Layout<'_>, limits: &Limits, window: u64) -> u64 {
    let task = &layout.tasks[limits.task];
    let pending = jobs(window, task.deadline, task.period);
    let mut shared = limits.shared;
    let mut same = limits.same.clone();
    let mut sum = 0_u64;
    for section in &limits.sections {
        let mut left = times(pending, section.count);
        for (_, own) in same.iter_mut().filter(|(q, _)| *q == section.resource) {
            let used = left.min(*own);
            *own -= used;
            left -= used;
            sum = sum.saturating_add(times(used, section.length));
        }
        let used = left.min(shared);
        shared -= used;
        sum = sum.saturating_add(times(used, section.length));
    }
    sum
}

/// The limits as a linear program; [`delay`] is its optimum.
fn add_to(program: &mut Program, layout: &Layout<'_>, limits: &Limits, window: u64) {
    let task = &layout.tasks[limits.task];
    let pending = jobs(window, task.deadline, task.period);
    let mut shared = Vec::new();
    let mut same: Vec<Vec<(usize, i64)>> = vec![Vec::new(); limits.same.len()];
    for section in &limits.sections {
        let supply = times(pending, section.count);
        let any = program.variable(section.length, supply);
        shared.push((any, 1));
        let mut ways = vec![(any, 1)];
        for (terms, _) in same.iter_mut().zip(&limits.same).filter(|(_, (q, _))| *q == section.resource) {
            let own = program.variable(section.length, supply);
            terms.push((own, 1));
            ways.push((own, 1));
        }
        program.at_most(ways, supply);
    }
    program.at_most(shared, limits.shared);
    for (terms, (_, own)) in same.into_iter().zip(&limits.same) {
        program.at_most(terms, *own);
    }
}

impl FmlpPlusLinear {
    /// The program of one task in a window, others being complete by their deadlines; `None`: there is no such task.
    pub fn program(set: &TaskSet, task: usize, window: u64) -> Option<Program> {
        if task >= set.tasks().len() {
            return None;
        }
        let layout = Layout::new(set);
        let mut program = Program::default();
        limits(&layout, task).iter().for_each(|limits| add_to(&mut program, &layout, limits, window));
        Some(program)
    }

    /// Its optimum, without a solver.
    pub fn delay(set: &TaskSet, task: usize, window: u64) -> Option<u64> {
        if task >= set.tasks().len() {
            return None;
        }
        let layout = Layout::new(set);
        Some(limits(&layout, task).iter().map(|limits| delay(&layout, limits, window)).fold(0, u64::saturating_add))
    }
}

fn responses(layout: &Layout<'_>) -> Responses {
    let limits: Vec<Vec<Limits>> = (0..layout.tasks.len()).map(|i| limits(layout, i)).collect();
    let own = |i: usize| {
        let resumes = layout.global_requests(i).saturating_add(1);
        layout.tasks[i].wcet.saturating_add(times(resumes, layout.local_blocking(i)))
    };
    suspending_with_delays(layout, own, |i, w| {
        limits[i].iter().map(|l| delay(layout, l, w)).fold(0, u64::saturating_add)
    })
}

impl SchedulabilityTest for FmlpPlusLinear {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "fmlp-plus-lp",
            title: "FMLP+, requests counted over the window",
            source: "after Brandenburg 2013 (optimum of the FMLP+ program)",
            family: Family::PartitionedFixedPriority,
            assumptions: ASSUMPTIONS,
            exactness: Exactness::Sufficient,
        }
    }

    /// Sets that the sums accept are accepted without counting.
    fn decide(&self, set: &TaskSet) -> Verdict {
        let layout = Layout::new(set);
        Verdict::from_condition(all_met(&super::responses(&layout)) || all_met(&responses(&layout)))
    }

    fn response_times(&self, set: &TaskSet) -> Option<Responses> {
        Some(responses(&Layout::new(set)))
    }
}
