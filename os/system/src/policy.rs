//! What decides who runs on the kernel that is built.

use fusee_image_format::KernelPolicy;

/// The policy.
#[cfg(not(feature = "earliest-deadline"))]
pub type Policy = fusee_kernel::FixedPriority;

/// The policy.
#[cfg(feature = "earliest-deadline")]
pub type Policy = fusee_kernel::EarliestDeadline;

/// Its name in the tables of systems.
pub const POLICY: KernelPolicy = if cfg!(feature = "earliest-deadline") {
    KernelPolicy::EarliestDeadline
} else {
    KernelPolicy::FixedPriority
};
