//! Tasks placed on cores that share resources: protocols and their tests.
//!
//! Each core schedules its own tasks, by fixed priorities or by EDF; resources
//! used from several cores make the cores wait for each other. What a wait costs
//! is the protocol's: spinning keeps the core busy ([`msrp`], [`ordered_spin`], [`phase_fair`]);
//! suspending lets others run and costs more analysis ([`mpcp`]).
//!
//! All tests here take critical sections as part of the execution time, requests
//! as upper limits for each job, and a sporadic release with jitter. Every one is
//! sufficient only. A set with a task that is not shown to meet its deadline may
//! have bounds for other tasks only where they do not rest on that task.

mod contention;
mod demand;
pub mod dpcp;
pub mod fmlp;
mod layout;
pub mod mpcp;
pub mod mrsp;
pub mod msrp;
pub mod omlp;
pub mod ordered_spin;
pub mod phase_fair;
pub mod programs;
mod response;

use crate::{Assumption, SchedulabilityTest};

/// The assumptions of the tests for fixed priorities.
const ASSUMPTIONS: &[Assumption] = &[
    Assumption::ConstrainedDeadlines,
    Assumption::NoBlocking,
    Assumption::NoSuspension,
    Assumption::NoThresholds,
    Assumption::NoNesting,
];

/// The assumptions of the tests for fixed priorities that know jobs which suspend themselves,
/// outside of their sections.
const SUSPENDING_ASSUMPTIONS: &[Assumption] = &[
    Assumption::ConstrainedDeadlines,
    Assumption::NoBlocking,
    Assumption::NoThresholds,
    Assumption::NoNesting,
];

/// The assumptions of the tests for EDF.
const EDF_ASSUMPTIONS: &[Assumption] = &[
    Assumption::ConstrainedDeadlines,
    Assumption::NoJitter,
    Assumption::NoBlocking,
    Assumption::NoSuspension,
    Assumption::NoThresholds,
    Assumption::NoNesting,
];

/// The tests of this family, with their defaults.
pub const TESTS: &[&dyn SchedulabilityTest] = &[
    &msrp::MsrpClassic,
    &msrp::MsrpHolistic,
    &ordered_spin::PrioritySpinLock,
    &ordered_spin::UnorderedSpinLock,
    &phase_fair::PhaseFair,
    &mrsp::Mrsp2013 { helping: FREE },
    &mrsp::Mrsp2017 { helping: FREE },
    &mrsp::MrspNested,
    &mpcp::Mpcp,
    &mpcp::MpcpLinear,
    &mpcp::MpcpVirtualSpinning,
    &dpcp::Dpcp { homes: None },
    &fmlp::FmlpPlus,
    &fmlp::FmlpPlusLinear,
    &omlp::OmlpDonation,
    &omlp::OmlpToken,
    &msrp::MsrpClassicEdf,
    &msrp::MsrpHolisticEdf,
    &fmlp::FmlpPlusEdf,
    &omlp::OmlpDonationEdf,
    &omlp::OmlpTokenEdf,
    &omlp::ClusteredOmlp { cores: 2 },
    &omlp::ClusteredOmlp { cores: 4 },
    &omlp::ClusteredOmlp { cores: usize::MAX },
    &omlp::ClusteredOmlpEdf { cores: 2 },
    &omlp::ClusteredOmlpEdf { cores: 4 },
    &omlp::ClusteredOmlpEdf { cores: usize::MAX },
];

/// Helping that costs nothing.
const FREE: mrsp::Helping = mrsp::Helping { migration: 0, non_preemptive: 0 };

#[cfg(test)]
pub(crate) mod tests;
