//! A small system with mutex words, and what its threads do.

use fusee_kernel::{Tables, ThreadIndex};

/// The way in which components treat their words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conduct {
    /// As the library does; no thread leaves with a mutex.
    Honest,
    /// As the library does, but threads leave with mutexes.
    Careless,
    /// Threads also write anything.
    Lying,
}

/// An error that a machine or the library may make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weakness {
    /// A reservation survives that another thread runs.
    KeptReservation,
    /// The kernel goes by the word that the thread has seen.
    OldWord,
    /// The library unlocks whatever else the word says.
    DeafUnlock,
}

impl Weakness {
    /// All of them.
    pub const ALL: &[Weakness] =
        &[Weakness::KeptReservation, Weakness::OldWord, Weakness::DeafUnlock];

    /// Returns a sentence about the error, in the words of the book.
    pub const fn what(self) -> &'static str {
        match self {
            Weakness::KeptReservation => "a reservation outlives its thread's turn",
            Weakness::OldWord => "test and queueing are two steps",
            Weakness::DeafUnlock => "a word is freed without a look at who waits",
        }
    }
}

/// The order of a system's threads, and their gates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Under {
    /// The policy [`fusee_kernel::MutexWords`].
    Levels,
    /// The policy [`fusee_kernel::CeilingWords`].
    Ceilings,
    /// The policy [`fusee_kernel::DeadlineWords`].
    Deadlines,
}

/// A system to explore.
#[derive(Debug, Clone, Copy)]
pub struct System {
    /// A few words that name the system.
    pub name: &'static str,
    /// The order of its threads, and its gates.
    pub under: Under,
    /// `true` if time passes in it.
    pub ages: bool,
    /// The tables of the kernel.
    pub tables: Tables<'static>,
    /// Base priorities that threads may be given at any time.
    pub priorities: &'static [(ThreadIndex, u8)],
    /// `true` if components that go on after a fault may fault.
    pub faults: bool,
    /// The way in which components treat their words.
    pub conduct: Conduct,
}
