//! The memory of the kernels that a run simulates.

use fusee_kernel::cores::AnyStore;
use fusee_kernel::{CeilingServices, CeilingWords, DeadlineServices, DeadlineWords};
use fusee_kernel::{EarliestDeadline, FixedPriority, LockServices, MutexWords, PriorityCeiling};
use fusee_kernel::{Sizes, Store};
use fusee_tables::{Ceilings, KernelPolicy, Locks, Order};

/// Returns the memory of a kernel before it starts.
pub(super) fn memory(policy: KernelPolicy, sizes: Sizes) -> AnyStore {
    let ceilings = policy.ceilings() == Ceilings::PriorityCeiling;
    match (policy.order(), ceilings, policy.locks()) {
        (Order::Deadline, _, Locks::Kernel) => Store::<EarliestDeadline>::new(sizes).into(),
        (Order::Deadline, _, Locks::Words) => Store::<DeadlineWords>::new(sizes).into(),
        (Order::Deadline, _, Locks::Services) => Store::<DeadlineServices>::new(sizes).into(),
        (Order::Priority, true, Locks::Kernel) => Store::<PriorityCeiling>::new(sizes).into(),
        (Order::Priority, true, Locks::Words) => Store::<CeilingWords>::new(sizes).into(),
        (Order::Priority, true, Locks::Services) => Store::<CeilingServices>::new(sizes).into(),
        (Order::Priority, false, Locks::Kernel) => Store::<FixedPriority>::new(sizes).into(),
        (Order::Priority, false, Locks::Words) => Store::<MutexWords>::new(sizes).into(),
        (Order::Priority, false, Locks::Services) => Store::<LockServices>::new(sizes).into(),
    }
}
