//! The time that threads in slots lend at gates to others of their tree.
//!
//! In a window that has the core in slots, a thread that goes later can take one outermost section
//! in each slot (module `trees`). But it runs there only while a job of the window waits at a gate;
//! and where no such gate is nested in another, and no other thread that goes later uses it, each
//! time that a job asks it runs for no more than its one turn before that: whoever of the window
//! waits has the next turn. So it takes no more sections than the jobs of the window ask for gates
//! that it uses. With a second such thread the gate may go to and fro between both, in each slot to
//! the one whose slot it is, while the job still waits: all of these together have a turn for each
//! request, and one for each request that still waits when the core is there again.

use fusee_model::{GateId, TaskId};

use crate::blocking::{Section, asked};
use crate::context::Context;
use crate::lock_sections;
use crate::obstacle::Obstacle;

/// The time that one thread may be lent, or several that use the same gates.
pub(crate) struct Loan {
    /// The longest of their sections.
    pub(crate) section: Section,
    /// The number of requests of a gate that they use, by each job of a member, by its position.
    requests: Vec<(usize, u64)>,
    /// The number of these threads.
    threads: u64,
}

impl Loan {
    /// Returns the number of their sections in a window with so many jobs of each member that has
    /// the core so often again.
    pub(crate) fn times(&self, jobs: &[u64], phases: u64) -> u64 {
        let asked = asked(&self.requests, jobs);
        if self.threads == 1 {
            // A request brings it one turn at most, and so does each time that the core is there
            // again. Both limits hold, so the smaller one counts.
            return asked.min(phases);
        }
        // Each turn is for a request that is new, or that still waits when the core is there again:
        // one of each member.
        let again = phases.saturating_mul(self.requests.len() as u64);
        asked.saturating_add(again).min(phases.saturating_mul(self.threads))
    }
}

/// Returns `true` if none of the gates that some tasks pass is nested in another, or keeps threads
/// from others, and none of the tasks takes a lock of a component.
pub(crate) fn are_flat(context: &Context<'_>, tasks: &[TaskId]) -> bool {
    let reach = &context.reach;
    let mut gates = tasks.iter().flat_map(|task| reach.counts[task.index()].keys());
    let keeps_apart = |gate: &GateId| reach.threshold[gate.index()] >= 0;
    !tasks.iter().any(|&task| lock_sections::has_some(context.system, task))
        && gates.all(|gate| reach.nested[gate.index()].is_empty() && !keeps_apart(gate))
}

/// Returns the time that some threads may be lent by members of a window, both in order.
///
/// # Errors
/// A section whose length is unknown or has no bound.
pub(crate) fn loans(
    context: &Context<'_>,
    level: i16,
    (members, borrowers): (&[TaskId], &[TaskId]),
) -> Result<Vec<Loan>, Obstacle> {
    let meets = |task: TaskId| {
        let mut others = borrowers.iter().filter(|&&other| other != task);
        others.any(|&other| shares(context, members, (task, other)))
    };
    let (together, alone): (Vec<TaskId>, Vec<TaskId>) =
        borrowers.iter().partition(|&&task| meets(task));
    let mut all = Vec::new();
    for threads in alone.iter().map(std::slice::from_ref).chain([&together[..]]) {
        all.extend(loan(context, level, (members, threads))?);
    }
    Ok(all)
}

/// Returns the time that these threads may be lent together; none: they are in no section.
fn loan(
    context: &Context<'_>,
    level: i16,
    (members, threads): (&[TaskId], &[TaskId]),
) -> Result<Option<Loan>, Obstacle> {
    // In which of its sections one is, nobody knows, so the longest stands for any.
    let mut longest: Option<Section> = None;
    for &task in threads {
        for (passage, length) in context.relevant(level, task) {
            let (gate, origin, length) = (passage.gate, passage.origin, length?);
            if longest.is_none_or(|known| known.length < length) {
                longest = Some(Section { task, gate, length, waiting: 0, origin });
            }
        }
    }
    let counts = |task: TaskId| &context.reach.counts[task.index()];
    let used = |gate: &GateId| threads.iter().any(|&task| counts(task).contains_key(gate));
    let of = |(place, &member): (usize, &TaskId)| {
        let asked = counts(member).iter().filter(|(gate, _)| used(gate)).map(|(_, &count)| count);
        (place, asked.fold(0_u64, u64::saturating_add))
    };
    let requests = members.iter().enumerate().map(of).filter(|&(_, each)| each > 0).collect();
    Ok(longest.map(|section| Loan { section, requests, threads: threads.len() as u64 }))
}

/// Returns `true` if two tasks use the same gate as one of a window's members.
fn shares(context: &Context<'_>, members: &[TaskId], (one, other): (TaskId, TaskId)) -> bool {
    let uses = |task: TaskId, gate: &GateId| context.reach.counts[task.index()].contains_key(gate);
    let mut gates = context.reach.counts[one.index()].keys();
    gates.any(|gate| uses(other, gate) && members.iter().any(|&member| uses(member, gate)))
}
