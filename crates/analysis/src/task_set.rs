//! Task sets: plain data, checked once.

/// A priority; a higher number is a higher priority. Equal priorities are allowed.
pub type Priority = u32;

/// A periodic or sporadic task; times in ticks of one clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Task {
    /// Worst-case execution time C.
    pub wcet: u64,
    /// Period or minimum inter-arrival time T; never 0 in a [`TaskSet`].
    pub period: u64,
    /// Relative deadline D, counted from the arrival.
    pub deadline: u64,
    /// Longest delay J from arrival to release.
    pub jitter: u64,
    /// Blocking term B: the longest that lower-priority tasks can hold it up.
    pub blocking: u64,
    /// Priority.
    pub priority: Priority,
}

impl Task {
    /// A task with D = T, no jitter, no blocking.
    pub fn implicit(wcet: u64, period: u64, priority: Priority) -> Self {
        Self { wcet, period, deadline: period, jitter: 0, blocking: 0, priority }
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
}

/// Why tasks are no task set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidTaskSet {
    /// A period is 0.
    #[error("task {task}: its period is 0")]
    ZeroPeriod {
        /// Position in the list.
        task: usize,
    },
    /// A deadline is 0.
    #[error("task {task}: its deadline is 0")]
    ZeroDeadline {
        /// Position in the list.
        task: usize,
    },
}

/// Tasks that share one core.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TaskSet {
    tasks: Vec<Task>,
}

impl TaskSet {
    /// Checks the tasks; the empty set is fine and schedulable.
    ///
    /// # Errors
    /// The first task whose period or deadline is 0.
    pub fn new(tasks: Vec<Task>) -> Result<Self, InvalidTaskSet> {
        for (index, task) in tasks.iter().enumerate() {
            if task.period == 0 {
                return Err(InvalidTaskSet::ZeroPeriod { task: index });
            }
            if task.deadline == 0 {
                return Err(InvalidTaskSet::ZeroDeadline { task: index });
            }
        }
        Ok(Self { tasks })
    }

    /// The tasks, in the given order.
    pub fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    /// All tasks other than `index` with at least its priority.
    ///
    /// Equal priority counts as higher, both ways: whichever of the two is
    /// released first is served first.
    pub fn interfering(&self, index: usize) -> impl Iterator<Item = (usize, &Task)> {
        let level = self.tasks[index].priority;
        self.tasks.iter().enumerate().filter(move |&(j, t)| j != index && t.priority >= level)
    }

    /// Gives every task a priority.
    ///
    /// # Panics
    /// There are fewer priorities than tasks.
    #[must_use]
    pub fn with_priorities(mut self, priorities: &[Priority]) -> Self {
        assert_eq!(priorities.len(), self.tasks.len(), "one priority for each task");
        for (task, &priority) in self.tasks.iter_mut().zip(priorities) {
            task.priority = priority;
        }
        self
    }
}
