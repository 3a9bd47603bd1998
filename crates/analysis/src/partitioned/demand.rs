//! Processor demand under EDF on one core of several, by quick convergence.
//!
//! A deadline at the end of an interval of length t is met if `demand(t)` <= t:
//! all that jobs with both ends in the interval need, plus one blocking section.
//! It suffices to look at intervals no longer than the longest busy period. As
//! long as the demand never falls when t grows, one look at t settles every
//! length between demand(t) and t (Zhang and Burns 2009, QPA); so few looks are
//! needed. The demand may also grow between the core's own deadlines, as it does
//! when waiting for other cores counts in it; so nothing here knows deadlines.

use super::layout::Layout;
use crate::windows::{MOST_STEPS, jobs, least, times};
use crate::{Task, effort};

/// The most jobs of a task with arrival and deadline in an interval: floor((t - D) / T) + 1, or 0.
#[inline]
pub(crate) fn jobs_due(interval: u64, task: &Task) -> u64 {
    if task.deadline == task.period {
        return interval / task.period;
    }
    match interval.checked_sub(task.deadline) {
        None => 0,
        Some(rest) => (rest / task.period).saturating_add(1),
    }
}

/// Sum of what jobs due in an interval need.
pub(crate) fn demand_bound<'a>(interval: u64, needs: impl Iterator<Item = (&'a Task, u64)>) -> u64 {
    needs.fold(0_u64, |sum, (task, need)| sum.saturating_add(times(jobs_due(interval, task), need)))
}

/// Returns `true` if demand(t) <= t for every t in `shortest` ..= `longest`; `false` after too many
/// looks.
///
/// `demand` must not fall as t grows.
pub(crate) fn fits(shortest: u64, longest: u64, mut demand: impl FnMut(u64) -> u64) -> bool {
    let mut interval = longest;
    for _ in 0..MOST_STEPS {
        if interval < shortest {
            return true;
        }
        let needed = demand(interval);
        if needed > interval || !effort::step() {
            return false;
        }
        interval = if needed < interval { needed } else { interval - 1 };
        if interval == 0 {
            return true;
        }
    }
    false
}

/// Returns `true` if EDF meets all deadlines of each core when task i needs `needs[i]` and nothing
/// blocks.
pub(crate) fn fits_without_blocking(layout: &Layout<'_>, needs: &[u64]) -> bool {
    (0..layout.cores).all(|core| {
        let on_core =
            || layout.tasks.iter().zip(needs.iter().copied()).filter(|(t, _)| t.core == core);
        let Some(shortest) = on_core().map(|(t, _)| t.deadline).min() else { return true };
        let requested = |w: u64| {
            on_core()
                .fold(0_u64, |sum, (t, need)| sum.saturating_add(times(jobs(w, 0, t.period), need)))
        };
        let longest = least(1, u64::MAX, requested);
        longest.is_some_and(|longest| fits(shortest, longest, |t| demand_bound(t, on_core())))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn counts_jobs_due() {
        let implicit = Task::implicit(1, 5, 0);
        assert_eq!([4, 5, 9, 10].map(|t| jobs_due(t, &implicit)), [0, 1, 1, 2]);
        let constrained = implicit.with_deadline(3);
        assert_eq!([2, 3, 7, 8].map(|t| jobs_due(t, &constrained)), [0, 1, 1, 2]);
    }

    proptest! {
        #[test]
        fn few_looks_settle_every_length(
            steps in proptest::collection::vec(0_u64..4, 1..40),
            shortest in 1_u64..10,
        ) {
            let demand = |t: u64| steps.iter().take(t as usize).sum::<u64>();
            let longest = steps.len() as u64;
            let all = (shortest..=longest).all(|t| demand(t) <= t);
            prop_assert_eq!(fits(shortest, longest, demand), all);
        }
    }
}
