//! Baruah's test for global EDF: at most m - 1 tasks carry work in.
//!
//! As published, interference is cut off at the slack and "not more than m times the
//! slack" accepts; that accepts (C, T, D) = (1, 10, 10), (1, 10, 10), (10, 11, 10) on two
//! cores, where the last task completes at 11. Cut off one tick above the slack, with
//! "less than", as here, the argument holds.
//!
//! The window of a job that misses its deadline is extended back, by A, to the last
//! instant at which a core was idle. The condition must hold for every A up to a
//! bound. Its left side never falls as A grows, so one look settles all A between
//! where its value is reached and where it was looked at, as QPA does.

use super::ASSUMPTIONS;
use super::workload::{fresh, jobs_due};
use crate::windows::MOST_STEPS;
use crate::{Exactness, Family, Metadata, SchedulabilityTest, TaskSet, Verdict, effort};

/// For each k and A: sum of I1 + the m - 1 largest (I2 - I1) < m (A + D_k - C_k + 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Baruah;

/// The largest A to look at: above, utilization below m makes the condition hold. `None`: none is
/// known.
fn horizon(set: &TaskSet, k: usize) -> Option<u64> {
    const ONE: u128 = 1 << 32;
    let tasks = set.tasks();
    let cores = set.cores() as u128;
    let utilisation: u128 =
        tasks.iter().map(|t| (u128::from(t.wcet) * ONE).div_ceil(u128::from(t.period))).sum();
    let gap = (cores * ONE).checked_sub(utilisation).filter(|&gap| gap > 0)?;
    let mut longest: Vec<u64> = tasks.iter().map(|t| t.wcet).collect();
    longest.sort_unstable_by(|a, b| b.cmp(a));
    let carried: u128 =
        longest.iter().take(set.cores().saturating_sub(1)).map(|&c| u128::from(c)).sum();
    let late = |t: &crate::Task| {
        (u128::from(t.period - t.deadline.min(t.period)) * u128::from(t.wcet))
            .div_ceil(u128::from(t.period))
    };
    let lates: u128 = tasks.iter().map(late).sum();
    let above = carried + lates + cores * u128::from(tasks[k].wcet);
    u64::try_from(above.checked_mul(ONE)?.div_ceil(gap)).ok()
}

/// The left side for one k and A.
fn demand(set: &TaskSet, k: usize, extension: u64, differences: &mut Vec<u128>) -> u128 {
    let of = &set.tasks()[k];
    let window = extension.saturating_add(of.deadline);
    let mut sum = 0_u128;
    differences.clear();
    for (i, task) in set.tasks().iter().enumerate() {
        let due = u128::from(jobs_due(task, window)) * u128::from(task.wcet);
        let with = u128::from(fresh(task, window).done).max(due);
        let (own, most) = if i == k {
            (u128::from(of.wcet), extension)
        } else {
            (0, (window - of.wcet).saturating_add(1))
        };
        let without = due.saturating_sub(own).min(u128::from(most));
        let with = with.saturating_sub(own).min(u128::from(most));
        sum += without;
        differences.push(with.saturating_sub(without));
    }
    differences.sort_unstable_by(|a, b| b.cmp(a));
    sum + differences.iter().take(set.cores().saturating_sub(1)).sum::<u128>()
}

fn met(set: &TaskSet, k: usize) -> bool {
    let of = &set.tasks()[k];
    // A job of no length is in time if the others are.
    if of.wcet == 0 {
        return true;
    }
    let Some(slack) = of.deadline.checked_sub(of.wcet) else { return false };
    let Some(mut extension) = horizon(set, k) else { return false };
    let cores = set.cores() as u128;
    let mut differences = Vec::with_capacity(set.tasks().len());
    for _ in 0..MOST_STEPS {
        let needed = demand(set, k, extension, &mut differences);
        if !effort::step() || needed >= cores * (u128::from(extension) + u128::from(slack) + 1) {
            return false;
        }
        // The largest A whose right side is not above what was needed.
        let Some(next) = (needed / cores).checked_sub(u128::from(slack) + 1) else { return true };
        extension = u64::try_from(next).unwrap_or(u64::MAX);
    }
    false
}

impl SchedulabilityTest for Baruah {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "bar",
            title: "BAR",
            source: "Baruah 2007, cut off one tick above the slack",
            family: Family::GlobalEarliestDeadline,
            assumptions: ASSUMPTIONS,
            exactness: Exactness::Sufficient,
        }
    }

    fn decide(&self, set: &TaskSet) -> Verdict {
        Verdict::from_condition(set.cores() > 0 && (0..set.tasks().len()).all(|k| met(set, k)))
    }
}
