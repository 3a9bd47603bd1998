//! Mixed criticality: tasks with two execution times, on one core.
//!
//! Each task has a time that its jobs take as a rule, and tasks of *high* criticality a longer one
//! that they take at most. A system is in its *low* mode until a job of high criticality executes
//! for its usual time without being complete; then it is in its *high* mode: no job of low
//! criticality is released any more, until there is nothing to do. In the low mode all deadlines
//! hold, in the high mode those of high criticality, whatever happened before.
//!
//! On one core, with deadlines up to periods:
//!
//! * [`amc_rtb`] and [`amc_max`]: fixed priorities. What is released below the mode change counts
//!   up to the response time in the low mode, or for each instant at which the change can be
//!   (Baruah, Burns and Davis, "Response-time analysis for mixed criticality systems", RTSS 2011,
//!   equations 4 to 8 and 9 to 13).
//! * [`edf_vd`]: earliest deadline first, where tasks of high criticality have earlier *virtual*
//!   deadlines in the low mode, x times their periods (Baruah, Bonifaci, D'Angelo, Li,
//!   Marchetti-Spaccamela, van der Ster and Stougie, "The preemptive uniprocessor scheduling of
//!   mixed-criticality implicit-deadline sporadic task systems", ECRTS 2012, figure 1).

#[cfg(test)]
mod tests;

use std::cmp::Ordering;

use crate::fixed_priority::window::least_window;
use crate::{Priority, effort, exact};

/// A task with two execution times, on one core; times in ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CriticalTask {
    /// The time that a job takes at most in the low mode.
    pub usual: u64,
    /// The time that a job takes at most; none: the task is of low criticality.
    pub most: Option<u64>,
    /// Period or minimum inter-arrival time.
    pub period: u64,
    /// Relative deadline, no later than the period.
    pub deadline: u64,
    /// A higher number is a higher priority; equal ones interfere with each other.
    pub priority: Priority,
}

impl CriticalTask {
    fn is_high(&self) -> bool {
        self.most.is_some()
    }

    /// Returns `true` if its numbers make a task of this model.
    fn is_valid(&self) -> bool {
        let times = self.usual > 0 && self.most.is_none_or(|most| most >= self.usual);
        times && 0 < self.deadline && self.deadline <= self.period
    }
}

/// Response times of a task in both modes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Responses {
    /// In the low mode.
    pub low: u64,
    /// The response of jobs that see a change of the mode, or the high mode; `None` for low
    /// criticality.
    pub high: Option<u64>,
}

/// The response times of all tasks under fixed priorities, where what is of low criticality counts
/// up to the response time in the low mode (AMC-rtb); none: some deadline is not shown to hold, or
/// a task is not of the model.
pub fn amc_rtb(tasks: &[CriticalTask]) -> Option<Vec<Responses>> {
    all(tasks, |task, low| {
        let own = &tasks[task];
        let most = own.most?;
        least_window(most, own.deadline, |window| {
            above(tasks, task).try_fold(most, |sum, other| {
                let part = match other.most {
                    Some(most) => most.checked_mul(window.div_ceil(other.period))?,
                    None => other.usual.checked_mul(low.div_ceil(other.period))?,
                };
                sum.checked_add(part)
            })
        })
    })
}

/// The same with each instant at which the mode can change looked at (AMC-max).
pub fn amc_max(tasks: &[CriticalTask]) -> Option<Vec<Responses>> {
    all(tasks, |task, low| {
        // The demand of low criticality grows there, and that of high criticality only falls.
        let mut changes = vec![0];
        for other in above(tasks, task).filter(|other| !other.is_high()) {
            changes.extend((1..).map(|job| job * other.period).take_while(|&time| time < low));
        }
        changes.sort_unstable();
        changes.dedup();
        let at = |&change: &u64| effort::step().then(|| changed_at(tasks, task, change))?;
        changes.iter().map(at).try_fold(0, |most, found| Some(most.max(found?)))
    })
}

