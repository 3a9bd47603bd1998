//! Tasks that decide when others run, and the time that they give them.

use crate::{Duration, Priority, Sourced, TaskId};

/// The algorithm by which a scheduler decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// As its component's own code does.
    Own,
    /// `Partitions`: by a table of slots, which are [`Scheduler::delegates`].
    Partitions,
    /// `FixedPriority`: of those that are ready the highest priority.
    FixedPriority,
    /// `EarliestDeadline`: of those that are ready the one that is due first.
    EarliestDeadline,
    /// `RoundRobin`: each in turn.
    RoundRobin,
    /// `DeferrableServer`: as `FixedPriority`, within a capacity that is filled up periodically.
    DeferrableServer,
    /// `PriorityServers`: as `FixedPriority`, but for threads with time of their own, which is
    /// [`Scheduler::delegates`].
    PriorityServers,
}

/// The least time that schedulers which come with Fusee give: of less, deciding takes a part. Their
/// code has the same number.
pub const LEAST_GIVEN: Duration = Duration(10_000);

impl Algorithm {
    /// Those that come with Fusee.
    pub const SHIPPED: [Self; 6] = [
        Self::Partitions,
        Self::FixedPriority,
        Self::EarliestDeadline,
        Self::RoundRobin,
        Self::DeferrableServer,
        Self::PriorityServers,
    ];

    /// Returns the type of the component that decides so; of one's own there is none.
    pub const fn component(self) -> Option<&'static str> {
        match self {
            Self::Own => None,
            Self::Partitions => Some("Partitions"),
            Self::FixedPriority => Some("FixedPriority"),
            Self::EarliestDeadline => Some("EarliestDeadline"),
            Self::RoundRobin => Some("RoundRobin"),
            Self::DeferrableServer => Some("DeferrableServer"),
            Self::PriorityServers => Some("PriorityServers"),
        }
    }
}

/// A task that dispatches others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scheduler {
    /// The scheduler's own task.
    pub task: TaskId,
    /// The algorithm by which it decides.
    pub algorithm: Algorithm,
    /// The tasks that it dispatches, in their order.
    pub threads: Vec<Sourced<TaskId>>,
    /// The period in which it gives each amount in [`delegates`](Self::delegates) once.
    pub every: Option<Sourced<Duration>>,
    /// The time that it gives, in order.
    pub delegates: Vec<Delegation>,
}

/// Time that a scheduler gives to a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delegation {
    /// The task that receives.
    pub to: TaskId,
    /// The amount, and the place that says so.
    pub amount: Sourced<Duration>,
    /// The priority that the giver attaches: higher is more urgent.
    pub priority: Priority,
}
