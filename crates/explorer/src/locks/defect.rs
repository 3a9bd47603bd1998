//! Defects of locks.

/// A way to be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Defect {
    /// Algorithm 1, release: `if empty(list)` where there must be a waiter.
    InvertedTest,
    /// Algorithm 1: a waiting thread depends on the owner that it has found, whichever owns the
    /// lock now.
    StaleDependency,
    /// Algorithm 3, pretake: the epoch is kept once for the lock, not for each thread that asks.
    SharedEpoch,
    /// Algorithm 3, release: only the thread that has woken the last waiter leaves the critical
    /// section.
    KeptSection,
    /// A wake-up is forgotten if its thread does not sleep yet.
    ForgottenWake,
    /// The lock goes to the last thread that came.
    LatestFirst,
    /// An unlocking thread frees the lock and wakes the first waiter, which believes that it owns
    /// it.
    FreedAndHanded,
    /// The library asks the component before it knows that the lock is taken.
    EagerPretake,
    /// The library unlocks without looking for waiting threads.
    DeafUnlock,
    /// A hand-over wakes the new owner only.
    UntoldWaiters,
}

impl Defect {
    /// The four errors of the algorithms as printed.
    pub const PUBLISHED: &[Defect] =
        &[Defect::InvertedTest, Defect::StaleDependency, Defect::SharedEpoch, Defect::KeptSection];

    /// All of them.
    pub const ALL: &[Defect] = &[
        Defect::InvertedTest,
        Defect::StaleDependency,
        Defect::SharedEpoch,
        Defect::KeptSection,
        Defect::ForgottenWake,
        Defect::LatestFirst,
        Defect::FreedAndHanded,
        Defect::EagerPretake,
        Defect::DeafUnlock,
        Defect::UntoldWaiters,
    ];

    /// Returns a sentence about the defect, in the words of the book.
    pub const fn what(self) -> &'static str {
        match self {
            Defect::InvertedTest => "Algorithm 1 as printed: a release takes from an empty list",
            Defect::StaleDependency => "Algorithm 1 as printed: who waits depends on an old owner",
            Defect::SharedEpoch => "Algorithm 3 as printed: one epoch for all who ask",
            Defect::KeptSection => {
                "Algorithm 3 as printed: without waiters the section stays taken"
            }
            Defect::ForgottenWake => "a wake-up before its sleep is forgotten",
            Defect::LatestFirst => "the lock goes to whoever came last",
            Defect::FreedAndHanded => "the lock is freed, and its waiter believes to own it",
            Defect::EagerPretake => "the component is asked before the lock is found taken",
            Defect::DeafUnlock => "the word is freed without a look at who waits",
            Defect::UntoldWaiters => "a hand-over wakes the new owner only",
        }
    }
}
