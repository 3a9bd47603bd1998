//! The rules of sleeping and waking by name.

use crate::breach;

pub(super) use breach::ensure;

breach::rules! {
    /// Who depends sleeps until it is woken, or until nobody may be about to; who was woken before
    /// does not sleep, once.
    Sleepers, "sleepers";
    /// Who goes on is told whether it was woken, or nobody may be about to.
    Told, "sleepers are told";
    /// A thread is depended on exactly while somebody sleeps on its account.
    Dependencies, "dependencies";
    /// Effective priorities are what base priorities, sleepers and waiters demand.
    Priorities, "priorities";
    /// The most urgent of the ready threads runs.
    Highest, "highest runs";
    /// Who has no budget runs exactly while somebody who waits for it has, and the most urgent of
    /// these pays.
    Payers, "payers";
    /// A call is refused exactly if its caller would wait for itself, or is not where it must be.
    Refusals, "refusals";
    /// A refused call changes nothing.
    Atomic, "refusals change nothing";
}

/// A rule that does not hold.
pub type Breach = breach::Breach<Rule>;

/// Whether rules hold.
pub type Checked = Result<(), Breach>;
