//! Fixed priorities on one core, preemptive.
//!
//! Two kinds of tests live here. Response-time analysis follows the demand of a
//! busy window to its end: [`ResponseTimeAnalysis`] is exact for constrained
//! deadlines, [`BusyPeriodAnalysis`] for all. Utilization bounds look at the
//! utilization only: [`LiuLayland`], [`HyperbolicBound`]. [`SuspensionAware`],
//! [`PreemptionThresholds`] and [`NonPreemptive`] are for tasks that do more or less
//! than execute and be preempted. With [`assignment`], priorities are chosen.
//!
//! Equal priorities count as higher for both sides everywhere.

pub mod assignment;
mod hyperbolic;
mod liu_layland;
pub(crate) mod quick;
mod response_time;
mod suspension;
mod thresholds;
pub mod window;

pub use hyperbolic::{HyperbolicBound, PublishedHyperbolicBound};
pub use liu_layland::LiuLayland;
pub use response_time::{BusyPeriodAnalysis, ResponseTimeAnalysis, response_bounds};
pub use suspension::SuspensionAware;
pub use thresholds::{NonPreemptive, PreemptionThresholds};

use crate::{Assumption, SchedulabilityTest};

/// The assumptions of bounds on the utilization under rate-monotonic priorities.
const RATE_MONOTONIC: &[Assumption] = &[
    Assumption::ImplicitDeadlines,
    Assumption::NoJitter,
    Assumption::NoSuspension,
    Assumption::NoThresholds,
    Assumption::NoResources,
    Assumption::RateMonotonic,
    Assumption::EqualPeriodsOnOneLevel,
];

/// The same for any priorities.
const IMPLICIT: &[Assumption] = RATE_MONOTONIC.split_at(5).0;

/// The tests of this family.
pub const TESTS: &[&dyn SchedulabilityTest] = &[
    &LiuLayland,
    &HyperbolicBound,
    &PublishedHyperbolicBound,
    &ResponseTimeAnalysis,
    &BusyPeriodAnalysis,
    &SuspensionAware,
    &PreemptionThresholds,
    &NonPreemptive,
];

#[cfg(test)]
mod tests;
#[cfg(test)]
mod vectors;
