//! What decides who runs, and gates that do not go with it.

pub(crate) mod background;
pub(crate) mod ceiling_inside;
pub(crate) mod dependencies;
pub(crate) mod optimistic_mutex;
pub(crate) mod priority_unused;
pub(crate) mod protocol_unfit;
pub(crate) mod srp_is_fixed;

use fusee_model::{Policy, Protocol, System};

/// Whether a protocol has a ceiling under the system's policy.
pub(super) fn has_ceiling(system: &System, protocol: Protocol) -> bool {
    let by_priority = matches!(protocol, Protocol::Fixed | Protocol::Ceiling | Protocol::Srp);
    by_priority && system.policy() == Policy::FixedPriority
}

/// Whether deadlines decide.
pub(super) fn by_deadline(system: &System) -> bool {
    system.policy() == Policy::EarliestDeadline
}
