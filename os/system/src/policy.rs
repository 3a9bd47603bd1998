//! The scheduling policy of the kernel that is built.

use fusee_image_format::{Ceilings, KernelPolicy, Locks, Order};

/// One of a policy's variants: with mutexes in the kernel, with words, with services for locks.
#[cfg(not(feature = "mutex-words"))]
macro_rules! locked {
    ($kernel:ident, $words:ident, $services:ident) => {
        fusee_kernel::$kernel
    };
}

/// One of a policy's variants: with mutexes in the kernel, with words, with services for locks.
#[cfg(all(feature = "mutex-words", not(feature = "lock-services")))]
macro_rules! locked {
    ($kernel:ident, $words:ident, $services:ident) => {
        fusee_kernel::$words
    };
}

/// One of a policy's variants: with mutexes in the kernel, with words, with services for locks.
#[cfg(feature = "lock-services")]
macro_rules! locked {
    ($kernel:ident, $words:ident, $services:ident) => {
        fusee_kernel::$services
    };
}

/// The scheduling policy of the kernel.
#[cfg(not(any(feature = "priority-ceiling", feature = "earliest-deadline")))]
pub type Policy = locked!(FixedPriority, MutexWords, LockServices);

/// The scheduling policy of the kernel.
#[cfg(feature = "earliest-deadline")]
pub type Policy = locked!(EarliestDeadline, DeadlineWords, DeadlineServices);

/// The scheduling policy of the kernel.
#[cfg(feature = "priority-ceiling")]
pub type Policy = locked!(PriorityCeiling, CeilingWords, CeilingServices);

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
