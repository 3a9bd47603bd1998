//! The reasons for which a call is refused. A refused call has changed nothing.

/// A reason for which a call is refused; the state is as it was before, byte for byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Error {
    /// No thread runs, so there is no caller.
    Idle,
    /// The caller is no scheduler.
    NoScheduler,
    /// No object has this number.
    NoSuchObject,
    /// The account, or the thread, is not the calling scheduler's.
    NotIts,
    /// The token is not newer than the newest that was accepted: the decision is stale.
    Stale,
    /// There are events that the scheduler has not yet received.
    Events,
    /// The account has not so much.
    Budget,
    /// The time-out is not in the future.
    Past,
    /// The thread waits, is dead, or has dispatched another: it cannot be dispatched.
    NotReady,
    /// From an account to itself, or to the caller's own end-point.
    Itself,
    /// The kernel's own account receives nothing: one cycle could lower its level.
    KernelAccount,
    /// The account would hold more than its limit, or more than can be counted.
    Limit,
    /// The root's priority is no level.
    Level,
    /// More than [`ENTRIES`](super::ENTRIES) principals would have a say.
    Entries,
    /// The target is dead.
    Dead,
    /// The kernel's own threads are not faulted here.
    KernelThread,
}
