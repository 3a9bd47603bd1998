//! Components, groups and devices.

pub(crate) mod fault_policy;
pub(crate) mod group_of_one;
pub(crate) mod hardware_unused;
pub(crate) mod never_runs;
pub(crate) mod startup_beyond_start;
pub(crate) mod startup_of_device;
