//! Fixed priorities on one core, preemptive.
//!
//! Two kinds of tests live here. Response-time analysis follows the demand of a
//! busy window to its end: [`ResponseTimeAnalysis`] is exact for constrained
//! deadlines, [`BusyPeriodAnalysis`] for all. Utilisation bounds look at the
//! utilisation only: [`LiuLayland`], [`HyperbolicBound`]. With [`assignment`],
//! priorities are chosen.
//!
//! Equal priorities count as higher for both sides everywhere.

pub mod assignment;
mod hyperbolic;
mod liu_layland;
mod response_time;
pub mod window;

pub use hyperbolic::{HyperbolicBound, PublishedHyperbolicBound};
pub use liu_layland::LiuLayland;
pub use response_time::{BusyPeriodAnalysis, ResponseTimeAnalysis};

use crate::SchedulabilityTest;

/// The tests of this family.
pub const TESTS: &[&dyn SchedulabilityTest] =
    &[&LiuLayland, &HyperbolicBound, &PublishedHyperbolicBound, &ResponseTimeAnalysis, &BusyPeriodAnalysis];

#[cfg(test)]
mod tests;
