//! The description's policies and the kernels', one beside the other.
//!
//! As for protocols, each side has a layer that must not know the other: both ways are
//! told here and nowhere else, and the words of both sides are compared.

use fusee_image_format::{Ceilings, KernelConfig, KernelPolicy, Locks, Order, Records};
use fusee_model::{Policy, Protocol, System};

/// Returns the policy of the kernel that a core of a system runs. Gates of the priority ceiling
/// protocol exclude threads from other gates, mutexes that are words have owners that the kernel
/// adopts, and components may let threads sleep on each other's account: only a kernel of its own
/// pays for each.
pub fn kernel_policy(system: &System, core: u32) -> KernelPolicy {
    let (services, words) = (system.lock_services().next(), system.mutex_words().next());
    let locks = match (services, words) {
        (Some(_), _) => Locks::Services,
        (None, Some(_)) => Locks::Words,
        (None, None) => Locks::Kernel,
    };
    let has_ceilings = system.gates.iter().any(|gate| gate.protocol.value == Protocol::Ceiling);
    let (order, ceilings) = match (system.policy_on(core), has_ceilings) {
        (Policy::EarliestDeadline, _) => (Order::Deadline, Ceilings::None),
        (Policy::FixedPriority, true) => (Order::Priority, Ceilings::PriorityCeiling),
        (Policy::FixedPriority, false) => (Order::Priority, Ceilings::None),
    };
    KernelPolicy::new(order, ceilings, locks)
}

/// Returns the plain kernel that a core of a system runs.
pub fn kernel_config(system: &System, core: u32) -> KernelConfig {
    Records::Plain
        .under(kernel_policy(system, core))
        .on(system.cores() as usize)
        .below_schedulers(!system.schedulers.is_empty())
}

/// Returns what a description of the kernel's policy says.
pub const fn described_policy(policy: KernelPolicy) -> Policy {
    match policy.order() {
        Order::Priority => Policy::FixedPriority,
        Order::Deadline => Policy::EarliestDeadline,
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
            let name = policy.to_string();
            assert_eq!((name.as_str(), described_policy(policy)), (described.name(), described));
        }
        // The others are the first one's kernel with one more protocol, or with words.
        let mut by_priority = KernelPolicy::all().filter(|one| one.order() == Order::Priority);
        assert!(by_priority.all(|one| described_policy(one) == Policy::FixedPriority));
    }
}
