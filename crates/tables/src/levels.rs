//! The urgency of threads and gates in the kernel's tables.
//!
//! Under fixed priorities these are the priorities and ceilings of the description. Under
//! earliest deadline a level only says whose deadline a gate with a ceiling may have to
//! meet: the distinct spans from a job's latest release to its deadline are numbered, the
//! longest with 1. Who has no deadline is at 0, and so is every thread that only a booted
//! system has: it yields to all others.

use crate::TablesError;
use fusee_kernel::PRIORITIES;
use fusee_model::derived::GateFacts;
use fusee_model::{Policy, System, Task, TaskId};

/// The levels of a system's tasks and gates.
pub(crate) struct Levels {
    of_tasks: Vec<u8>,
    policy: Policy,
}

impl Levels {
    /// # Errors
    /// [`TablesError::Deadlines`].
    pub(crate) fn of(system: &System) -> Result<Levels, TablesError> {
        // A core has a system of its own.
        let policy = system.policy_on(0);
        if policy == Policy::FixedPriority {
            let of_tasks = system.task_ids().map(|(id, _)| system.level(id)).collect();
            return Ok(Levels { of_tasks, policy });
        }
        let mut spans: Vec<u64> = system.tasks.iter().filter_map(least_left).collect();
        spans.sort_unstable_by_key(|&span| std::cmp::Reverse(span));
        spans.dedup();
        if spans.len() >= PRIORITIES {
            return Err(TablesError::Deadlines(spans.len()));
        }
        let level =
            |span: u64| spans.iter().position(|&other| other == span).map_or(0, |at| at as u8 + 1);
        let of_tasks = system.tasks.iter().map(|task| least_left(task).map_or(0, level)).collect();
        Ok(Levels { of_tasks, policy })
    }

    /// Returns a task's level.
    pub(crate) fn task(&self, task: TaskId) -> u8 {
        self.of_tasks[task.index()]
    }

    /// Returns a gate's ceiling, where its protocol has one.
    pub(crate) fn ceiling(&self, facts: &GateFacts) -> u8 {
        match self.policy {
            Policy::FixedPriority => facts.ceiling.unwrap_or(0),
            Policy::EarliestDeadline => {
                facts.tasks.iter().map(|&task| self.task(task)).max().unwrap_or(0)
            }
        }
    }

    /// The level of a thread that is no task's and would have this priority.
    pub(crate) fn besides(&self, priority: u8) -> u8 {
        match self.policy {
            Policy::FixedPriority => priority,
            Policy::EarliestDeadline => 0,
        }
    }
}

/// Returns the least time from a job's release to its deadline.
fn least_left(task: &Task) -> Option<u64> {
    let release = task.release.as_ref()?;
    let deadline = task.deadline.unwrap_or(release.period).value.ns();
    Some(deadline.saturating_sub(release.jitter.value.ns()))
}
