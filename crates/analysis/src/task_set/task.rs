//! One task.

use serde::{Deserialize, Serialize};

use super::InvalidTaskSet;

/// A priority; a higher number is a higher priority. Equal priorities are allowed.
pub type Priority = u32;

/// A periodic or sporadic task; times in ticks of one clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Task {
    /// Worst-case execution time C; critical sections are part of it.
    ///
    /// 0 is shorter than any tick: such a job completes at the first instant at which it would be
    /// dispatched, all that is released up to and at that instant being served before it if it has
    /// at least its priority. A critical section of length 0 likewise waits for its turn; it stands
    /// before some other part of its job's execution, if that has a length.
    pub wcet: u64,
    /// Period or minimum inter-arrival time T; never 0 in a [`TaskSet`](super::TaskSet).
    pub period: u64,
    /// Relative deadline D, counted from the arrival.
    pub deadline: u64,
    /// Longest delay J from arrival to release.
    pub jitter: u64,
    /// Arrival of the first job. Tests that do not use offsets hold for every offset.
    pub offset: u64,
    /// Longest total time S that a job suspends itself, apart from waiting for resources.
    pub suspension: u64,
    /// Blocking term B: the longest that lower-priority tasks can hold it up.
    pub blocking: u64,
    /// The priority of the task.
    pub priority: Priority,
    /// Preemption threshold: once started, only higher priorities than this preempt it.
    /// `None`: its priority, which is ordinary preemption.
    pub threshold: Option<Priority>,
    /// The core that it is placed on, from 0.
    pub core: usize,
}

impl Task {
    /// A task on core 0 with D = T and nothing else.
    pub fn implicit(wcet: u64, period: u64, priority: Priority) -> Self {
        Self {
            wcet,
            period,
            deadline: period,
            jitter: 0,
            offset: 0,
            suspension: 0,
            blocking: 0,
            priority,
            threshold: None,
            core: 0,
        }
    }

    /// The same with another deadline.
    #[must_use]
    pub fn with_deadline(self, deadline: u64) -> Self {
        Self { deadline, ..self }
    }

    /// The same with release jitter.
    #[must_use]
    pub fn with_jitter(self, jitter: u64) -> Self {
        Self { jitter, ..self }
    }

    /// The same with a blocking term.
    #[must_use]
    pub fn with_blocking(self, blocking: u64) -> Self {
        Self { blocking, ..self }
    }

    /// The same with self-suspension.
    #[must_use]
    pub fn with_suspension(self, suspension: u64) -> Self {
        Self { suspension, ..self }
    }

    /// The same with a preemption threshold.
    #[must_use]
    pub fn with_threshold(self, threshold: Priority) -> Self {
        Self { threshold: Some(threshold), ..self }
    }

    /// The same on another core.
    #[must_use]
    pub fn on(self, core: usize) -> Self {
        Self { core, ..self }
    }

    /// Returns the ticks by which the window of a job must be extended: 1 for a job of no length.
    ///
    /// Such a job completes at an instant, and jobs released at that instant come before it. In
    /// whole ticks these are the jobs released in a window one tick longer.
    #[inline]
    pub(crate) fn beyond(&self) -> u64 {
        u64::from(self.wcet == 0)
    }

    /// The preemption threshold, which is the priority unless another is set.
    pub fn effective_threshold(&self) -> Priority {
        self.threshold.unwrap_or(self.priority)
    }

    pub(super) fn validate(&self, task: usize) -> Result<(), InvalidTaskSet> {
        match self {
            Task { period: 0, .. } => Err(InvalidTaskSet::ZeroPeriod { task }),
            Task { deadline: 0, .. } => Err(InvalidTaskSet::ZeroDeadline { task }),
            _ if self.effective_threshold() < self.priority => {
                Err(InvalidTaskSet::LowThreshold { task })
            }
            _ => Ok(()),
        }
    }
}