/// The response time of a task of high criticality if the mode changes so long after its release.
fn changed_at(tasks: &[CriticalTask], task: usize, change: u64) -> Option<u64> {
    let own = &tasks[task];
    let most = own.most?;
    least_window(most, own.deadline, |window| {
        above(tasks, task).try_fold(most, |sum, other| {
            let Some(longest) = other.most else {
                return sum.checked_add(other.usual.checked_mul(change / other.period + 1)?);
            };
            let jobs = window.div_ceil(other.period);
            // Jobs that can be under way, or come, behind the change.
            let slack = other.period - other.deadline;
            let behind = window.saturating_sub(change).saturating_sub(slack);
            let late = (behind.div_ceil(other.period) + 1).min(jobs);
            let part = late.checked_mul(longest)?;
            sum.checked_add(part)?.checked_add((jobs - late).checked_mul(other.usual)?)
        })
    })
}

/// Returns the tasks that may go before one.
fn above(tasks: &[CriticalTask], task: usize) -> impl Iterator<Item = &CriticalTask> {
    let others = tasks.iter().enumerate().filter(move |&(other, _)| other != task);
    others.map(|(_, other)| other).filter(move |other| other.priority >= tasks[task].priority)
}

/// Returns the response times of all tasks, with those of high criticality found from the low mode.
fn all(tasks: &[CriticalTask], high: impl Fn(usize, u64) -> Option<u64>) -> Option<Vec<Responses>> {
    if !tasks.iter().all(CriticalTask::is_valid) {
        return None;
    }
    let one = |(task, own): (usize, &CriticalTask)| {
        let low = least_window(own.usual, own.deadline, |window| {
            above(tasks, task).try_fold(own.usual, |sum, other| {
                sum.checked_add(other.usual.checked_mul(window.div_ceil(other.period))?)
            })
        })?;
        let high = match own.is_high() {
            true => Some(high(task, low)?),
            false => None,
        };
        Some(Responses { low, high })
    };
    tasks.iter().enumerate().map(one).collect()
}

/// The deadlines by which EDF-VD schedules a system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VirtualDeadlines {
    /// Real deadlines serve: nothing needs to be earlier.
    Real,
    /// In the low mode deadlines of tasks of high criticality come after `numerator` /
    /// `denominator` of their periods.
    Scaled {
        /// The part of a period, times the denominator.
        numerator: u64,
        /// The denominator of the factor.
        denominator: u64,
    },
}

/// Ticks of a utilization in which scaled deadlines are computed.
const WHOLE: u128 = 1 << 40;

/// The virtual deadlines with which earliest deadline first keeps all deadlines, if some are found;
/// all deadlines are periods, and priorities are not used. When the mode changes jobs of low
/// criticality are abandoned, also those under way. Scaling rounds against the system.
pub fn edf_vd(tasks: &[CriticalTask]) -> Option<VirtualDeadlines> {
    if !tasks.iter().all(|task| task.is_valid() && task.deadline == task.period) {
        return None;
    }
    let longest = tasks.iter().map(|task| (task.most.unwrap_or(task.usual), task.period));
    if exact::compare_sum(longest, 1) != Ordering::Greater {
        return Some(VirtualDeadlines::Real);
    }
    let share = |time: u64, period: u64| (u128::from(time) * WHOLE).div_ceil(period.into());
    let sum = |of: &dyn Fn(&CriticalTask) -> Option<u64>| -> u128 {
        tasks.iter().filter_map(|task| Some(share(of(task)?, task.period))).sum()
    };
    let low = sum(&|task| (!task.is_high()).then_some(task.usual));
    let usual = sum(&|task| task.most.map(|_| task.usual));
    let most = sum(&|task| task.most);
    let left = WHOLE.checked_sub(low).filter(|&left| left > 0)?;
    let scale = (usual * WHOLE).div_ceil(left);
    if scale > WHOLE || (scale * low).div_ceil(WHOLE) + most > WHOLE {
        return None;
    }
    let numerator = u64::try_from(scale).ok()?;
    Some(VirtualDeadlines::Scaled { numerator, denominator: WHOLE as u64 })
}
