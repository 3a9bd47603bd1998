//! The description's policies and the kernels', one beside the other.
//!
//! As for protocols, each side has a layer that must not know the other: both ways are
//! told here and nowhere else, and the words of both sides are compared.

use fusee_image_format::KernelPolicy;
use fusee_model::{Policy, Protocol, System};

/// The policy of the kernel that a core of a system runs. Gates of the priority ceiling protocol
/// bar others from more than themselves, mutexes that are words have owners that the kernel adopts,
/// and components may let threads sleep on each other's account: only a kernel of its own pays for
/// each.
pub fn kernel_policy(system: &System, core: u32) -> KernelPolicy {
    let bars = system.gates.iter().any(|gate| gate.protocol.value == Protocol::Ceiling);
    match system.policy_on(core) {
        Policy::FixedPriority if bars => KernelPolicy::PriorityCeiling,
        Policy::FixedPriority if system.lock_services().next().is_some() => {
            KernelPolicy::LockServices
        }
        Policy::FixedPriority if system.mutex_words().next().is_some() => KernelPolicy::MutexWords,
        Policy::FixedPriority => KernelPolicy::FixedPriority,
        Policy::EarliestDeadline => KernelPolicy::EarliestDeadline,
    }
}

/// What a description of the kernel's policy says.
pub const fn described_policy(policy: KernelPolicy) -> Policy {
    match policy {
        KernelPolicy::FixedPriority
        | KernelPolicy::PriorityCeiling
        | KernelPolicy::MutexWords
        | KernelPolicy::LockServices => Policy::FixedPriority,
        KernelPolicy::EarliestDeadline => Policy::EarliestDeadline,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fusee_model::{Origin, Sourced};

    #[test]
    fn both_ways_lead_to_the_same_word() {
        for described in Policy::ALL {
            let mut system = System::default();
            system.settings.policy = Some(Sourced { value: described, origin: Origin::NONE });
            let policy = kernel_policy(&system, 0);
            assert_eq!((policy.name(), described_policy(policy)), (described.name(), described));
        }
        // The others are the first one's kernel with one more protocol, or with words.
        assert_eq!(described_policy(KernelPolicy::PriorityCeiling), Policy::FixedPriority);
        assert_eq!(described_policy(KernelPolicy::MutexWords), Policy::FixedPriority);
        assert_eq!(described_policy(KernelPolicy::LockServices), Policy::FixedPriority);
        assert_eq!(Policy::ALL.len() + 3, KernelPolicy::ALL.len());
    }
}
