//! The scheduling policy of the kernel that is built.

use fusee_image_format::{Ceilings, KernelPolicy, Locks, Order};

/// The scheduling policy of the kernel.
#[cfg(not(any(
    feature = "earliest-deadline",
    feature = "priority-ceiling",
    feature = "mutex-words"
)))]
pub type Policy = fusee_kernel::FixedPriority;

/// The scheduling policy of the kernel.
#[cfg(feature = "earliest-deadline")]
pub type Policy = fusee_kernel::EarliestDeadline;

/// The scheduling policy of the kernel.
#[cfg(feature = "priority-ceiling")]
pub type Policy = fusee_kernel::PriorityCeiling;

/// The scheduling policy of the kernel.
#[cfg(all(feature = "mutex-words", not(feature = "lock-services")))]
pub type Policy = fusee_kernel::MutexWords;

/// The scheduling policy of the kernel.
#[cfg(feature = "lock-services")]
pub type Policy = fusee_kernel::LockServices;

/// The policy as the tables of systems name it.
pub const POLICY: KernelPolicy = KernelPolicy::new(
    if cfg!(feature = "earliest-deadline") { Order::Deadline } else { Order::Priority },
    if cfg!(feature = "priority-ceiling") { Ceilings::PriorityCeiling } else { Ceilings::None },
    if cfg!(feature = "lock-services") {
        Locks::Services
    } else if cfg!(feature = "mutex-words") {
        Locks::Words
    } else {
        Locks::Kernel
    },
);
