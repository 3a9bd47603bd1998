//! Tasks placed on cores that share resources: protocols and their tests.
//!
//! Each core schedules its own tasks, by fixed priorities or by EDF; resources
//! used from several cores make the cores wait for each other. What a wait costs
//! is the protocol's: spinning keeps the core busy ([`msrp`], [`ordered_spin`]); suspending lets
//! others run and costs more analysis ([`mpcp`]).
//!
//! All tests here take critical sections as part of the execution time, requests
//! as upper limits for each job, and a sporadic release with jitter. Every one is
//! sufficient only. A set with a task that is not shown to meet its deadline may
//! have bounds for other tasks only where they do not rest on that task.

mod contention;
mod demand;
mod layout;
pub mod mpcp;
pub mod msrp;
pub mod ordered_spin;
mod response;
mod window;

use crate::{Assumption, SchedulabilityTest};

/// What the tests for fixed priorities take for granted.
const ASSUMPTIONS: &[Assumption] = &[
    Assumption::ConstrainedDeadlines,
    Assumption::NoBlocking,
    Assumption::NoSuspension,
    Assumption::NoThresholds,
    Assumption::NoNesting,
];

/// What the tests for EDF take for granted.
const EDF_ASSUMPTIONS: &[Assumption] = &[
    Assumption::ConstrainedDeadlines,
    Assumption::NoJitter,
    Assumption::NoBlocking,
    Assumption::NoSuspension,
    Assumption::NoThresholds,
    Assumption::NoNesting,
];

/// The tests of this family.
pub const TESTS: &[&dyn SchedulabilityTest] = &[
    &mpcp::Mpcp,
    &mpcp::MpcpVirtualSpinning,
    &msrp::MsrpClassic,
    &msrp::MsrpHolistic,
    &msrp::MsrpClassicEdf,
    &msrp::MsrpHolisticEdf,
];

#[cfg(test)]
mod tests;
