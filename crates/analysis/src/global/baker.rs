//! Baker's test for global EDF, compared exactly.

use std::cmp::Ordering;

use super::ASSUMPTIONS;
use crate::exact::{Fraction, Natural};
use crate::{Exactness, Family, Metadata, SchedulabilityTest, Task, TaskSet, Verdict};

/// For each k: sum of min(1, beta_i) <= m (1 - lambda) + lambda, lambda = C_k / D_k, where
/// beta_i = u_i (1 + (T_i - D_i) / D_k), plus (C_i - lambda T_i) / D_k where u_i > lambda.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Baker;

/// beta_i D_k D_k T_i as a fraction of D_k D_k T_i, at most 1.
fn contribution(task: &Task, of: &Task) -> Fraction {
    let natural = |n: u64| Natural::from(n);
    let (wcet, period, window) = (natural(task.wcet), natural(task.period), natural(of.deadline));
    // u (D_k + T - D) D_k
    let stretched =
        natural(of.deadline).plus(&natural(task.period - task.deadline.min(task.period)));
    let mut numerator = wcet.times(&stretched).times(&window);
    let denominator = window.times(&window).times(&period);
    let (own, limit) = (wcet.times(&window), natural(of.wcet).times(&period));
    if own > limit {
        // (C D_k - C_k T) T
        numerator = numerator.plus(&difference(task, of).times(&period));
    }
    if numerator > denominator {
        return Fraction::new(1, 1);
    }
    Fraction { numerator, denominator }
}

/// C_i D_k - C_k T_i, which is positive.
fn difference(task: &Task, of: &Task) -> Natural {
    let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
    product(task.wcet, of.deadline).saturating_sub(product(of.wcet, task.period)).into()
}

fn met(set: &TaskSet, k: usize) -> bool {
    let of = &set.tasks()[k];
    let cores = set.cores() as u64;
    // Sum of min(1, beta) + (m - 1) lambda <= m.
    let slack = Fraction {
        numerator: (u128::from(of.wcet) * u128::from(cores.saturating_sub(1))).into(),
        denominator: of.deadline.into(),
    };
    let sum = set.tasks().iter().fold(slack, |sum, task| sum.plus(&contribution(task, of)));
    sum.compare(&Fraction::new(cores, 1)) != Ordering::Greater
}

impl SchedulabilityTest for Baker {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "bak",
            title: "BAK",
            source: "Baker 2003",
            family: Family::GlobalEarliestDeadline,
            assumptions: ASSUMPTIONS,
            exactness: Exactness::Sufficient,
        }
    }

    fn decide(&self, set: &TaskSet) -> Verdict {
        // A job of no length is in time if the others are.
        let in_time = |(k, t): (usize, &Task)| t.wcet == 0 || (t.wcet <= t.deadline && met(set, k));
        Verdict::from_condition(set.tasks().iter().enumerate().all(in_time))
    }
}
