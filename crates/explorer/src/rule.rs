//! The rules by name.
//!
//! A defect is found by a rule that it breaks, and not by a number of states that has changed: so
//! each rule has a name, a breach says which rule it is of, and the tests of the seeded defects ask
//! for that one.

use crate::breach;

pub(crate) use breach::ensure;

breach::rules! {
    /// Each thread is in the one queue that its status names, and in no other.
    Queues, "queues";
    /// An exclusive gate has one frame, its holder's; a free one is not waited for.
    Holders, "holders";
    /// Each stack is free or in one frame.
    Stacks, "stacks";
    /// A thread is as urgent by itself as its priority says, or the deadline of its job.
    Urgencies, "urgencies";
    /// Each effective priority is the fixpoint of the rule over all threads, each floor what is
    /// left of it.
    Priorities, "priorities";
    /// The running thread is the highest; the core idles only if no thread is ready.
    Highest, "highest runs";
    /// Held ceilings stand in order of entry, each with the highest up to it.
    Ceilings, "ceilings";
    /// No thread finds a gate held that promises to be free.
    Unheld, "found free";
    /// A job waits for as many sections of less urgent threads as is promised, and these run
    /// nowhere else meanwhile.
    Blockings, "blockings";
    /// Every chain of waiting threads ends at one that does not wait at a gate.
    Circles, "no circles";
    /// A thread without budget runs at the expense of the highest that can lend, of equals the
    /// first.
    Payers, "payers";
    /// Waiters stand by priority, or as they came; a gate and a signal go to the first.
    Waiters, "waiters in order";
    /// A preempted or boosted thread comes before its equals, a released or woken one behind, and
    /// the first runs.
    Equals, "equals in order";
    /// A refused call changes nothing; it is refused if and only if there is a cause, and for that
    /// one.
    Refusals, "refusals";
    /// Each thread has the invocations that it has made and not come back from; a thread that finds
    /// a gate held waits at it.
    Invocations, "invocations";
    /// A fault does to the component what its description says, to its threads elsewhere too, and
    /// to no others.
    Fates, "fates";
    /// A thread that comes to run is told what has happened to it, once.
    Told, "told once";
    /// A signal is taken by one thread, or is pending: none is lost, none doubled.
    Signals, "signals";
    /// The release k of a periodic thread is that of offset + k periods; of equal instants the
    /// first thread's is first.
    Calendar, "calendar";
    /// Two arrivals of a sporadic thread count no closer than its separation; one that comes too
    /// early counts then.
    Separation, "separation";
    /// A job begins when it arrives and none is unfinished; others wait in order, as many as are
    /// declared.
    Jobs, "jobs in order";
    /// A miss is recorded exactly when a job is late: after its deadline, once.
    Misses, "misses";
    /// A response time counts from the nominal arrival.
    Responses, "responses";
    /// A budget is what it was at the last release less the time for which the thread has paid
    /// since.
    Budgets, "budgets";
    /// A time slice is whole at the start of a job and of a turn, less the time that the thread has
    /// run since.
    Slices, "time slices";
    /// A debt is the time that others have paid.
    Debts, "debts";
    /// The timer is set to the next release, or the end of what limits the running thread.
    Timer, "timer";
    /// A thread that goes on finds in its registers what its call gives, or what it was interrupted
    /// with, in its topmost frame; a machine on paper has them.
    Registers, "registers";
}

/// A rule that does not hold.
pub type Breach = breach::Breach<Rule>;

/// The result of checking rules.
pub type Checked = Result<(), Breach>;
