//! The description's protocols and the kernel's, one beside the other.
//!
//! The model's say what was described, the kernel's what it decides by, and each
//! has a layer that must not know the other. Both ways are told here and nowhere else. They
//! are written out, so that a new protocol compiles only with both, and the words of
//! both sides are compared, so that none can be taken for another.

use fusee_kernel as kernel;
use fusee_model::Protocol;

/// What the kernel decides by; `ceiling` counts where the protocol has one.
pub(crate) const fn of_description(described: Protocol, ceiling: u8) -> kernel::Protocol {
    let kind = match described {
        Protocol::Propagated => kernel::ProtocolKind::Propagated,
        Protocol::Fixed => kernel::ProtocolKind::Fixed,
        Protocol::Inherited => kernel::ProtocolKind::Inherited,
        Protocol::Fifo => kernel::ProtocolKind::Fifo,
    };
    kernel::Protocol::of(kind, ceiling)
}

/// What a description of the kernel's protocol says.
pub const fn described(protocol: kernel::Protocol) -> Protocol {
    match protocol.kind() {
        kernel::ProtocolKind::Propagated => Protocol::Propagated,
        kernel::ProtocolKind::Fixed => Protocol::Fixed,
        kernel::ProtocolKind::Inherited => Protocol::Inherited,
        kernel::ProtocolKind::Fifo => Protocol::Fifo,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_lead_to_the_same_word() {
        assert_eq!(Protocol::ALL.len(), kernel::ProtocolKind::ALL.len());
        for described in Protocol::ALL {
            let kernels = of_description(described, 7);
            assert_eq!(format!("{:?}", kernels.kind()).to_lowercase(), described.name());
            assert_eq!(super::described(kernels), described);
        }
        for &kind in kernel::ProtocolKind::ALL {
            let protocol = kernel::Protocol::of(kind, 7);
            assert_eq!(format!("{kind:?}").to_lowercase(), described(protocol).name());
            assert_eq!(kernel::ProtocolKind::from_code(kind.code()), Some(kind));
        }
    }
}
