//! The rules of sleeping and waking by name.

use crate::breach;

pub(super) use breach::ensure;

breach::rules! {
    /// A thread that depends on another sleeps until it is woken, or until no thread may be about
    /// to wake it; a thread that was woken before does not sleep, once.
    Sleepers, "sleepers";
    /// A thread that goes on is told if it was woken, or if no thread may be about to wake it.
    Told, "sleepers are told";
    /// A thread is depended on exactly while another one sleeps on its account.
    Dependencies, "dependencies";
    /// Effective priorities are what base priorities, sleepers and waiters demand.
    Priorities, "priorities";
    /// The most urgent of the ready threads runs.
    Highest, "highest runs";
    /// A thread without budget runs exactly while a thread that waits for it has some, and the most
    /// urgent of these pays.
    Payers, "payers";
    /// A call is refused exactly if its caller would wait for itself, or is not where it must be.
    Refusals, "refusals";
    /// A refused call changes nothing.
    Atomic, "refusals change nothing";
}

/// A rule that does not hold.
pub type Breach = breach::Breach<Rule>;

/// The result of checking rules.
pub type Checked = Result<(), Breach>;
