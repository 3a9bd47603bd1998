//! FMLP+: suspend in FIFO order; the oldest request of a core is boosted.
//!
//! Holders on one core run above all normal work, and among each other in the
//! order of their requests. So whatever delays a request is older than it: at most
//! one request of each other task, of the same resource or of any resource if the
//! task can preempt a user of it (Brandenburg 2014). Lower tasks of the own core
//! may each have one request pending when the job is released and each time it
//! resumes. The time in which higher tasks of the own core execute sections counts
//! as their interference already.
//!
//! [`FmlpPlus`] is for fixed priorities and knows suspension. It counts requests over
//! the whole window; [`FmlpPlusLinear`] is the program whose optimum that is.
//! [`FmlpPlusEdf`] is for EDF and charges all waiting as execution; there, local
//! resources are locked the same way as global ones.

mod counted;
mod linear;
mod quick;

pub use linear::FmlpPlusLinear;

use counted::Counted;

use super::demand::fits_without_blocking;
use super::layout::{Access, Layout};
use super::response::{Asked, Responses, all_met};
use super::{EDF_ASSUMPTIONS, SUSPENDING_ASSUMPTIONS};
use crate::windows::times;
use crate::{Exactness, Family, Metadata, SchedulabilityTest, TaskSet, Verdict};

/// FMLP+ under fixed priorities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FmlpPlus;

/// FMLP+ under EDF, waiting charged as execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FmlpPlusEdf;

/// The longest time that older requests keep one request from its resource and its section from its
/// core.
fn older_requests(layout: &Layout<'_>, access: &Access) -> u64 {
    let users = || layout.users(access.resource).iter();
    let hosts_other_user = |x: usize| {
        let core = layout.tasks[x].core;
        users().any(|u| u.core == core && u.task != x)
    };
    let longest = |x: usize| {
        let any = hosts_other_user(x);
        let sections = layout.accesses(x).iter();
        sections
            .filter(|a| any || a.resource == access.resource)
            .map(|a| a.length)
            .max()
            .unwrap_or(0)
    };
    let others = (0..layout.tasks.len()).filter(|&x| x != access.task);
    others.fold(0, |sum: u64, x| sum.saturating_add(longest(x)))
}

fn accepts_edf(layout: &Layout<'_>) -> bool {
    let need = |i: usize| {
        let accesses = layout.accesses(i).iter();
        let waiting = accesses.fold((0_u64, 1_u64), |(sum, resumes), a| {
            let older = older_requests(layout, a);
            (sum.saturating_add(times(a.count, older)), resumes.saturating_add(a.count))
        });
        let longest = |x: usize| layout.accesses(x).iter().map(|a| a.length).max().unwrap_or(0);
        let mates = layout.mates(i).iter().fold(0_u64, |sum, &x| sum.saturating_add(longest(x)));
        layout.tasks[i].wcet.saturating_add(waiting.0).saturating_add(times(waiting.1, mates))
    };
    let needs: Vec<u64> = (0..layout.tasks.len()).map(need).collect();
    fits_without_blocking(layout, &needs)
}

impl SchedulabilityTest for FmlpPlus {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "fmlp-plus",
            title: "FMLP+",
            source: "Brandenburg 2011 and 2014, requests counted over the window; jitter after \
                     Chen et al. 2019",
            family: Family::PartitionedFixedPriority,
            assumptions: SUSPENDING_ASSUMPTIONS,
            exactness: Exactness::Sufficient,
        }
    }

    /// Mostly found the short way.
    fn decide(&self, set: &TaskSet) -> Verdict {
        let layout = Layout::new(set);
        let counted = Counted::new(&layout);
        let quick = quick::all_met(&layout, &counted);
        Verdict::from_condition(
            quick.unwrap_or_else(|| all_met(&counted.responses(Asked::Verdict))),
        )
    }

    fn response_times(&self, set: &TaskSet) -> Option<Responses> {
        Some(Counted::new(&Layout::new(set)).responses(Asked::Bounds))
    }
}

impl SchedulabilityTest for FmlpPlusEdf {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "fmlp-plus-edf",
            title: "FMLP+ under EDF, waiting charged as execution",
            source: "Brandenburg 2011 and 2014",
            family: Family::PartitionedEarliestDeadline,
            assumptions: EDF_ASSUMPTIONS,
            exactness: Exactness::Sufficient,
        }
    }

    fn decide(&self, set: &TaskSet) -> Verdict {
        Verdict::from_condition(accepts_edf(&Layout::new(set)))
    }
}
