//! Global scheduling: the m highest jobs run, wherever there is a free core.
//!
//! All tests here are sufficient only; none is best. Under EDF: [`Gfb`] looks at
//! densities; [`Baker`], [`Bertogna`] and [`BertognaResponseTime`] bound the work
//! that others do in a job's window; [`Baruah`] extends the window to the last
//! instant at which a core was idle, so that fewer than m tasks carry work in;
//! [`ForcedForward`] bounds the demand at a speed. Under fixed priorities:
//! [`BertognaFixed`], [`BertognaResponseTimeFixed`] and [`Guan`] do the same.
//!
//! Where a set's tasks are placed does not matter here; how many cores it has does.
//! Jobs run in whole ticks: a job that misses its deadline lacks at least one tick,
//! so interference is cut off one tick above the slack.

mod baker;
mod baruah;
mod forced_forward;
mod gfb;
mod guan;
mod interference;
mod response_time;
mod workload;

pub use baker::Baker;
pub use baruah::Baruah;
pub use forced_forward::ForcedForward;
pub use gfb::Gfb;
pub use guan::Guan;
pub use interference::{Bertogna, BertognaFixed};
pub use response_time::{BertognaResponseTime, BertognaResponseTimeFixed};

use crate::{Assumption, SchedulabilityTest};

/// The assumptions of these tests.
const ASSUMPTIONS: &[Assumption] = &[
    Assumption::ConstrainedDeadlines,
    Assumption::NoJitter,
    Assumption::NoBlocking,
    Assumption::NoSuspension,
    Assumption::NoThresholds,
    Assumption::NoResources,
];

/// The tests of this family.
pub const TESTS: &[&dyn SchedulabilityTest] = &[
    &Gfb,
    &Baker,
    &Bertogna,
    &BertognaResponseTime,
    &Baruah,
    &ForcedForward,
    &BertognaFixed,
    &BertognaResponseTimeFixed,
    &Guan,
];

#[cfg(test)]
mod tests;
