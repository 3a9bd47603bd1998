//! A bound with its parts, or the reason why there is none.

use fusee_model::costs::Provenance;
use fusee_model::{Duration, GateId, NotificationId, Origin, TaskId};

use crate::chain_bound::ChainBound;
use crate::obstacle::Obstacle;

/// Everything that the analysis says about a system.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// One entry for each task of the system, in its order.
    pub tasks: Vec<TaskBound>,
    /// One entry for each chain of the system, in its order.
    pub chains: Vec<ChainBound>,
    /// The time that schedulers' tables and servers give for certain, in the order of tasks.
    pub supplies: Vec<SupplyBound>,
    /// The platform whose kernel costs are in the bounds.
    pub platform: String,
    /// The source of those costs.
    pub provenance: Provenance,
    /// `true` if any kernel path costs anything.
    pub has_kernel_costs: bool,
}

impl Analysis {
    /// Returns `true` if any task has a deadline; without one there is nothing to show.
    pub fn has_deadlines(&self) -> bool {
        let limited = |chain: &ChainBound| chain.within.is_some() || chain.age_limit.is_some();
        self.tasks.iter().any(|task| task.deadline.is_some()) || self.chains.iter().any(limited)
    }

    /// Returns `true` if every task with a release is shown to meet its deadline, and every chain
    /// to keep its limits.
    pub fn is_schedulable(&self) -> bool {
        self.tasks.iter().all(TaskBound::is_schedulable)
            && self.chains.iter().all(ChainBound::is_guaranteed)
    }
}

/// The time of the core that a task has for certain because of schedulers' tables and servers, but
/// for the time that tasks outside of its tree take; and the time that it can take from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SupplyBound {
    /// The task that has the time.
    pub task: TaskId,
    /// The period after which it repeats.
    pub every: Duration,
    /// The least in any window of that length.
    pub least: Duration,
    /// The longest time without any.
    pub gap: Duration,
    /// The most that it can take from tasks below the tree in a window of that length, with all
    /// that it has been given and may have kept (property 13 of Gadepalli et al. 2017); nothing is
    /// said of a task that is no server, and to which no table gives slots of its own.
    pub interference: Option<Duration>,
}

/// The analysis' result for one task.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskBound {
    /// The task in question.
    pub task: TaskId,
    /// Relative deadline; `None`: the task has no release and is not analyzed.
    pub deadline: Option<Duration>,
    /// Worst-case execution time of one job with all its invocations, without the kernel's share.
    pub wcet: Option<Duration>,
    /// The kernel's share in one job, apart from its release.
    pub job_kernel: Option<Duration>,
    /// The bound, or why there is none.
    pub bound: Result<Bound, Obstacle>,
}

impl TaskBound {
    /// Returns the bound on the response time, if there is one.
    pub fn response(&self) -> Option<Duration> {
        self.bound.as_ref().ok().map(|b| b.response)
    }

    /// Takes the bound away for this reason, unless there is none for another that weighs more.
    pub(crate) fn withdraw(&mut self, obstacle: Obstacle) {
        // That a window does not end says least, so a more precise reason may replace it.
        if !matches!(self.bound, Err(known) if known != Obstacle::NoEnd) {
            self.bound = Err(obstacle);
        }
    }

    /// Returns `true` if the deadline is guaranteed; a task without release has none to miss.
    pub fn is_schedulable(&self) -> bool {
        match (self.deadline, &self.bound) {
            (None, _) => true,
            (Some(deadline), Ok(bound)) => bound.response <= deadline,
            (Some(_), Err(_)) => false,
        }
    }

    /// Deadline minus bound, in nanoseconds; negative when the deadline is not guaranteed.
    pub fn slack(&self) -> Option<i128> {
        // The difference of two unsigned times may be below 0.
        Some(i128::from(self.deadline?.ns()) - i128::from(self.response()?.ns()))
    }
}

/// A bound on a response time.
///
/// Own execution, interference, blocking, waiting, suspension, waits for events, kernel time and
/// what is withheld add up to the window;
/// the response is the window less the periods before the job (under earliest deadline and from
/// known offsets, less the time from its start to the job's arrival), plus the jitter.
#[derive(Debug, Clone, PartialEq)]
pub struct Bound {
    /// From nominal arrival to completion, at most.
    pub response: Duration,
    /// The theorem behind it.
    pub theorem: Theorem,
    /// Position, in its busy window, of the job that responds latest.
    pub job: u64,
    /// Length of the busy window up to that job's completion.
    pub window: Duration,
    /// Own execution of this and the earlier jobs of the window.
    pub own: Duration,
    /// Execution of other tasks, longest first.
    pub interference: Vec<Interference>,
    /// Sections of lower tasks, longest first.
    pub blocking: Vec<BlockingPart>,
    /// Waiting of all these jobs for other cores, longest first; that of lower tasks is in their
    /// sections.
    pub waiting: Vec<WaitingPart>,
    /// The time that this job waits suspended for other requests, its core being free, longest
    /// first.
    pub suspension: Vec<WaitingPart>,
    /// The time that this job waits for events, in the order of its body.
    pub events: Vec<EventPart>,
    /// Kernel time of all jobs, releases and the path in progress.
    pub kernel: Duration,
    /// Time in which others have the core, because a scheduler's table says so.
    pub withheld: Duration,
    /// Release jitter, which counts in the response.
    pub jitter: Duration,
}

