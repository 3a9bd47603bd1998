//! FIFO spin locks as a linear program (Wieder and Brandenburg 2013, F|N).
//!
//! Each request of another core delays a core while one of its jobs spins, or while
//! the job spins that blocks at the window's start. What limits them: no request
//! counts twice; while spinning, each own request meets at most one of each other
//! core; one section blocks, of one resource, and its spinning meets at most one
//! request of each other core. Fixed priorities and EDF (Biondi and Brandenburg
//! 2016) differ in which jobs spin in a window and which sections may block.
//!
//! [`fifo_spin_delay`](super::fifo_spin_delay) and
//! [`fifo_spin_delay_edf`](super::fifo_spin_delay_edf) give the optima without a solver; the
//! programs are here to hold them against, and for those who want to add what they know.

use crate::TaskSet;
use crate::linear::Program;
use crate::partitioned::demand::jobs_due;
use crate::partitioned::layout::{Access, Layout};
use crate::windows::{jobs, times};

/// The program of one task in a window; `reach`: for each task, a bound on its response time.
///
/// `None`: there is no such task, or not one bound for each task.
pub fn fifo_spin_program(
    set: &TaskSet,
    task: usize,
    window: u64,
    reach: &[u64],
) -> Option<Program> {
    if task >= set.tasks().len() || reach.len() != set.tasks().len() {
        return None;
    }
    let layout = Layout::new(set);
    let own = layout.tasks[task];
    let spinning = |a: &Access| {
        let job = &layout.tasks[a.task];
        let releases = if a.task == task { 1 } else { jobs(window, job.jitter, job.period) };
        if job.priority >= own.priority { times(releases, a.count) } else { 0 }
    };
    let blocks = |a: &Access| {
        let reaches = layout.is_global(a.resource)
            || layout.ceiling(a.resource, own.core) >= Some(own.priority);
        layout.tasks[a.task].priority < own.priority && reaches
    };
    Some(
        Spinning { layout: &layout, core: own.core, window, reach: &|j| reach[j] }
            .program(&spinning, &blocks),
    )
}

/// The program of one core in an interval under EDF; others are complete by their deadlines.
///
/// `None`: there is no such core.
pub fn fifo_spin_program_edf(set: &TaskSet, core: usize, interval: u64) -> Option<Program> {
    if core >= set.cores() {
        return None;
    }
    let layout = Layout::new(set);
    let tasks = layout.tasks;
    let spinning = |a: &Access| times(jobs_due(interval, &tasks[a.task]), a.count);
    let blocks = |a: &Access| {
        let reaches =
            layout.is_global(a.resource) || layout.shortest_deadline(a.resource) <= interval;
        tasks[a.task].deadline > interval && reaches
    };
    let reach = |j: usize| tasks[j].deadline;
    Some(
        Spinning { layout: &layout, core, window: interval, reach: &reach }
            .program(&spinning, &blocks),
    )
}

/// A core that spins in a window.
struct Spinning<'a> {
    layout: &'a Layout<'a>,
    core: usize,
    window: u64,
    reach: &'a dyn Fn(usize) -> u64,
}

impl Spinning<'_> {
    /// `spinning`: how often a job of the core spins for an access; `blocks`: whether its section
    /// may block.
    fn program(
        &self,
        spinning: &dyn Fn(&Access) -> u64,
        blocks: &dyn Fn(&Access) -> bool,
    ) -> Program {
        let mut program = Program::default();
        let mut choice = Vec::new();
        for q in 0..self.layout.resources {
            let own = || self.layout.users(q).iter().filter(|a| a.core == self.core);
            let lengths = own().filter(|a| blocks(a)).map(|a| a.length).collect();
            let chosen = blocker(&mut program, lengths);
            choice.extend(chosen.map(|v| (v, 1)));
            let requests = own().map(spinning).fold(0, u64::saturating_add);
            self.others(&mut program, q, requests, chosen);
        }
        program.at_most(choice, 1);
        program
    }

    /// The requests of each other core, for those who spin and for the one that blocks.
    fn others(&self, program: &mut Program, q: usize, requests: u64, chosen: Option<usize>) {
        for users in self.layout.users_by_core(q).filter(|users| users[0].core != self.core) {
            let mut spinning = Vec::new();
            let mut blocking = Vec::new();
            for a in users {
                let period = self.layout.tasks[a.task].period;
                let supply = times(jobs(self.window, (self.reach)(a.task), period), a.count);
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
}

/// Returns the variable that says if a section of a resource blocks, if one can; one section of
/// these lengths does.
fn blocker(program: &mut Program, lengths: Vec<u64>) -> Option<usize> {
    if lengths.is_empty() {
        return None;
    }
    let chosen = program.variable(0, 1);
    let sections = lengths.into_iter().map(|length| (program.variable(length, 1), 1));
    let terms = sections.chain([(chosen, -1)]).collect();
    program.at_most(terms, 0);
    Some(chosen)
}
