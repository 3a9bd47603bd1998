//! What is simulated, and what is kept of it.

use fusee_model::Duration;
use fusee_model::costs::CostTable;

/// How a run is made.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Virtual time at which the run ends.
    pub duration: Duration,
    /// Seed of everything that is drawn.
    pub seed: u64,
    /// How long computing takes.
    pub execution: Execution,
    /// When jobs are released.
    pub releases: Releases,
    /// What the kernel's paths cost.
    pub costs: CostTable,
    /// Which records are kept.
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

/// How long computing takes.
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

/// Which records are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recording {
    /// None.
    Off,
    /// Those from `from` to `to`.
    Window {
        /// First instant.
        from: Duration,
        /// Last instant.
        to: Duration,
    },
}
