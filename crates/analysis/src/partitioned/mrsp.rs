//! MrsP: spin in FIFO order at the local ceiling; waiting jobs help the holder.
//!
//! A job that requests a resource rises to the highest priority among the users
//! on its core and spins there; so higher tasks of the core that do not use the
//! resource preempt it. A holder that is preempted goes on at the cost of any job
//! that waits for it. So a request costs its core, while the job is not preempted,
//! at most one section for each core that uses the resource. All tests assume that
//! helping works and that waiting jobs spin at the ceiling.

mod counted;
mod nested;
mod static_cost;

pub use counted::Mrsp2017;
pub use nested::MrspNested;
pub use static_cost::Mrsp2013;

use super::layout::{Access, Layout};

/// The costs of helping.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Helping {
    /// Ticks to move a holder to another core.
    pub migration: u64,
    /// Ticks for which a holder that moved cannot be preempted.
    pub non_preemptive: u64,
}

impl Helping {
    /// Returns the time that moving adds to one section of the given length: a move to start with,
    /// and one for each non-preemptive stretch; without such stretches nothing bounds it.
    fn of_section(self, length: u64) -> u64 {
        match (self.migration, self.non_preemptive) {
            (0, _) => 0,
            (_, 0) => u64::MAX,
            (cost, stretch) => cost.saturating_mul(length.div_ceil(stretch).saturating_add(1)),
        }
    }

    /// Returns the time for which a holder that moved to this core may hold up a task that has
    /// nothing to do with it.
    fn arrival_blocking(self) -> u64 {
        self.migration.saturating_add(self.non_preemptive)
    }
}

/// Execution of one job outside its sections.
fn outside_sections(layout: &Layout<'_>, i: usize) -> u64 {
    let inside = layout
        .accesses(i)
        .iter()
        .fold(0, |sum: u64, a| sum.saturating_add(a.count.saturating_mul(a.length)));
    layout.tasks[i].wcet.saturating_sub(inside)
}

/// The longest section of each resource, by any task.
fn longest_sections(layout: &Layout<'_>) -> Vec<u64> {
    let longest = |q| layout.users(q).iter().map(|a| a.length).max().unwrap_or(0);
    (0..layout.resources).map(longest).collect()
}

/// The requests of lower local tasks whose local ceiling reaches a task.
fn reaching<'a>(layout: &'a Layout<'_>, i: usize) -> impl Iterator<Item = &'a Access> {
    let task = layout.tasks[i];
    let requests = layout.lower(i).iter().flat_map(|&l| layout.accesses(l));
    requests.filter(move |a| layout.ceiling(a.resource, task.core) >= Some(task.priority))
}