impl Bound {
    /// Returns all blocking together.
    pub fn blocking_time(&self) -> Duration {
        Duration(self.blocking.iter().map(|b| b.time.ns()).sum())
    }

    /// Returns all waiting for other cores together that keeps the own core.
    pub fn waiting_time(&self) -> Duration {
        Duration(self.waiting.iter().map(|w| w.time.ns()).sum())
    }

    /// Returns all waiting at gates between cores and for events, suspended or not.
    pub fn all_waiting_time(&self) -> Duration {
        Duration(self.waiting_time().ns() + self.suspension_time().ns() + self.event_time().ns())
    }

    /// All waits for events together.
    pub fn event_time(&self) -> Duration {
        Duration(self.events.iter().map(|wait| wait.time.ns()).sum())
    }

    /// Returns all suspended waiting together.
    pub fn suspension_time(&self) -> Duration {
        Duration(self.suspension.iter().map(|w| w.time.ns()).sum())
    }

    /// Returns all interference together.
    pub fn interference_time(&self) -> Duration {
        Duration(self.interference.iter().map(|i| i.time.ns()).sum())
    }
}

/// The time that another task takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interference {
    /// The task that interferes.
    pub task: TaskId,
    /// The number of its jobs.
    pub jobs: u64,
    /// Their execution, without the kernel's share.
    pub time: Duration,
}

/// The time that a lower task takes while it is inside a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockingPart {
    /// The task that blocks.
    pub task: TaskId,
    /// The outermost gate of the section.
    pub gate: GateId,
    /// The number of times: once, or each time that the job goes on after it was suspended as well.
    pub times: u64,
    /// The section with everything nested in it, and what it waits for other cores.
    pub time: Duration,
    /// The part of that time that is waiting for other cores.
    pub waiting: Duration,
    /// The invocation in the description.
    pub origin: Origin,
}

/// The time that another task, mostly of another core, takes while it is ahead at a gate between
/// cores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaitingPart {
    /// The task whose section it is: of those that can be meant, the one with the longest.
    pub task: TaskId,
    /// The gate in question.
    pub gate: GateId,
    /// The number of such sections that the window's requests wait for.
    pub requests: u64,
    /// All of them together.
    pub time: Duration,
}

/// The longest time that a job waits for an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventPart {
    /// The task that signals it.
    pub task: TaskId,
    /// The event that is waited for.
    pub event: NotificationId,
    /// The length of the wait.
    pub time: Duration,
}

/// The theorem that a bound rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Theorem {
    /// Bound within the period: one job a window (Joseph and Pandya 1986; Audsley et al. 1993).
    ResponseTime,
    /// Windows with several jobs (Lehoczky 1990; Tindell, Burns and Wellings 1994).
    BusyPeriod,
    /// Windows of deadlines (Baruah, Rosier and Howell 1990; Baker 1991; Spuri 1996).
    ProcessorDemand,
    /// Windows that begin where tasks arrive at their offsets, with one job or several (Tindell
    /// 1994; Palencia and Gonzalez Harbour 1998).
    Offsets,
    /// The window of a lower level, because of a gate without priority management.
    LowerLevel,
    /// Jobs that wait suspended, and what others see of them.
    Suspension,
    /// Windows of deadlines in which such jobs are under way (Spuri 1996; Chen, Nelissen, Huang
    /// 2016).
    DemandWithSuspension,
    /// Windows in which a table of slots has given enough (Mok, Feng, Chen 2001; Lipari, Bini
    /// 2005).
    Supply,
    /// Windows of deadlines in which it has (Spuri 1996; Shin, Lee 2003).
    DemandUnderSupply,
}

impl Theorem {
    /// Returns its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Theorem::ResponseTime => {
                "response-time analysis (Joseph, Pandya 1986; Audsley et al. 1993)"
            }
            Theorem::BusyPeriod => {
                "busy-period analysis (Lehoczky 1990; Tindell, Burns, Wellings 1994)"
            }
            Theorem::Offsets => {
                "busy periods from known offsets (Tindell 1994; Palencia, Gonzalez Harbour 1998)"
            }
            Theorem::ProcessorDemand => {
                "processor demand in deadline busy periods (Baruah et al. 1990; Baker 1991; Spuri \
                 1996)"
            }
            Theorem::Suspension => {
                "response-time analysis with suspended waiting (Rajkumar 1990; Lakshmanan et al. \
                 2009; Bletsas et al. 2018)"
            }
            Theorem::DemandWithSuspension => {
                "processor demand with suspended waiting (Spuri 1996; Chen, Nelissen, Huang 2016)"
            }
            Theorem::Supply => {
                "response-time analysis under the least supply of slots (Mok, Feng, Chen 2001; \
                 Lipari, Bini 2005)"
            }
            Theorem::DemandUnderSupply => {
                "processor demand under the least supply of slots (Spuri 1996; Shin, Lee 2003)"
            }
            Theorem::LowerLevel => {
                "busy-period analysis at the level of the lowest user of a fifo gate"
            }
        }
    }
}
