//! Earliest deadline first on one core, preemptive.
//!
//! EDF is optimal on one core, so the question is only whether the demand ever
//! exceeds the time: for implicit deadlines whether the utilization exceeds 1
//! ([`EdfUtilization`]), else whether in some interval the work that arrives and
//! is due in it is longer than it ([`ProcessorDemand`]). QPA asks the same with far
//! fewer steps ([`Qpa`]). Resources add blocking by one section ([`srp`]), and
//! [`EdfResponseTimes`] bounds how long each task takes.
//!
//! Release jitter shortens the time from release to deadline: everywhere D - J
//! stands for it, the least that is left.

mod blocking;
mod demand;
mod qpa;
mod response_time;
pub mod srp;
mod utilization;

pub use demand::ProcessorDemand;
pub use qpa::Qpa;
pub use response_time::EdfResponseTimes;
pub use srp::{EdfNonPreemptiveSections, EdfStackResource, EdfStackResourceDensity};
pub use utilization::EdfUtilization;

use crate::{Assumption, SchedulabilityTest};

/// The assumptions of the bound on the utilization.
const IMPLICIT: &[Assumption] = &[
    Assumption::ImplicitDeadlines,
    Assumption::NoJitter,
    Assumption::NoBlocking,
    Assumption::NoSuspension,
    Assumption::NoThresholds,
    Assumption::NoResources,
];

/// The assumptions of all tests without resources: the same with any deadlines and with jitter.
const INDEPENDENT: &[Assumption] = IMPLICIT.split_at(2).1;

/// The tests of this family.
pub const TESTS: &[&dyn SchedulabilityTest] = &[
    &EdfUtilization,
    &ProcessorDemand,
    &Qpa,
    &EdfResponseTimes,
    &EdfStackResource,
    &EdfStackResourceDensity,
    &EdfNonPreemptiveSections,
];

#[cfg(test)]
mod tests;
