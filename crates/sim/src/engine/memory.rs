//! The memory of the kernels that a run simulates.

use fusee_kernel::cores::AnyStore;
use fusee_kernel::{EarliestDeadline, FixedPriority, LockServices, MutexWords, PriorityCeiling};
use fusee_kernel::{Sizes, Store};
use fusee_tables::{Ceilings, KernelPolicy, Locks, Order};

/// Returns the memory of a kernel before it starts.
pub(super) fn memory(policy: KernelPolicy, sizes: Sizes) -> AnyStore {
    match (policy.order(), policy.ceilings(), policy.locks()) {
        (Order::Deadline, ..) => Store::<EarliestDeadline>::new(sizes).into(),
        (Order::Priority, Ceilings::PriorityCeiling, _) => {
            Store::<PriorityCeiling>::new(sizes).into()
        }
        (Order::Priority, Ceilings::None, Locks::Words) => Store::<MutexWords>::new(sizes).into(),
        (Order::Priority, Ceilings::None, Locks::Services) => {
            Store::<LockServices>::new(sizes).into()
        }
        (Order::Priority, Ceilings::None, Locks::Kernel) => {
            Store::<FixedPriority>::new(sizes).into()
        }
    }
}
