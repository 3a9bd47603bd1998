//! The scheduling policy of the kernel that is built.

use fusee_image_format::KernelPolicy;

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

/// Its name in the tables of systems.
pub const POLICY: KernelPolicy = if cfg!(feature = "earliest-deadline") {
    KernelPolicy::EarliestDeadline
} else if cfg!(feature = "priority-ceiling") {
    KernelPolicy::PriorityCeiling
} else if cfg!(feature = "lock-services") {
    KernelPolicy::LockServices
} else if cfg!(feature = "mutex-words") {
    KernelPolicy::MutexWords
} else {
    KernelPolicy::FixedPriority
};
