//! FIFO spin locks as a linear program (Wieder and Brandenburg 2013, F|N).
//!
//! Each request of another core delays the window of a task while a job of its
//! level spins, or while the lower job spins that blocks at the window's start.
//! What limits them: no request counts twice; while spinning, each own request
//! meets at most one of each other core; one lower section blocks, of one resource,
//! and its spinning meets at most one request of each other core.
//!
//! [`fifo_spin_delay`](super::fifo_spin_delay) gives the optimum without a solver; the program is here
//! to hold it against, and for those who want to add what they know.

use crate::TaskSet;
use crate::linear::Program;
use crate::partitioned::layout::{Access, Layout};
use crate::partitioned::window::{jobs, times};

/// The program of one task in a window; `reach`: for each task, a bound on its response time.
///
/// `None`: there is no such task, or not one bound for each task.
pub fn fifo_spin_program(set: &TaskSet, task: usize, window: u64, reach: &[u64]) -> Option<Program> {
    if task >= set.tasks().len() || reach.len() != set.tasks().len() {
        return None;
    }
    let layout = Layout::new(set);
    let mut program = Program::default();
    let mut choice = Vec::new();
    for q in 0..layout.resources {
        let chosen = blocker(&mut program, &layout, task, q);
        choice.extend(chosen.map(|v| (v, 1)));
        others(&mut program, &layout, (task, q, chosen), window, reach);
    }
    program.at_most(choice, 1);
    Some(program)
}

/// Whether a lower section of a resource blocks: a variable, if one can; and which section.
fn blocker(program: &mut Program, layout: &Layout<'_>, task: usize, q: usize) -> Option<usize> {
    let own = &layout.tasks[task];
    if !layout.is_global(q) && layout.ceiling(q, own.core) < Some(own.priority) {
        return None;
    }
    let lower = |a: &&Access| a.core == own.core && layout.tasks[a.task].priority < own.priority;
    let lengths: Vec<u64> = layout.users(q).iter().filter(lower).map(|a| a.length).collect();
    if lengths.is_empty() {
        return None;
    }
    let chosen = program.variable(0, 1);
    let sections = lengths.into_iter().map(|length| (program.variable(length, 1), 1));
    let terms = sections.chain([(chosen, -1)]).collect();
    program.at_most(terms, 0);
    Some(chosen)
}

/// The requests of each other core, for those who spin and for the one that blocks.
fn others(
    program: &mut Program,
    layout: &Layout<'_>,
    (task, q, chosen): (usize, usize, Option<usize>),
    window: u64,
    reach: &[u64],
) {
    let own = &layout.tasks[task];
    let released = |j: usize| {
        let job = &layout.tasks[j];
        if j == task { 1 } else { jobs(window, job.jitter, job.period) }
    };
    let level = |a: &&Access| a.core == own.core && layout.tasks[a.task].priority >= own.priority;
    let counts = layout.users(q).iter().filter(level).map(|a| times(released(a.task), a.count));
    let requests = counts.fold(0, u64::saturating_add);
    for users in layout.users_by_core(q).filter(|users| users[0].core != own.core) {
        let mut spinning = Vec::new();
        let mut blocking = Vec::new();
        for a in users {
            let supply = times(jobs(window, reach[a.task], layout.tasks[a.task].period), a.count);
            let mut ways = Vec::new();
            if requests > 0 {
                let spin = program.variable(a.length, supply);
                spinning.push((spin, 1));
                ways.push((spin, 1));
            }
            if chosen.is_some() {
                let block = program.variable(a.length, supply);
                blocking.push((block, 1));
                ways.push((block, 1));
            }
            program.at_most(ways, supply);
        }
        program.at_most(spinning, requests);
        if let Some(chosen) = chosen {
            blocking.push((chosen, -1));
            program.at_most(blocking, 0);
        }
    }
}
