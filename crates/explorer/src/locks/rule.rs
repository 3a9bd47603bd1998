//! The rules of locks by name.

use crate::breach;

pub(super) use breach::ensure;

breach::rules! {
    /// At most one thread is inside.
    Exclusion, "mutual exclusion";
    /// A sleeping thread is in the list, and another is about to wake it: an owner, or one that
    /// releases.
    Wakes, "no lost wake-up";
    /// A sleeping thread depends on the owner, or on the thread that is about to wake it.
    Dependencies, "dependencies";
    /// The lock goes to the thread that asked first.
    Order, "first come, first served";
    /// Nothing is taken from an empty list.
    Lists, "lists";
    /// The component is not asked for a lock that is free.
    Calls, "no call for a free lock";
    /// No thread stops before its last turn.
    Progress, "everybody comes through";
}

/// A rule that does not hold.
pub type Breach = breach::Breach<Rule>;

/// The result of checking rules.
pub type Checked = Result<(), Breach>;
