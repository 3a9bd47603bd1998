//! What decides who runs on the kernel that is built.

use fusee_image_format::KernelPolicy;

/// The policy.
#[cfg(not(any(
    feature = "earliest-deadline",
    feature = "priority-ceiling",
    feature = "mutex-words"
)))]
pub type Policy = fusee_kernel::FixedPriority;

/// The policy.
#[cfg(feature = "earliest-deadline")]
pub type Policy = fusee_kernel::EarliestDeadline;

/// The policy.
#[cfg(feature = "priority-ceiling")]
pub type Policy = fusee_kernel::PriorityCeiling;

/// The policy.
#[cfg(all(feature = "mutex-words", not(feature = "lock-services")))]
pub type Policy = fusee_kernel::MutexWords;

/// The policy.
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
