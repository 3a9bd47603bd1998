//! The costs of scheduling and locking, charged to task sets.
//!
//! Tests assume that switching, locking and releasing cost nothing. A set for which
//! they do cost is turned into one for which they do not, with longer executions
//! and sections; what a test says of the second holds for the first. Two accounts:
//! [`Overheads::inflated`] adds to each execution time what its own operations cost,
//! as Dos Santos et al. 2023 do; it leaves out release interrupts of other tasks and
//! cache-related delay. [`Overheads::preemption_centric`] charges these too
//! (Brandenburg 2011, chapter 3): interrupts slow everything down by their share of
//! the core, and each job pays for the preemptions that it causes.
//!
//! A cost is a constant or a table by the number of tasks or cores. Beyond a table's
//! end nothing is known, and that is an error.

mod charge;
mod cost;

pub use charge::{Charging, Sections, Waiting};
pub use cost::{Cost, Per};

use serde::{Deserialize, Serialize};

/// The costs of operations in ticks; 0 unless given.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Overheads {
    /// The interrupt that releases a job.
    pub release: Cost,
    /// Choosing the next job.
    pub scheduling: Cost,
    /// Switching to it.
    pub context_switch: Cost,
    /// Requesting a resource, until it is got or waiting starts.
    pub lock: Cost,
    /// Giving a resource back.
    pub unlock: Cost,
    /// Moving a preempted holder to a waiting job's core, and back.
    pub helping: Cost,
    /// From one core's request to another core's reaction.
    pub interrupt_between_cores: Cost,
    /// The time that a job needs to fill caches again after a preemption or migration.
    pub cache_delay: Cost,
}

/// The reason for which overheads cannot be charged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Uncharged {
    /// A table does not go so far.
    #[error("{operation}: its table ends at {last}, but {number} {what} are involved")]
    BeyondTable {
        /// The cost's name.
        operation: &'static str,
        /// The largest number in the table.
        last: u64,
        /// The number that was needed.
        number: u64,
        /// The thing that is counted.
        what: Per,
    },
    /// Release interrupts leave nothing of a core.
    #[error("core {core}: release interrupts take all of its time")]
    NoTimeLeft {
        /// The core in question.
        core: usize,
    },
    /// An execution time with its overheads does not fit.
    #[error("task {task}: its execution time with overheads does not fit")]
    TooLong {
        /// The task's position.
        task: usize,
    },
}

#[cfg(test)]
mod tests;
