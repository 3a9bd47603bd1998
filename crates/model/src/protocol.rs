//! The protocols of gates, each with what it does.
//!
//! A protocol is one row of [`Protocol::descriptor`]. Checks, tables, bounds, placement and
//! measuring ask the row, and name a protocol only where its own theorem stands.

use crate::named::named;
use crate::policy::Policy;

named! {
    /// The effect of a gate on concurrency and priority.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Protocol {
        /// Reentrant; runs at the caller's priority.
        Propagated = "propagated",
        /// Exclusive; runs at the ceiling at once. Non-preemptive when that is the top priority.
        Fixed = "fixed",
        /// Exclusive; the holder inherits from waiting threads.
        Inherited = "inherited",
        /// Exclusive; first come first served, no priority management.
        Fifo = "fifo",
        /// Exclusive; a thread enters if it is above the ceilings of all such gates that others
        /// hold (PCP).
        Ceiling = "ceiling",
        /// Exclusive; no job starts that might find the gate held (SRP). Under fixed priorities the
        /// same as `fixed`.
        Srp = "srp",
        /// Exclusive; no other thread runs while one is inside.
        NonPreemptive = "non_preemptive",
        /// Exclusive between cores; first come first served, and no other thread runs on the core
        /// of one that waits or is inside (MSRP).
        Msrp = "msrp",
        /// Exclusive between cores; first come first served; a waiting thread has its core's
        /// ceiling and executes the section of a preempted owner (MrsP).
        Mrsp = "mrsp",
        /// Exclusive between cores; a waiting thread is suspended, in order of base priority, and
        /// the thread inside is above all normal priorities (MPCP).
        Mpcp = "mpcp",
    }
}

/// The users of a gate, and how they wait for each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Any number of threads are inside at once, on any core.
    Everybody,
    /// One thread at a time, all of them of one core.
    OneCore,
    /// One thread at a time, of several cores, with a queue that these share.
    BetweenCores(Waiting),
}

/// A thread's wait for a gate between cores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waiting {
    /// It stays on its core.
    Stays,
    /// It stays on its core, and executes the section of an owner that has lost its own.
    Helps,
    /// It is suspended.
    Suspended,
}

/// The urgency at which a gate lets a thread run on its core.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Raise {
    /// Its own: the gate raises nobody.
    Nothing,
    /// That of the most urgent thread that waits for it.
    Waiters,
    /// The gate's ceiling, at once.
    Ceiling,
    /// That of the highest user on its core, at once.
    CoreCeiling,
    /// Above all normal priorities.
    AboveNormal,
    /// The top: nobody preempts it.
    Top,
}

/// The properties of a protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Descriptor {
    /// The users, and how they wait.
    pub scope: Scope,
    /// The urgency of the thread inside.
    pub raise: Raise,
    /// The policies under which kernels have it and a bound is known.
    pub policies: &'static [Policy],
    /// The protocol of the same cost under fixed priorities: itself for most.
    pub by_priority: Protocol,
}

/// Both policies.
const BOTH: &[Policy] = &[Policy::FixedPriority, Policy::EarliestDeadline];

/// Fixed priorities alone: it compares them.
const PRIORITIES: &[Policy] = &[Policy::FixedPriority];

impl Protocol {
    /// Returns what the protocol does.
    pub const fn descriptor(self) -> Descriptor {
        use Scope::{BetweenCores, Everybody, OneCore};
        let (scope, raise, policies) = match self {
            Protocol::Propagated => (Everybody, Raise::Nothing, BOTH),
            Protocol::Fifo => (OneCore, Raise::Nothing, BOTH),
            Protocol::Inherited => (OneCore, Raise::Waiters, BOTH),
            Protocol::Ceiling => (OneCore, Raise::Waiters, PRIORITIES),
            Protocol::Fixed => (OneCore, Raise::Ceiling, PRIORITIES),
            Protocol::Srp => (OneCore, Raise::Ceiling, BOTH),
            Protocol::NonPreemptive => (OneCore, Raise::Top, BOTH),
            Protocol::Msrp => (BetweenCores(Waiting::Stays), Raise::Top, BOTH),
            Protocol::Mrsp => (BetweenCores(Waiting::Helps), Raise::CoreCeiling, PRIORITIES),
            Protocol::Mpcp => (BetweenCores(Waiting::Suspended), Raise::AboveNormal, PRIORITIES),
        };
        let by_priority = match self {
            Protocol::Srp | Protocol::NonPreemptive => Protocol::Fixed,
            other => other,
        };
        Descriptor { scope, raise, policies, by_priority }
    }

    /// Returns `true` if its users rely on finding a gate of one core free: whoever holds it goes
    /// before all of them.
    pub fn is_found_free(self) -> bool {
        matches!(self, Protocol::Fixed | Protocol::Srp | Protocol::NonPreemptive)
    }

    /// Returns `true` if at most one thread is inside.
    pub fn is_exclusive(self) -> bool {
        self.descriptor().scope != Scope::Everybody
    }

    /// Returns `true` if it is made for gates that tasks of several cores use.
    pub fn is_global(self) -> bool {
        self.waiting().is_some()
    }

    /// Returns how a thread waits for a gate between cores; `None` if it is no protocol of such.
    pub fn waiting(self) -> Option<Waiting> {
        match self.descriptor().scope {
            Scope::BetweenCores(waiting) => Some(waiting),
            Scope::Everybody | Scope::OneCore => None,
        }
    }

    /// Returns `true` if a thread that waits for another core executes the section of an owner that
    /// has lost its own.
    pub fn helps(self) -> bool {
        self.waiting() == Some(Waiting::Helps)
    }

    /// Returns `true` if a thread that waits for another core is suspended.
    pub fn suspends(self) -> bool {
        self.waiting() == Some(Waiting::Suspended)
    }

    /// Returns `true` if kernels have it under a policy, and a bound is known.
    pub fn goes_with(self, policy: Policy) -> bool {
        self.descriptor().policies.contains(&policy)
    }

    /// Returns the protocols of gates between cores under a policy, in the order of [`Self::ALL`].
    pub fn between_cores(policy: Policy) -> impl Iterator<Item = Protocol> {
        Self::ALL.into_iter().filter(move |one| one.is_global() && one.goes_with(policy))
    }

    /// Returns them in the order in which a search tries them: those that let others help first.
    pub fn between_cores_to_try(policy: Policy) -> Vec<Protocol> {
        let mut all: Vec<Protocol> = Self::between_cores(policy).collect();
        all.sort_by_key(|one| !one.helps());
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_several_cores_share_waits_between_them() {
        let global = Protocol::ALL.into_iter().filter(|one| one.is_global());
        assert_eq!(global.collect::<Vec<_>>(), [Protocol::Msrp, Protocol::Mrsp, Protocol::Mpcp]);
        let first = Protocol::between_cores_to_try(Policy::FixedPriority);
        assert_eq!(first, [Protocol::Mrsp, Protocol::Msrp, Protocol::Mpcp]);
        assert_eq!(Protocol::between_cores_to_try(Policy::EarliestDeadline), [Protocol::Msrp]);
    }

    #[test]
    fn what_compares_priorities_needs_them() {
        let deadlines = Policy::EarliestDeadline;
        let unfit = Protocol::ALL.into_iter().filter(|one| !one.goes_with(deadlines));
        let expected = [Protocol::Fixed, Protocol::Ceiling, Protocol::Mrsp, Protocol::Mpcp];
        assert_eq!(unfit.collect::<Vec<_>>(), expected);
        assert!(Protocol::ALL.into_iter().all(|one| one.goes_with(Policy::FixedPriority)));
    }
}
