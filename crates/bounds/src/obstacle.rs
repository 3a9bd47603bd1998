//! The reasons for which there is no bound.
//!
//! Not every system has bounds, and for some that have them no theorem here shows
//! it. Each reason is a value with the objects that it is about, so that messages,
//! reports and repairs can all name them.

use fusee_model::{ComponentId, GateId, NotificationId, Policy, TaskId};

use crate::body::{BodyRef, Unknown};
use crate::lock_order::LockDisorder;

/// A reason why a task has no bound on its response time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Obstacle {
    /// The execution time of a body that `task` gets to is not given.
    UnknownTime {
        /// The task at, above or below the analyzed one.
        task: TaskId,
        /// The body without execution time.
        body: BodyRef,
    },
    /// `task` passes messages that do not fit into registers, and their cost is not known.
    Message {
        /// The task at, above or below the analyzed one.
        task: TaskId,
        /// The method with the message.
        body: BodyRef,
    },
    /// The table of kernel costs is silent about the protocol of a gate that `task` passes.
    Passage {
        /// The task at, above or below the analyzed one.
        task: TaskId,
        /// The gate in question.
        gate: GateId,
    },
    /// The kernel costs are those of a kernel with another policy.
    OtherPolicy {
        /// The policy of that kernel.
        known: Policy,
    },
    /// The kernel costs are those of a kernel without mutexes that are words, and the system has
    /// some.
    NoWords,
    /// A thread may hold so many mutexes at once, and some are words: their costs hold for fewer.
    Words {
        /// The number of them.
        held: u32,
        /// The most for which costs are known.
        most: u32,
    },
    /// A callback of a component has a thread that is as urgent or more, and its execution time is
    /// not known.
    Callback {
        /// The component in question.
        component: ComponentId,
        /// The position of the event among its interfaces.
        interface: usize,
    },
    /// A component lets threads sleep on each other's account, for as long as its code likes.
    Sleep {
        /// The component in question.
        component: ComponentId,
    },
    /// A component that comes with Fusee makes locks, and they are used in a way for which no
    /// theorem is known.
    LockUse {
        /// The component that makes locks, or whose code uses them.
        component: ComponentId,
        /// The kind of use that no theorem covers.
        why: LockMisfit,
    },
    /// The kernel costs are those of a kernel without sleeping on another's account, and a
    /// component of the system lets threads sleep so.
    NoServices {
        /// The component in question.
        component: ComponentId,
    },
    /// A component has so many mutexes, and some of the system are words: costs hold for fewer.
    WordsOf {
        /// The component in question.
        component: ComponentId,
        /// The number of them.
        has: u32,
        /// The most for which costs are known.
        most: u32,
    },
    /// Nothing bounds by its period how long `task` takes, which waits suspended at `gate`.
    Late {
        /// The task in question.
        task: TaskId,
        /// The gate in question.
        gate: GateId,
    },
    /// `task` signals an event of another core, and nothing bounds by its period when that looks.
    Signals {
        /// The task that signals.
        task: TaskId,
        /// The event in question.
        event: NotificationId,
    },
    /// The table of kernel costs is silent about what a core takes to look for the signals of
    /// others.
    Look {
        /// The event that they signal.
        event: NotificationId,
    },
    /// Tasks of several cores may post a semaphore, for which one of them looks each time, and the
    /// number of posts is not known.
    Posts {
        /// The component in question.
        component: ComponentId,
        /// The semaphore's position among its locks.
        lock: usize,
    },
    /// Callbacks that another core runs may signal an event for which this one looks, and the
    /// number of signals is not known.
    CallbackSignals {
        /// The component that has them.
        component: ComponentId,
        /// The event in question.
        event: NotificationId,
    },
    /// No bound is known for this policy with the protocol of `gate`, or for the way in which the
    /// gate is nested.
    NoTheorem {
        /// The gate in question.
        gate: GateId,
    },
    /// `task` is a component's thread that makes scheduling decisions, and no analysis knows how.
    Scheduler {
        /// The first of those that are.
        task: TaskId,
    },
    /// There are schedulers, and the cost of their calls is not known.
    SchedulerCosts {
        /// The first of them.
        task: TaskId,
    },
    /// A scheduler that comes with Fusee does not know when `task` is released.
    Unnoticed {
        /// The task that it dispatches.
        task: TaskId,
    },
    /// `task` has time of its own, and may use that up in the middle of a job.
    OwnTime {
        /// The task that a scheduler dispatches.
        task: TaskId,
    },
    /// `task` may not be done before its next release, from which its scheduler then counts its
    /// deadline.
    Disorder {
        /// The task in question.
        task: TaskId,
    },
    /// There is no time that schedulers give to `task` for certain.
    NoSupply {
        /// The task in question.
        task: TaskId,
    },
    /// `task` can get into a recursion or a deadlock over `gate`.
    Cycle {
        /// The task in question.
        task: TaskId,
        /// A gate of the cycle.
        gate: GateId,
    },
    /// `task` waits for an event in the middle of its job.
    Waits {
        /// The task in question.
        task: TaskId,
        /// The body that waits.
        body: BodyRef,
        /// The event that it waits for.
        notification: NotificationId,
    },
    /// `task` waits for an event in the middle of its job, and with that nothing bounds its job by
    /// its period.
    LongWait {
        /// The task in question.
        task: TaskId,
        /// The event that it waits for.
        event: NotificationId,
    },
    /// Unbounded priority inversion at a gate without priority management.
    Inversion {
        /// The `fifo` gate.
        gate: GateId,
        /// The task that waits.
        victim: TaskId,
        /// The task that runs meanwhile, although it is less urgent.
        middle: TaskId,
        /// The task that is inside and does not get to run.
        holder: TaskId,
    },
    /// The budget of `task` may end in the middle of a job, and then it is suspended.
    Suspended {
        /// The task in question.
        task: TaskId,
        /// An exclusive gate that it may hold then; `None` if it is the analyzed task's own budget.
        gate: Option<GateId>,
    },
    /// An exclusive gate is used from several cores.
    SeveralCores {
        /// The gate in question.
        gate: GateId,
    },
    /// Several threads come to a component with a lock, and the wait for it is not known.
    Lock {
        /// The component in question.
        component: ComponentId,
        /// Position of its first lock of which that holds.
        lock: usize,
        /// The most urgent task that comes there.
        user: TaskId,
        /// A body of the component that does not list its calls.
        unlisted: Option<BodyRef>,
    },
    /// More threads than the table of kernel costs holds for.
    Threads {
        /// The number of threads that there may be.
        threads: u32,
        /// The largest number for which the table holds.
        most: u32,
    },
    /// More schedulers than the table of kernel costs holds for.
    Schedulers {
        /// Their number in the system.
        schedulers: u32,
        /// The largest number for which the table holds.
        most: u32,
    },
    /// Gates nested deeper than the table of kernel costs holds for.
    Nesting {
        /// The greatest depth of nested gates.
        nesting: u32,
        /// The greatest depth for which the table holds.
        most: u32,
    },
    /// More cores than the table of kernel costs holds for: they share a memory.
    Cores {
        /// Their number in the system.
        cores: u32,
        /// The largest number for which the table holds.
        most: u32,
    },
    /// A longer chain of threads that wait for each other than the table of kernel costs holds for.
    Chain {
        /// The length of the longest chain.
        chain: u32,
        /// The greatest length for which the table holds.
        most: u32,
    },
    /// More releases of the task can wait for the job before them than the kernel keeps; the next
    /// is lost.
    Backlog {
        /// The number of releases that can wait at the same time.
        waiting: u64,
        /// The number of releases that the kernel keeps.
        most: u64,
    },
    /// The task and those that it yields to need the whole core or more.
    Overload,
    /// Tasks above it have no release, no end, or too much jitter: the busy window does not end in
    /// sight.
    NoEnd,
}

