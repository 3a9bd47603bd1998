//! Response times under EDF.
//!
//! Under EDF the critical instant is not the synchronous release: a job meets its
//! worst case somewhere in a *deadline busy period* of its own. Spuri's analysis
//! (1996) releases all other tasks at once, with their jitter used up, lets the
//! job arrive at a, and follows the busy period of all work that is due no later
//! than the job, for every a at which that work changes. The largest time from
//! arrival to the end of the busy period is the bound.

use super::INDEPENDENT;
use super::demand::{PATIENCE, Row, busy_or_repeating, rows};
use crate::effort;
use crate::exact::compare_sum;
use crate::{Exactness, Family, Metadata, SchedulabilityTest, Task, TaskSet, Verdict};

/// Spuri's response times, against the deadlines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EdfResponseTimes;

impl SchedulabilityTest for EdfResponseTimes {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "edf-response-times",
            title: "response-time analysis of EDF",
            source: "Spuri 1996",
            family: Family::EarliestDeadline,
            assumptions: INDEPENDENT,
            exactness: Exactness::Exact,
        }
    }

    fn decide(&self, set: &TaskSet) -> Verdict {
        Verdict::of_bounds(&response_times(set))
    }

    fn response_times(&self, set: &TaskSet) -> Option<Vec<Option<u64>>> {
        Some(response_times(set))
    }
}

fn response_times(set: &TaskSet) -> Vec<Option<u64>> {
    let mut bounds = vec![None; set.tasks().len()];
    for core in 0..set.cores() {
        let positions: Vec<usize> = set.on_core(core).map(|(i, _)| i).collect();
        let tasks = set.on_core(core).map(|(_, t)| t);
        let Some(others) = rows(tasks) else { continue };
        let overloaded = compare_sum(others.iter().map(|r| (r.wcet, r.period)), 1).is_gt();
        for &i in positions.iter().filter(|_| !overloaded) {
            let task = &set.tasks()[i];
            bounds[i] = worst(&others, task).filter(|&bound| bound <= task.deadline);
        }
    }
    bounds
}

/// The search for one task.
struct Search<'a> {
    rows: &'a [Row],
    task: &'a Task,
    /// Its D - J.
    window: u64,
    /// Position of the task among the rows; `None` if it never executes.
    own: Option<usize>,
    patience: u64,
}

fn worst(rows: &[Row], task: &Task) -> Option<u64> {
    let window = task.deadline.checked_sub(task.jitter)?;
    let own = Row { wcet: task.wcet, period: task.period, window, jitter: task.jitter };
    let own = rows.iter().position(|r| *r == own);
    Search { rows, task, window, own, patience: PATIENCE }.run()
}

impl Search<'_> {
    /// The largest response over all arrivals that can matter; arrivals are counted from -J of the
    /// task.
    fn run(&mut self) -> Option<u64> {
        let busy = busy_or_repeating(self.rows)?;
        let mut largest = self.task.jitter.checked_add(self.task.wcet)?;
        // x = a + J: from the earliest possible arrival on; deadlines coincide at x = k T_j + D_j -
        // J_j - (D_i - J_i).
        let mut candidates: Vec<(u64, u64)> = Vec::new();
        for r in self.rows {
            let below = self.window.saturating_sub(r.window).div_ceil(r.period);
            let first =
                below.checked_mul(r.period)?.checked_add(r.window)?.checked_sub(self.window)?;
            candidates.push((first, r.period));
        }
        candidates.push((0, self.task.period));
        for (first, period) in candidates {
            let mut x = first;
            while x <= busy.checked_add(self.task.jitter)? {
                self.take_step()?;
                largest = largest.max(self.response(x)?);
                x = x.checked_add(period)?;
            }
        }
        Some(largest)
    }

    fn take_step(&mut self) -> Option<()> {
        self.patience = self.patience.checked_sub(1).filter(|_| effort::step())?;
        Some(())
    }

    /// The response of the job that arrives x after the earliest possible arrival (which is J
    /// before the releases).
    fn response(&mut self, x: u64) -> Option<u64> {
        let due = x.checked_add(self.window)?;
        let own_jobs = x / self.task.period + 1;
        let own_work = own_jobs.checked_mul(self.task.wcet)?;
        let mut window = own_work;
        loop {
            self.take_step()?;
            let others = self
                .rows
                .iter()
                .enumerate()
                .filter(|&(j, r)| Some(j) != self.own && r.window <= due);
            let next = others.map(|(_, r)| r).try_fold(own_work, |sum, r| {
                let seen = window.checked_add(self.task.beyond())?;
                let released = seen.checked_add(r.jitter)?.div_ceil(r.period);
                let jobs = released.min((due - r.window) / r.period + 1);
                sum.checked_add(jobs.checked_mul(r.wcet)?)
            })?;
            if next <= window {
                // Arrival a = x - J; released at 0 at the earliest.
                let response = (window.checked_add(self.task.jitter)?).saturating_sub(x);
                return Some(response.max(self.task.wcet));
            }
            window = next;
        }
    }
}
