//! One cost: a constant, or a table.

use serde::{Deserialize, Serialize};

use super::Uncharged;
use crate::TaskSet;

/// The thing that a table counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Per {
    /// Tasks: of the core, or that use the resource.
    Tasks,
    /// Cores: of the set, or that use the resource.
    Cores,
    /// Cores of the set, also for requests.
    MachineCores,
}

impl std::fmt::Display for Per {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Per::Tasks => "tasks",
            Per::Cores | Per::MachineCores => "cores",
        })
    }
}

/// A cost in ticks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Cost {
    /// The same everywhere.
    Constant(u64),
    /// By number: the cost at the smallest listed number that is not below.
    Table {
        /// The thing that is counted.
        per: Per,
        /// Numbers and costs, in any order.
        ticks: Vec<(u64, u64)>,
    },
}

impl Default for Cost {
    fn default() -> Self {
        Cost::Constant(0)
    }
}

/// The number of each thing that is involved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) tasks: u64,
    pub(super) cores: u64,
    pub(super) machine: u64,
}

impl Cost {
    /// The cost where all tasks and cores of a set take part; the name is for the message.
    ///
    /// # Errors
    /// A table ends too early.
    pub fn for_set(&self, operation: &'static str, set: &TaskSet) -> Result<u64, Uncharged> {
        let cores = set.cores() as u64;
        self.at(operation, Numbers { tasks: set.tasks().len() as u64, cores, machine: cores })
    }

    /// Returns `true` if it does not depend on numbers.
    pub(super) fn is_constant(&self) -> bool {
        matches!(self, Cost::Constant(_))
    }

    /// The cost for these numbers; the name is for the message.
    pub(super) fn at(&self, operation: &'static str, numbers: Numbers) -> Result<u64, Uncharged> {
        match self {
            Cost::Constant(ticks) => Ok(*ticks),
            Cost::Table { per, ticks } => {
                let number = match per {
                    Per::Tasks => numbers.tasks,
                    Per::Cores => numbers.cores,
                    Per::MachineCores => numbers.machine,
                };
                let last = ticks.iter().map(|(n, _)| *n).max().unwrap_or(0);
                let fitting = ticks.iter().filter(|(n, _)| *n >= number).min();
                fitting.map(|(_, t)| *t).ok_or(Uncharged::BeyondTable {
                    operation,
                    last,
                    number,
                    what: *per,
                })
            }
        }
    }
}
