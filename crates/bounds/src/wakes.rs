//! Threads that other cores wake: those that wait suspended, at `mpcp` gates.
//!
//! Each request has one turn, so its thread is woken once at most. A job whose end is within its
//! period has no request before its release nor at the next one's: in a window of length w there
//! are those of ceil((w + T) / T) jobs.

use fusee_analysis::fixed_priority::window::Arrivals;
use fusee_model::{System, TaskId};

use crate::amount::Amount;
use crate::interrupt::{Interrupt, arrivals};
use crate::reach::Reach;

/// By task, how often a job of it can be woken.
#[derive(Debug, Default)]
pub(crate) struct Wakes(Vec<(u32, u64)>);

impl Wakes {
    /// Counts the passages of the tasks of each core at gates where they wait suspended.
    pub(crate) fn of(system: &System, reaches: &[Reach]) -> Self {
        let requests = |(id, task): (TaskId, &fusee_model::Task)| {
            let counts = reaches.get(task.core as usize).map(|reach| &reach.counts[id.index()]);
            let asked = counts
                .into_iter()
                .flatten()
                .filter(|&(&gate, _)| system.gate(gate).is_suspending());
            (task.core, asked.fold(0_u64, |sum, (_, &count)| sum.saturating_add(count)))
        };
        Self(system.task_ids().map(requests).collect())
    }

    /// Returns the number of tasks of a core that can be suspended.
    pub(crate) fn of_core(&self, core: u32) -> u64 {
        self.0.iter().filter(|&&(there, count)| there == core && count > 0).count() as u64
    }

    /// All of a system, at so much each.
    pub(crate) fn all<'w>(
        &'w self,
        system: &'w System,
        cost: Amount,
    ) -> impl Iterator<Item = Interrupt> + 'w {
        let woken = system.tasks.iter().zip(&self.0).filter(|(_, (_, count))| *count > 0);
        woken.map(move |(task, &(core, count))| {
            let Arrivals { period, .. } = arrivals(task);
            // A job that came up to a period before a window may have its turn in it.
            let arrivals = Arrivals { period, jitter: period };
            Interrupt { core, arrivals, cost: cost.times(count), times: count }
        })
    }
}
