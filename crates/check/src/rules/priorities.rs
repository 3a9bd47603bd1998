//! Priorities, time slices and cores.

pub(crate) mod beyond_maximum;
pub(crate) mod core_unused;
pub(crate) mod equal_priorities;
pub(crate) mod not_monotonic;
pub(crate) mod time_slice_unused;
pub(crate) mod untimed_interferes;
