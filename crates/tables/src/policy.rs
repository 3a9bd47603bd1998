//! The description's policies and the kernels', one beside the other.
//!
//! As for protocols, each side has a layer that must not know the other: both ways are
//! told here and nowhere else, and the words of both sides are compared.

use fusee_image_format::KernelPolicy;
use fusee_model::Policy;

/// The policy of the kernel that systems of a policy run on.
pub const fn kernel_policy(described: Policy) -> KernelPolicy {
    match described {
        Policy::FixedPriority => KernelPolicy::FixedPriority,
        Policy::EarliestDeadline => KernelPolicy::EarliestDeadline,
    }
}

/// What a description of the kernel's policy says.
pub const fn described_policy(policy: KernelPolicy) -> Policy {
    match policy {
        KernelPolicy::FixedPriority => Policy::FixedPriority,
        KernelPolicy::EarliestDeadline => Policy::EarliestDeadline,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_lead_to_the_same_word() {
        for described in Policy::ALL {
            let policy = kernel_policy(described);
            assert_eq!((policy.name(), described_policy(policy)), (described.name(), described));
        }
        assert_eq!(Policy::ALL.len(), KernelPolicy::ALL.len());
    }
}
