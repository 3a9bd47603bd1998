//! Components that make locks, of those that come with Fusee.

/// The part that a component of Fusee's own has in locks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockComponent {
    /// `LockScheduler`: critical sections, sleeping and waking.
    Scheduler,
    /// `LockPessimistic`: the first to ask gets the lock first.
    Pessimistic,
    /// `LockOptimistic`: is asked where a word of the client's says that the lock is taken.
    Optimistic,
    /// `LockCeiling`: the priority ceiling protocol.
    Ceiling,
}

/// The request of a call to a lock component.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockCall {
    /// The call takes the lock.
    Take,
    /// Others to get it.
    Release,
}

impl LockCall {
    /// Returns the one that a method of `Locking` is.
    pub fn of(method: &str) -> Option<Self> {
        [Self::Take, Self::Release].into_iter().find(|call| call.method() == method)
    }

    /// Returns its name in `Locking`, and in `OptimisticLocking`.
    pub const fn method(self) -> &'static str {
        match self {
            LockCall::Take => "take",
            LockCall::Release => "release",
        }
    }
}

/// The method that a client calls first at an optimistic lock that it has found taken.
pub const PRETAKE: &str = "pretake";

impl LockComponent {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::Scheduler, Self::Pessimistic, Self::Optimistic, Self::Ceiling];

    /// The number of locks that one has.
    pub const LOCKS: u8 = 8;

    /// Returns the component type's name.
    pub const fn component(self) -> &'static str {
        match self {
            Self::Scheduler => "LockScheduler",
            Self::Pessimistic => "LockPessimistic",
            Self::Optimistic => "LockOptimistic",
            Self::Ceiling => "LockCeiling",
        }
    }

    /// Returns `true` if clients ask it for locks.
    pub const fn is_asked(self) -> bool {
        !matches!(self, Self::Scheduler)
    }
}
