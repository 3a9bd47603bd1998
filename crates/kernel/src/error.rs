//! The reasons for refusing an operation. A refused one has changed nothing.

crate::coded! {
    /// A reason for which an operation is refused; the state is as it was before, byte for byte.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Error {
        // The numbers are results of system calls, so they never change, and none is 0: that is
        // success.
        /// No thread runs on this core, so there is no caller.
        Idle = 1,
        /// The slot holds no capability of the kind needed.
        NoCapability = 2,
        /// No object has this index.
        NoSuchObject = 3,
        /// The invocation stack has reached the declared depth, or the chain of holders behind the
        /// gate the declared length.
        Depth = 4,
        /// The caller already holds this exclusive gate.
        Reentry = 5,
        /// The gate's holder waits, through other gates, for the caller.
        Deadlock = 6,
        /// The gate's component is dead.
        Dead = 7,
        /// All stacks of the gate are in use: the build counted too few.
        NoStack = 8,
        /// A return outside any gate.
        NotInGate = 9,
        /// A job cannot end inside a gate.
        InGate = 10,
        /// The notification's count is at its limit.
        CountFull = 11,
        /// The notification releases jobs; no thread can wait for it.
        Bound = 12,
        /// The thread is not released from outside.
        NotSporadic = 13,
        /// The running frame's component is alive: there is nothing to abort or to put back.
        NotStale = 14,
        /// The priority is not below the number of levels.
        Priority = 15,
        /// A return, but a mutex that was locked since the gate was passed is still locked.
        Locked = 16,
        /// The mutex is not what the caller has locked last.
        NotLocked = 17,
        /// Not allowed between asking at a global gate and coming back from it.
        InGlobal = 18,
        /// Another thread of this core has asked at the global gate: its ceiling here is too low.
        Asked = 19,
        /// The thread has signalled this notification of another core as often as it may.
        TooOften = 20,
    }
}

/// A reason for which an invocation came back without having returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Failure {
    /// The callee faulted.
    Fault = 1,
    /// The callee's component died or was restarted meanwhile.
    Aborted = 2,
}

impl Failure {
    /// Returns the failure with this number.
    pub const fn of(number: u32) -> Failure {
        // Only the kernel writes this number, and only from a `Failure`, so there is no third case.
        if number == Failure::Fault as u32 { Failure::Fault } else { Failure::Aborted }
    }
}
