//! The rules of mutex words by name.

use crate::breach;

pub(super) use breach::ensure;

breach::rules! {
    /// At most one thread believes to hold a mutex, of those whose component is not gone.
    Exclusion, "mutual exclusion";
    /// A record exists exactly while a thread waits, and the word says that it is contended exactly
    /// then.
    Contended, "records and waiters";
    /// The word names the holder of the mutex.
    Owner, "words";
    /// If a thread waits, another one that believes to hold the mutex will hand it on.
    Wakes, "no lost wake-up";
    /// Only a thread inside of the component is adopted.
    Inside, "owners are inside";
    /// Effective priorities and floors are what base priorities and waiters demand.
    Priorities, "priorities";
    /// Waiting threads are in order of priority, and the first gets the mutex.
    Order, "waiters in order";
    /// No threads wait in a circle.
    Circles, "circles";
    /// The most urgent of the ready threads runs.
    Highest, "highest runs";
    /// A gate with a ceiling is entered exactly if no other thread holds one whose ceiling is not
    /// below the caller's base priority; and it is free then.
    Bars, "ceilings";
    /// A refused call changes nothing.
    Atomic, "refusals change nothing";
    /// A call is refused exactly if it is not allowed.
    Refusals, "refusals";
    /// A thread that gets a mutex is told if its holder has failed.
    Died, "failures are told";
}

/// A rule that does not hold.
pub type Breach = breach::Breach<Rule>;

/// The result of checking rules.
pub type Checked = Result<(), Breach>;
