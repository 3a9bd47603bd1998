//! Bounds on interference in a job's window of one deadline (BCL).
//!
//! A job misses its deadline only if all cores are busy with others for more than
//! D - C ticks of its window. Each other task takes part with at most the work it
//! can do there, and with no more than that many ticks.

use super::ASSUMPTIONS;
use super::workload::{carried_in, due, with_length};
use crate::{Exactness, Family, Metadata, SchedulabilityTest, Task, TaskSet, Verdict};

/// For each k: sum of min(W_i, D_k - C_k + 1) < m (D_k - C_k + 1), W_i the work of jobs due in the
/// window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bertogna;

/// The same over tasks of at least the priority of k, which may carry work in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BertognaFixed;

fn met(
    set: &TaskSet,
    k: usize,
    work: impl Fn(&Task, u64) -> u64,
    interferes: impl Fn(&Task) -> bool,
) -> bool {
    let (task, _) = with_length(&set.tasks()[k]);
    let Some(slack) = task.deadline.checked_sub(task.wcet) else { return false };
    let most = slack.saturating_add(1);
    let others = set.tasks().iter().enumerate().filter(|(i, t)| *i != k && interferes(t));
    let sum: u128 = others.map(|(_, t)| u128::from(work(t, task.deadline).min(most))).sum();
    sum < u128::from(most) * set.cores() as u128
}

impl SchedulabilityTest for Bertogna {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "bcl-edf",
            title: "BCL under global EDF",
            source: "Bertogna, Cirinei and Lipari 2005, in whole ticks",
            family: Family::GlobalEarliestDeadline,
            assumptions: ASSUMPTIONS,
            exactness: Exactness::Sufficient,
        }
    }

    fn decide(&self, set: &TaskSet) -> Verdict {
        // Under EDF a job of no length is in time if the others are.
        let mut tasks = (0..set.tasks().len()).filter(|&k| set.tasks()[k].wcet > 0);
        let met = |k| met(set, k, |t, window| due(t, window, 0), |_| true);
        Verdict::from_condition(tasks.all(met))
    }
}

impl SchedulabilityTest for BertognaFixed {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "bcl-fp",
            title: "BCL under global fixed priorities",
            source: "Bertogna, Cirinei and Lipari 2005, in whole ticks",
            family: Family::GlobalFixedPriority,
            assumptions: ASSUMPTIONS,
            exactness: Exactness::Sufficient,
        }
    }

    fn decide(&self, set: &TaskSet) -> Verdict {
        let met = |k: usize| {
            let level = set.tasks()[k].priority;
            met(set, k, |t, window| carried_in(t, window, t.deadline).done, |t| t.priority >= level)
        };
        Verdict::from_condition((0..set.tasks().len()).all(met))
    }
}
