//! OMLP: few requests at a time, all waiting charged as execution.
//!
//! Both variants let each core take part in a FIFO queue with one request at most,
//! so a request waits for one of every other core. They differ in how a core
//! chooses whose. *Donation* (C-OMLP; Brandenburg and Anderson 2011): only the
//! highest pending job of a core may request; a job that arrives above one whose
//! request is not complete suspends until it is, and lends its priority. That
//! happens once for each job, at its release. *Token* (P-OMLP; Brandenburg and
//! Anderson 2010): a job takes its core's token in priority order, and holders are
//! boosted. Lower jobs may have queued for the token while the job was suspended;
//! each of them may run one section each time the job resumes, and one may have the
//! token when the job wants it.
//!
//! Local resources are locked the same way. Waiting is charged as execution, to the
//! job that waits; never mix such bounds with those of tests that know suspension.
//! [`ClusteredOmlp`] is donation on clusters of several cores.

mod clusters;

pub use clusters::{ClusteredOmlp, ClusteredOmlpEdf};

use super::contention::Spin;
use super::demand::fits_without_blocking;
use super::layout::Layout;
use super::response::{Asked, Busy, ByResponses, Responses, busy_response_times};
use super::{ASSUMPTIONS, EDF_ASSUMPTIONS};
use crate::windows::times;
use crate::{Exactness, Family, Metadata, SchedulabilityTest, TaskSet, Verdict};

/// OMLP with priority donation on clusters of one core, fixed priorities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OmlpDonation;

/// OMLP with priority donation on clusters of one core, EDF.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OmlpDonationEdf;

/// Partitioned OMLP with contention tokens, fixed priorities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OmlpToken;

/// Partitioned OMLP with contention tokens, EDF.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OmlpTokenEdf;

/// The wait of all requests of a job, and the longest wait and section of one of them.
fn requests(layout: &Layout<'_>, spin: &Spin, i: usize) -> (u64, u64) {
    layout.accesses(i).iter().fold((0, 0), |(sum, longest), a| {
        let wait = spin.of(a);
        (
            u64::saturating_add(sum, times(a.count, wait)),
            u64::max(longest, wait.saturating_add(a.length)),
        )
    })
}

/// Execution and waiting of each job with donation; `others`: whose requests a new job may donate
/// to.
fn with_donation<'a>(layout: &'a Layout<'_>, others: impl Fn(usize) -> &'a [usize]) -> Vec<Busy> {
    let spin = Spin::new(layout);
    let term = |i: usize| Busy {
        demand: layout.tasks[i].wcet.saturating_add(requests(layout, &spin, i).0),
        blocking: others(i).iter().map(|&l| requests(layout, &spin, l).1).max().unwrap_or(0),
    };
    (0..layout.tasks.len()).map(term).collect()
}

/// Execution and waiting of each job with a token; `others`: whose requests may come between.
fn with_token<'a>(layout: &'a Layout<'_>, others: impl Fn(usize) -> &'a [usize]) -> Vec<u64> {
    let spin = Spin::new(layout);
    let longest = |l: &usize| layout.accesses(*l).iter().map(|a| a.length).max().unwrap_or(0);
    let term = |i: usize| {
        let count = layout.accesses(i).iter().fold(0_u64, |sum, a| sum.saturating_add(a.count));
        let at_resume = others(i).iter().map(longest).fold(0, u64::saturating_add);
        let at_request = others(i).iter().map(|&l| requests(layout, &spin, l).1).max().unwrap_or(0);
        let between =
            times(count.saturating_add(1), at_resume).saturating_add(times(count, at_request));
        layout.tasks[i].wcet.saturating_add(requests(layout, &spin, i).0).saturating_add(between)
    };
    (0..layout.tasks.len()).map(term).collect()
}

fn donation_responses(set: &TaskSet) -> Responses {
    let layout = Layout::new(set);
    busy_response_times(&layout, &with_donation(&layout, |i| layout.lower(i)))
}

fn token_responses(set: &TaskSet) -> Responses {
    let layout = Layout::new(set);
    let terms: Vec<Busy> = with_token(&layout, |i| layout.lower(i))
        .into_iter()
        .map(|demand| Busy { demand, blocking: 0 })
        .collect();
    busy_response_times(&layout, &terms)
}

impl ByResponses for OmlpDonation {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "omlp-donation",
            title: "OMLP with priority donation, clusters of one core",
            source: "Brandenburg and Anderson 2011",
            family: Family::PartitionedFixedPriority,
            assumptions: ASSUMPTIONS,
            exactness: Exactness::Sufficient,
        }
    }

    fn response_bounds(&self, set: &TaskSet, _: Asked) -> Responses {
        donation_responses(set)
    }
}

impl SchedulabilityTest for OmlpDonationEdf {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "omlp-donation-edf",
            title: "OMLP with priority donation, clusters of one core, EDF",
            source: "Brandenburg and Anderson 2011",
            family: Family::PartitionedEarliestDeadline,
            assumptions: EDF_ASSUMPTIONS,
            exactness: Exactness::Sufficient,
        }
    }

    fn decide(&self, set: &TaskSet) -> Verdict {
        let layout = Layout::new(set);
        let terms = with_donation(&layout, |i| layout.mates(i));
        let needs: Vec<u64> = terms.iter().map(|t| t.demand.saturating_add(t.blocking)).collect();
        Verdict::from_condition(fits_without_blocking(&layout, &needs))
    }
}

impl ByResponses for OmlpToken {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "omlp-token",
            title: "partitioned OMLP with contention tokens",
            source: "Brandenburg and Anderson 2010 (protocol); own bound, see its module",
            family: Family::PartitionedFixedPriority,
            assumptions: ASSUMPTIONS,
            exactness: Exactness::Sufficient,
        }
    }

    fn response_bounds(&self, set: &TaskSet, _: Asked) -> Responses {
        token_responses(set)
    }
}

impl SchedulabilityTest for OmlpTokenEdf {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "omlp-token-edf",
            title: "partitioned OMLP with contention tokens, EDF",
            source: "Brandenburg and Anderson 2010 (protocol); own bound, see its module",
            family: Family::PartitionedEarliestDeadline,
            assumptions: EDF_ASSUMPTIONS,
            exactness: Exactness::Sufficient,
        }
    }

    fn decide(&self, set: &TaskSet) -> Verdict {
        let layout = Layout::new(set);
        Verdict::from_condition(fits_without_blocking(
            &layout,
            &with_token(&layout, |i| layout.mates(i)),
        ))
    }
}
