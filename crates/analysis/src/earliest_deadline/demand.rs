//! The demand in an interval, how far one must look, and the criterion.

use super::INDEPENDENT;
use super::blocking::Blocking;
use crate::effort;
use crate::exact::{compare_sum, hyperperiod};
use crate::{Exactness, Family, Metadata, SchedulabilityTest, Task, TaskSet, Verdict};

/// One task's part of the demand: its C, T and D - J.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) wcet: u64,
    pub(super) period: u64,
    /// The least time from release to deadline.
    pub(super) window: u64,
    pub(super) jitter: u64,
}

/// The tasks of a core, without those of no length; `None`: a deadline can be over at release.
///
/// At a job's deadline all work that is due by then is done, if the others meet theirs; so under
/// EDF a job of no length is dispatched then at the latest, unless a section blocks it.
pub(super) fn rows<'a>(tasks: impl Iterator<Item = &'a Task>) -> Option<Vec<Row>> {
    let mut rows = Vec::with_capacity(tasks.size_hint().1.unwrap_or(0));
    for task in tasks {
        let window = task.deadline.checked_sub(task.jitter)?;
        if task.wcet > 0 {
            rows.push(Row { wcet: task.wcet, period: task.period, window, jitter: task.jitter });
        }
    }
    rows.iter().all(|r| r.window > 0).then_some(rows)
}

/// The work released and due within any interval of length t; `None`: it does not fit.
pub(super) fn demand(rows: &[Row], t: u64) -> Option<u64> {
    rows.iter().filter(|r| r.window <= t).try_fold(0_u64, |sum, r| {
        let jobs = (t - r.window) / r.period + 1;
        sum.checked_add(jobs.checked_mul(r.wcet)?)
    })
}

/// The largest t < `before` at which the demand grows.
pub(super) fn last_step(rows: &[Row], before: u64) -> Option<u64> {
    let last = |r: &Row| {
        Some(r.window + (before.checked_sub(r.window)?.checked_sub(1)?) / r.period * r.period)
    };
    rows.iter().filter_map(last).max()
}

/// Steps after which a search is given up; a set that needs more counts as not shown to be
/// schedulable.
pub(super) const PATIENCE: u64 = 1_000_000;

/// An interval such that, if the demand alone ever exceeds the time, it does so within it. `None`:
/// U > 1, or U is (all but) 1 and no horizon is near enough to find.
///
/// For U < 1 that is where the line above the demand meets the time, else the synchronous busy
/// period. With jitter and U = 1 that may never end; then the demand repeats itself after a
/// hyperperiod.
pub(super) fn horizon(rows: &[Row]) -> Option<u64> {
    if compare_sum(rows.iter().map(|r| (r.wcet, r.period)), 1).is_gt() {
        return None;
    }
    crossing(rows).or_else(|| busy_or_repeating(rows))
}

/// The synchronous busy period, or after which the demand repeats itself.
pub(super) fn busy_or_repeating(rows: &[Row]) -> Option<u64> {
    let repeating = || {
        let together = u64::try_from(hyperperiod(rows.iter().map(|r| r.period))?).ok()?;
        let settled = rows
            .iter()
            .map(|r| r.window.checked_add(r.jitter))
            .try_fold(0, |m, x| Some(x?.max(m)))?;
        together.checked_add(settled)
    };
    busy_period(rows, u64::MAX, PATIENCE / 10).or_else(repeating)
}

/// Returns the instant at which the line above the demand meets the time, with a margin for
/// rounding; `None`: too far.
///
/// Sum of (T - D + J) U over 1 - U, but no less than any D - J - T.
fn crossing(rows: &[Row]) -> Option<u64> {
    let (mut load, mut shift, mut size, mut least) = (0.0_f64, 0.0_f64, 0.0_f64, 0_u64);
    for r in rows {
        let u = r.wcet as f64 / r.period as f64;
        load += u;
        shift += (r.period as f64 - r.window as f64) * u;
        size += r.period.max(r.window) as f64;
        least = least.max(r.window.saturating_sub(r.period));
    }
    let idle = 1.0 - load;
    if idle < 1e-5 {
        return None;
    }
    // Both sums are off by less than 1e-10 of `size` for up to a hundred thousand tasks.
    let far = (shift.max(0.0) + size * 1e-9) / idle * (1.0 + 1e-6) + 2.0;
    (far < 9e18).then_some((far as u64).max(least))
}

/// The longest time that the core is busy when everything is released at once, if it is at most
/// `limit`.
fn busy_period(rows: &[Row], limit: u64, patience: u64) -> Option<u64> {
    let mut window = rows.iter().try_fold(0_u64, |sum, r| sum.checked_add(r.wcet))?;
    for _ in 0..patience {
        let next = rows.iter().try_fold(0_u64, |sum, r| {
            let jobs = window.checked_add(r.jitter)?.div_ceil(r.period);
            sum.checked_add(jobs.checked_mul(r.wcet)?)
        })?;
        if next <= window {
            return Some(window);
        }
        window = next;
        if window > limit || !effort::step() {
            return None;
        }
    }
    None
}

/// Demand + B(t) <= t at every step of the demand up to the horizon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProcessorDemand;

impl SchedulabilityTest for ProcessorDemand {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "edf-demand",
            title: "processor-demand criterion",
            source: "Baruah, Mok and Rosier 1990; Spuri 1996 (jitter)",
            family: Family::EarliestDeadline,
            assumptions: INDEPENDENT,
            exactness: Exactness::Exact,
        }
    }

    fn decide(&self, set: &TaskSet) -> Verdict {
        holds_on_each_core(set, every_step)
    }
}

/// Returns `true` if a criterion holds for the tasks of each core, without blocking.
pub(super) fn holds_on_each_core(
    set: &TaskSet,
    criterion: impl Fn(&[Row], &Blocking) -> bool,
) -> Verdict {
    let holds = |core: usize| {
        let rows = rows(set.on_core(core).map(|(_, t)| t));
        rows.is_some_and(|rows| criterion(&rows, &Blocking::none()))
    };
    Verdict::from_condition((0..set.cores()).all(holds))
}

/// Returns `true` if demand + B(t) <= t at every step up to the horizon, looked at one by one.
pub(super) fn every_step(rows: &[Row], blocking: &Blocking) -> bool {
    let Some(far) = horizon(rows) else { return false };
    let near = busy_period(rows, far, 1000).unwrap_or(far);
    let mut t = near.max(blocking.end()).saturating_add(1);
    for _ in 0..PATIENCE {
        if !effort::step() {
            return false;
        }
        let Some(step) = last_step(rows, t) else { return true };
        if demand(rows, step)
            .and_then(|d| d.checked_add(blocking.at(step)))
            .is_none_or(|d| d > step)
        {
            return false;
        }
        t = step;
    }
    false
}
