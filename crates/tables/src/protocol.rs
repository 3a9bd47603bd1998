//! The description's protocols and the kernel's, one beside the other.
//!
//! The model's say what was described, the kernel's what it decides by, and each
//! has a layer that must not know the other. Both ways are told here and nowhere else. They
//! are written out, so that a new protocol compiles only with both, and the words of
//! both sides are compared, so that none can be taken for another.

use fusee_kernel as kernel;
use fusee_model::{Policy, Protocol, Sourced, System};

use crate::TablesError;

/// What the kernel decides by; `ceiling` counts where the protocol has one.
///
/// # Errors
/// [`TablesError::NotYet`].
pub(crate) const fn of_description(described: Sourced<Protocol>, ceiling: u8) -> Result<kernel::Protocol, TablesError> {
    let kind = match described.value {
        Protocol::Propagated => kernel::ProtocolKind::Propagated,
        Protocol::Fixed => kernel::ProtocolKind::Fixed,
        Protocol::Inherited => kernel::ProtocolKind::Inherited,
        Protocol::Fifo => kernel::ProtocolKind::Fifo,
        missing @ (Protocol::Ceiling | Protocol::Srp | Protocol::NonPreemptive) => {
            let origin = described.origin;
            return Err(TablesError::NotYet { kind: "protocol", word: missing.name(), origin });
        }
    };
    Ok(kernel::Protocol::of(kind, ceiling))
}

/// Refuses a policy that the kernel does not have.
///
/// # Errors
/// [`TablesError::NotYet`].
pub(crate) fn check_policy(system: &System) -> Result<(), TablesError> {
    match system.given_policy {
        Some(Sourced { value: missing @ Policy::EarliestDeadline, origin }) => {
            Err(TablesError::NotYet { kind: "policy", word: missing.name(), origin })
        }
        Some(Sourced { value: Policy::FixedPriority, .. }) | None => Ok(()),
    }
}

/// What a description of the kernel's protocol says.
pub const fn described(protocol: kernel::Protocol) -> Protocol {
    match protocol.kind() {
        kernel::ProtocolKind::Propagated => Protocol::Propagated,
        kernel::ProtocolKind::Fixed => Protocol::Fixed,
        kernel::ProtocolKind::Inherited => Protocol::Inherited,
        kernel::ProtocolKind::Fifo => Protocol::Fifo,
        kernel::ProtocolKind::Srp => Protocol::Srp,
        kernel::ProtocolKind::NonPreemptive => Protocol::NonPreemptive,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fusee_model::Origin;

    #[test]
    fn both_ways_lead_to_the_same_word() {
        for described in Protocol::ALL {
            let Ok(kernels) = of_description(Sourced { value: described, origin: Origin::NONE }, 7) else { continue };
            assert_eq!(format!("{:?}", kernels.kind()).to_lowercase(), described.name());
            assert_eq!(super::described(kernels), described);
        }
        for &kind in kernel::ProtocolKind::ALL {
            let protocol = kernel::Protocol::of(kind, 7);
            assert_eq!(format!("{kind:?}").to_lowercase(), described(protocol).name().replace('_', ""));
            assert_eq!(kernel::ProtocolKind::from_code(kind.code()), Some(kind));
            let described = Sourced { value: super::described(protocol), origin: Origin::NONE };
            // What only systems under earliest deadline have is not made yet.
            let made = <kernel::FixedPriority as kernel::Policy>::has(protocol);
            assert_eq!(
                of_description(described, 7).ok(),
                made.then_some(protocol),
                "what the kernel has can be described"
            );
        }
    }
}
