//! The description's protocols and the kernel's, one beside the other.
//!
//! The model's say what was described, the kernel's what it decides by, and each
//! has a layer that must not know the other. Both ways are told here and nowhere else. They
//! are written out, so that a new protocol compiles only with both, and the words of
//! both sides are compared, so that none can be taken for another.

use fusee_kernel as kernel;
use fusee_kernel::cores::GlobalProtocol;
use fusee_model::{Policy, Protocol, Sourced, TOP_PRIORITY};

use crate::TablesError;

/// Returns the protocol by which the kernel of a policy decides; `ceiling` counts where the
/// protocol has one.
///
/// Under fixed priorities `srp` is `fixed`, and nobody preempts who is at the top.
///
/// # Errors
/// [`TablesError::BetweenCores`] for what [`between_cores`] answers.
pub(crate) const fn of_description(
    described: Sourced<Protocol>,
    policy: Policy,
    ceiling: u8,
) -> Result<kernel::Protocol, TablesError> {
    let by_priority = matches!(policy, Policy::FixedPriority);
    Ok(match described.value {
        Protocol::Propagated => kernel::Protocol::Propagated,
        Protocol::Fixed => kernel::Protocol::Fixed { ceiling },
        Protocol::Inherited => kernel::Protocol::Inherited,
        Protocol::Fifo => kernel::Protocol::Fifo,
        Protocol::Srp if by_priority => kernel::Protocol::Fixed { ceiling },
        Protocol::Srp => kernel::Protocol::Srp { ceiling },
        Protocol::NonPreemptive if by_priority => kernel::Protocol::Fixed { ceiling: TOP_PRIORITY },
        Protocol::NonPreemptive => kernel::Protocol::NonPreemptive,
        Protocol::Ceiling => kernel::Protocol::Ceiling { ceiling },
        global @ (Protocol::Msrp | Protocol::Mrsp | Protocol::Mpcp) => {
            let origin = described.origin;
            return Err(TablesError::BetweenCores { word: global.name(), origin });
        }
    })
}

/// Returns the protocol by which the kernels of several cores decide at a gate that they share;
/// none: the protocol is one core's.
pub const fn between_cores(described: Protocol) -> Option<GlobalProtocol> {
    match described {
        Protocol::Msrp => Some(GlobalProtocol::Msrp),
        Protocol::Mrsp => Some(GlobalProtocol::Mrsp),
        Protocol::Mpcp => Some(GlobalProtocol::Mpcp),
        _ => None,
    }
}

/// Returns the description's protocol for the kernel's.
pub const fn described(protocol: kernel::Protocol) -> Protocol {
    match protocol.kind() {
        kernel::ProtocolKind::Propagated => Protocol::Propagated,
        kernel::ProtocolKind::Fixed => Protocol::Fixed,
        kernel::ProtocolKind::Inherited => Protocol::Inherited,
        kernel::ProtocolKind::Fifo => Protocol::Fifo,
        kernel::ProtocolKind::Srp => Protocol::Srp,
        kernel::ProtocolKind::NonPreemptive => Protocol::NonPreemptive,
        kernel::ProtocolKind::Ceiling => Protocol::Ceiling,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fusee_model::Origin;

    #[test]
    fn both_ways_lead_to_the_same_word() {
        for described in Protocol::ALL {
            let origin = Origin::NONE;
            let sourced = Sourced { value: described, origin };
            let global = between_cores(described);
            assert_eq!(global.is_some(), described.is_global());
            if let Some(global) = global {
                assert_eq!(format!("{global:?}").to_lowercase(), described.name());
            }
            let Ok(kernels) = of_description(sourced, Policy::EarliestDeadline, 7) else {
                continue;
            };
            assert_eq!(
                format!("{:?}", kernels.kind()).to_lowercase(),
                described.name().replace('_', "")
            );
            assert_eq!(super::described(kernels), described);
            let by_priority =
                of_description(sourced, Policy::FixedPriority, 7).expect("it has those");
            assert!(
                <kernel::PriorityCeiling as kernel::Urgencies>::has(by_priority),
                "{by_priority:?}"
            );
            let same = by_priority == kernels;
            assert_eq!(
                same,
                !matches!(described, Protocol::Srp | Protocol::NonPreemptive),
                "{described:?}"
            );
        }
        for &kind in kernel::ProtocolKind::ALL {
            let protocol = kernel::Protocol::of(kind, 7);
            assert_eq!(kernel::ProtocolKind::from_code(kind.code()), Some(kind));
            let described = Sourced { value: super::described(protocol), origin: Origin::NONE };
            assert_eq!(
                of_description(described, Policy::EarliestDeadline, 7),
                Ok(protocol),
                "it can be described"
            );
        }
    }
}