/// A reason for which there is no bound where a lock component is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LockMisfit {
    /// One of its gates lets only one thread in.
    Exclusive,
    /// A body asks it without saying for which lock.
    Unlisted(BodyRef),
    /// A body signals, and a task has a lock then.
    Signals(BodyRef),
    /// Sections are nested in a way of which no bound is known.
    Nested(LockDisorder),
    /// A body waits for an event within a gate for which the owner of a lock may wait.
    Suspends(BodyRef, GateId),
    /// A task that asks it may be suspended at the end of its budget.
    Budget(TaskId),
    /// A body of a task that asks it waits for an event.
    Waits(BodyRef),
    /// Events may have callbacks where it is asked.
    Callback,
    /// Tasks of its users' core wait suspended at a gate between cores.
    SuspendsBetween(GateId),
}

impl Obstacle {
    /// Returns the obstacle for other tasks if `task`, which waits suspended at `gate`, has no
    /// bound for this reason.
    pub(crate) fn of(self, task: TaskId, gate: GateId) -> Obstacle {
        match self {
            // To others such a task is only late. Every other reason is the root of theirs too, and
            // stays.
            Obstacle::NoEnd | Obstacle::Overload | Obstacle::Backlog { .. } => {
                Obstacle::Late { task, gate }
            }
            other => other,
        }
    }
}

/// Returns the obstacle behind a missing number.
pub(crate) fn unknown_time(task: TaskId, unknown: Unknown) -> Obstacle {
    match unknown {
        Unknown::Wcet(body) => Obstacle::UnknownTime { task, body },
        Unknown::Recursion(gate) => Obstacle::Cycle { task, gate },
        Unknown::Passage(gate) => Obstacle::Passage { task, gate },
        Unknown::Message(body) => Obstacle::Message { task, body },
        // A section that does not fit the clock leaves no window an end.
        Unknown::TooLong(_) => Obstacle::NoEnd,
    }
}
