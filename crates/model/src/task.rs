//! A task: when its jobs come and what one of them does.

use crate::{ComponentId, Duration, GateId, NotificationId, Origin, Priority, Sourced};

/// A control thread's endless sequence of jobs.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// The originating component instance's name.
    pub name: String,
    /// The component in which its control thread starts.
    pub component: ComponentId,
    /// The releases of its jobs; `None`: not analyzed, runs once.
    pub release: Option<Release>,
    /// Relative deadline; the period where the description is silent.
    pub deadline: Option<Sourced<Duration>>,
    /// The base priority.
    pub priority: Sourced<Priority>,
    /// The source of the priority.
    pub priority_source: PrioritySource,
    /// Core on which it runs.
    pub core: u32,
    /// Execution budget for each job.
    pub budget: Option<Budget>,
    /// The work of one job.
    pub body: Body,
    /// Its component instance in the description.
    pub origin: Origin,
}

/// The source of a priority.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrioritySource {
    /// The description gives it.
    Given,
    /// The CAmkES default (254), for a task without timing.
    Default,
    /// Deadline-monotonic assignment.
    DeadlineMonotonic,
    /// Audsley's assignment.
    Audsley,
}

/// When jobs are released.
#[derive(Debug, Clone, PartialEq)]
pub struct Release {
    /// Periodic or sporadic.
    pub kind: ReleaseKind,
    /// Period, or minimum inter-arrival time; never 0.
    pub period: Sourced<Duration>,
    /// First release of a periodic task.
    pub offset: Duration,
    /// Longest delay between the nominal instant and the release.
    pub jitter: Sourced<Duration>,
}

/// Periodic or sporadic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReleaseKind {
    /// Released by the kernel's timer at `offset + k * period`.
    Periodic,
    /// Released from outside, at least one period apart.
    Sporadic,
    /// Released by a notification, which comes at most once a period.
    Notification(NotificationId),
}

/// A limit on the execution time of each job.
#[derive(Debug, Clone, PartialEq)]
pub struct Budget {
    /// Execution time for each release.
    pub amount: Sourced<Duration>,
    /// The reaction to its end.
    pub overrun: Overrun,
}

/// The reaction when a budget ends before the job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overrun {
    /// The thread is suspended until its next release.
    Suspend,
    /// The notification is signalled, the thread goes on.
    Notify(NotificationId),
    /// The thread goes on, the overrun is recorded.
    Continue,
}

/// The work of a job, or of one invocation of a method.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Body {
    /// Steps in order.
    pub steps: Vec<Step>,
    /// The place that says how long it computes; `None`: none does, and `steps` have no time.
    pub wcet_origin: Option<Origin>,
    /// The source of the invocations: `calls`, or the assumption of all.
    pub calls: Calls,
}

/// The source of the list of invocations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Calls {
    /// There is nothing to call.
    #[default]
    None,
    /// A `calls` attribute.
    Given(Origin),
    /// Every used interface of the component, once each.
    Assumed,
}

/// One step of a body.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Own execution, between `best` and `worst`.
    Compute {
        /// The shortest time.
        best: Duration,
        /// The longest time.
        worst: Duration,
    },
    /// Passing a gate and coming back.
    Invoke {
        /// The gate that is invoked.
        gate: GateId,
        /// Position in the gate's methods; `None`: whichever takes longest.
        method: Option<usize>,
        /// The lock that is asked for, where the gate is a lock component's.
        lock: Option<u8>,
        /// The entry of `calls`, or the connection.
        origin: Origin,
    },
    /// Signalling a notification.
    Emit(NotificationId),
    /// Waiting for a notification.
    Wait(NotificationId),
}

impl Task {
    /// Returns the event that releases it.
    pub fn release_event(&self) -> Option<NotificationId> {
        match self.release.as_ref()?.kind {
            ReleaseKind::Notification(id) => Some(id),
            ReleaseKind::Periodic | ReleaseKind::Sporadic => None,
        }
    }
}
