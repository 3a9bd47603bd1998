//! The options of a simulation, and of its records.

use fusee_model::Duration;
use fusee_model::costs::CostTable;

/// The options of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Virtual time at which the run ends.
    pub duration: Duration,
    /// Seed of everything that is drawn.
    pub seed: u64,
    /// The rule for the length of computations.
    pub execution: Execution,
    /// When jobs are released.
    pub releases: Releases,
    /// The costs of the kernel's paths.
    pub costs: CostTable,
    /// The records that are kept.
    pub recording: Recording,
    /// The run ends after so many kernel events, however early.
    pub most_events: u64,
}

/// A second of virtual time, worst-case execution, all tasks released at 0.
impl Default for Options {
    fn default() -> Self {
        Self {
            duration: Duration(1_000_000_000),
            seed: 1,
            execution: Execution::Worst,
            releases: Releases::Synchronous,
            costs: CostTable::zero("sim"),
            recording: Recording::Off,
            most_events: u64::MAX,
        }
    }
}

/// The rule for the length of computations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Execution {
    /// Always the worst case, and of several methods the longest.
    Worst,
    /// Drawn uniformly between best and worst case, and of several methods any.
    Random,
}

/// When jobs are released.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Releases {
    /// All tasks together, as densely as they may: the first job of each is late
    /// by its whole jitter, all others are on time. The common instant is 0, or
    /// the largest jitter, so that no arrival lies before 0.
    Synchronous,
    /// Periodic tasks at their offsets with jitter drawn, sporadic tasks with gaps drawn.
    Drawn,
    /// As `Synchronous`, but the first release of task `i` is later by `starts[i]`
    /// (0 where the list ends early).
    Phased {
        /// First release of each task.
        starts: Vec<Duration>,
    },
}

/// The records that are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recording {
    /// No records are kept.
    Off,
    /// Those from `from` to `to`.
    Window {
        /// The first instant.
        from: Duration,
        /// The last instant.
        to: Duration,
    },
}
