//! The time that threads in slots lend at gates to others of their tree.
//!
//! In a window that has the core in slots, a thread that goes later can take one outermost section
//! in each slot (module `trees`). But it runs there only while a job of the window waits at a gate;
//! and where no such gate is nested in another, each time that a job asks it runs for no more than
//! its one turn before that: in a table only threads of the tree use the gate (F0585), all as
//! urgent as each other, so whoever has had its turn queues behind. So it takes no more sections
//! than the jobs of the window ask for gates that it uses.

use fusee_model::{GateId, TaskId};

use crate::blocking::{Section, asked};
use crate::context::Context;
use crate::lock_sections;
use crate::obstacle::Obstacle;

/// The time that one thread may be lent.
pub(crate) struct Loan {
    /// The longest of its sections.
    pub(crate) section: Section,
    /// The number of requests of a gate that it uses, by each job of a member, by its position.
    requests: Vec<(usize, u64)>,
}

impl Loan {
    /// Returns the number of its sections in a window with so many jobs of each member that has the
    /// core so often again.
    pub(crate) fn times(&self, jobs: &[u64], phases: u64) -> u64 {
        // A request brings it one turn at most, and so does each time that the core is there again.
        // Both limits hold, so the smaller one counts.
        asked(&self.requests, jobs).min(phases)
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
    let mut all = Vec::new();
    for &task in borrowers {
        // In which of its sections it is, nobody knows, so the longest stands for any.
        let mut longest: Option<Section> = None;
        for (passage, length) in context.relevant(level, task) {
            let (gate, origin, length) = (passage.gate, passage.origin, length?);
            if longest.is_none_or(|known| known.length < length) {
                longest = Some(Section { task, gate, length, waiting: 0, origin });
            }
        }
        let used = |gate: &GateId| context.reach.counts[task.index()].contains_key(gate);
        let of = |(place, member): (usize, &TaskId)| {
            let counts = context.reach.counts[member.index()].iter();
            let asked = counts.filter(|(gate, _)| used(gate)).map(|(_, &count)| count);
            (place, asked.fold(0_u64, u64::saturating_add))
        };
        let requests = members.iter().enumerate().map(of).filter(|&(_, each)| each > 0).collect();
        all.extend(longest.map(|section| Loan { section, requests }));
    }
    Ok(all)
}
