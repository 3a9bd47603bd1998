//! The kind of urgency by which a core decides.

use fusee_model::{Policy, System};
use fusee_trace::Urgency;

/// Returns the kind of urgency that the records of a core's kernel say a thread inherits.
pub(crate) fn urgency(system: &System, core: u32) -> Urgency {
    match system.policy_on(core) {
        Policy::FixedPriority => Urgency::Priority,
        Policy::EarliestDeadline => Urgency::Deadline,
    }
}
