//! The rules of locks by name.

use crate::breach;

pub(super) use breach::ensure;

breach::rules! {
    /// At most one thread is inside.
    Exclusion, "mutual exclusion";
    /// Who sleeps is in the list, and somebody is about to wake it: an owner, or who releases.
    Wakes, "no lost wake-up";
    /// Who sleeps depends on the owner, or on who is about to wake it.
    Dependencies, "dependencies";
    /// The lock goes to whoever asked first.
    Order, "first come, first served";
    /// Nothing is taken from an empty list.
    Lists, "lists";
    /// The component is not asked for a lock that is free.
    Calls, "no call for a free lock";
    /// Nobody stops before its last turn.
    Progress, "everybody comes through";
}

/// A rule that does not hold.
pub type Breach = breach::Breach<Rule>;

/// Whether rules hold.
pub type Checked = Result<(), Breach>;
