//! Hyperbolic bounds: as published, and repaired for equal priorities.
//!
//! Sudvarg et al. 2024 (equation 4, appendix A) takes the product over all tasks of at
//! least i's priority. That is unsound when tasks of one level have different
//! periods: (C, T) = (0.5, 2) and (10, 100) on one level give 1.25 x 1.1 <= 2,
//! yet the first can wait 10. The repair replaces each factor C_j/T_j + 1 by
//! C_j/min(T_i, T_j) + 1: within T_i, a task with T_j > T_i executes for C_j at
//! most as often as a task of period T_i would. That also covers priorities that
//! are not rate-monotonic.
//!
//! A job of no length needs some time that is left over, however short: where others interfere, its
//! product must be below 2.
//!
//! All products are compared exactly.

use std::cmp::Ordering;

use super::{IMPLICIT, RATE_MONOTONIC};
use crate::exact::Natural;
use crate::{Exactness, Family, Metadata, SchedulabilityTest, Task, TaskSet, Verdict};

/// Compares the product of (a + b) / b over all (a, b) with 2.
fn compared_with_two(factors: impl Iterator<Item = (u128, u64)>) -> Ordering {
    let mut above = Natural::from(1_u64);
    let mut below = Natural::from(2_u64);
    for (demand, time) in factors {
        let time = Natural::from(time);
        above = above.times(&Natural::from(demand).plus(&time));
        below = below.times(&time);
    }
    above.cmp(&below)
}

/// Returns `true` if a task's product, which compares like this with 2, leaves it the time that it
/// needs.
fn leaves_time(set: &TaskSet, index: usize, product: Ordering) -> bool {
    let alone = || set.interfering(index).all(|(_, other)| other.wcet == 0);
    match product {
        Ordering::Less => true,
        Ordering::Equal => set.tasks()[index].wcet > 0 || alone(),
        Ordering::Greater => false,
    }
}

fn with_blocking(task: &Task) -> (u128, u64) {
    (u128::from(task.wcet) + u128::from(task.blocking), task.period)
}

/// For each i, the product over other tasks of at least its priority of
/// (C_j / min(T_i, T_j) + 1), times ((C_i + B_i) / T_i + 1), is at most 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HyperbolicBound;

impl SchedulabilityTest for HyperbolicBound {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "fp-hyperbolic",
            title: "hyperbolic bound",
            source: "Bini, Buttazzo and Buttazzo 2003; Sudvarg et al. 2024, equation 4, repaired \
                     for unequal periods on one level",
            family: Family::FixedPriority,
            assumptions: IMPLICIT,
            exactness: Exactness::Sufficient,
        }
    }

    fn decide(&self, set: &TaskSet) -> Verdict {
        let met = |(i, task): (usize, &Task)| {
            let others =
                set.interfering(i).map(|(_, t)| (u128::from(t.wcet), t.period.min(task.period)));
            leaves_time(set, i, compared_with_two(others.chain([with_blocking(task)])))
        };
        Verdict::from_condition(set.tasks().iter().enumerate().all(met))
    }
}

/// The bound as Sudvarg et al. (2024) print it (equation 4), for comparison.
///
/// Sound only for rate-monotonic priorities where equal priority implies equal
/// period; other sets are outside its assumptions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PublishedHyperbolicBound;

impl PublishedHyperbolicBound {
    /// The printed condition, without looking at the assumptions; it is about jobs that have a
    /// length.
    pub fn condition(&self, set: &TaskSet) -> bool {
        Self::products(set).all(|(_, product)| product.is_le())
    }

    /// Compares each task's product with 2; returns the tasks' indices with the results.
    fn products(set: &TaskSet) -> impl Iterator<Item = (usize, Ordering)> {
        set.tasks().iter().enumerate().map(|(i, task)| {
            let others = set.interfering(i).map(|(_, t)| (u128::from(t.wcet), t.period));
            (i, compared_with_two(others.chain([with_blocking(task)])))
        })
    }
}

impl SchedulabilityTest for PublishedHyperbolicBound {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "fp-hyperbolic-published",
            title: "hyperbolic bound as published",
            source: "Sudvarg et al. 2024, equation 4",
            family: Family::FixedPriority,
            assumptions: RATE_MONOTONIC,
            exactness: Exactness::Sufficient,
        }
    }

    fn decide(&self, set: &TaskSet) -> Verdict {
        Verdict::from_condition(Self::products(set).all(|(i, p)| leaves_time(set, i, p)))
    }
}
