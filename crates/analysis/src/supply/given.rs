//! The least supply under a contract, and response times under it.

use super::Supply;
use crate::fixed_priority::window::{Arrivals, Horizon, response_time};
use crate::registry::by_name;
use crate::{OutsideAssumptions, TaskSet};

/// A contract about the time that somebody has of a core.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Given {
    /// Slots that repeat.
    Table(Supply),
    /// So much in every period, anywhere in it (Shin and Lee 2003, equation 6).
    Periodic {
        /// The length of a period.
        period: u64,
        /// The time that is given in each.
        budget: u64,
    },
    /// A part of the time, but for a delay (Mok, Feng and Chen 2001, definition 4).
    Delayed {
        /// The part, times the whole.
        part: u64,
        /// The whole that the part is of.
        whole: u64,
        /// The longest time by which all that is late.
        delay: u64,
    },
}

impl Given {
    /// Returns the periodic resource; none: it gives nothing, or more than there is.
    pub fn periodic(period: u64, budget: u64) -> Option<Self> {
        let fits = 0 < budget && budget <= period && period.checked_mul(4).is_some();
        fits.then_some(Self::Periodic { period, budget })
    }

    /// Returns the part with a delay; none: it is nothing, or more than there is.
    pub fn delayed(part: u64, whole: u64, delay: u64) -> Option<Self> {
        (0 < part && part <= whole).then_some(Self::Delayed { part, whole, delay })
    }

    /// The least that is given in any window of a length; `None`: it does not fit.
    pub fn least(&self, window: u64) -> Option<u64> {
        match *self {
            Self::Table(ref supply) => supply.least(window),
            Self::Periodic { period, budget } => {
                let served = window.saturating_sub(2 * (period - budget));
                let whole = (served / period).checked_mul(budget)?;
                whole.checked_add((served % period).min(budget))
            }
            Self::Delayed { part, whole, delay } => {
                let served = u128::from(window.saturating_sub(delay)) * u128::from(part);
                u64::try_from(served / u128::from(whole)).ok()
            }
        }
    }

    /// The least window in which so much is given for certain; `None`: it does not fit.
    pub fn needed(&self, amount: u64) -> Option<u64> {
        let Some(last) = amount.checked_sub(1) else { return Some(0) };
        match *self {
            Self::Table(ref supply) => supply.needed(amount),
            Self::Periodic { period, budget } => {
                let whole = (last / budget).checked_mul(period)?;
                let rest = 2 * (period - budget) + last % budget + 1;
                whole.checked_add(rest)
            }
            Self::Delayed { part, whole, delay } => {
                let time = (u128::from(amount) * u128::from(whole)).div_ceil(part.into());
                u64::try_from(time).ok()?.checked_add(delay)
            }
        }
    }
}

/// Response times of a set on one core under preemptive fixed priorities, which has so much of it;
/// none for a task that is not shown to be done by its deadline.
///
/// The demand is that of the test `fp-rta-arbitrary`, and its window lasts until the supply has
/// reached it (Lipari and Bini 2005).
///
/// # Errors
/// The set is outside the assumptions of that test.
pub fn response_times(
    set: &TaskSet,
    given: &Given,
) -> Result<Vec<Option<u64>>, OutsideAssumptions> {
    if let Some(test) = by_name(DEMAND) {
        test.covers(set)?;
    }
    let tasks = set.tasks();
    let response = |own: usize| {
        let task = &tasks[own];
        let demand = |jobs: u64, window: u64| {
            let alone = task.wcet.checked_mul(jobs)?.checked_add(task.blocking)?;
            let all = set.interfering(own).try_fold(alone, |sum, (_, one)| {
                let arrivals = Arrivals { period: one.period, jitter: one.jitter };
                sum.checked_add(arrivals.within(window)?.checked_mul(one.wcet)?)
            })?;
            given.needed(all)
        };
        // A job of no length needs the core, too, and nobody knows when it has it.
        if task.wcet == 0 {
            return None;
        }
        let arrivals = Arrivals { period: task.period, jitter: task.jitter };
        let found = response_time(arrivals, Horizon::FAR, demand)?;
        (found.time <= task.deadline).then_some(found.time)
    };
    Ok((0..tasks.len()).map(response).collect())
}

/// The test whose demand is used.
const DEMAND: &str = "fp-rta-arbitrary";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Task;
    use crate::supply::Slot;
    use proptest::prelude::*;

    /// 2 of every 5: nothing for up to 6 ticks, then 2 in 5.
    #[test]
    fn the_periodic_resource_by_hand() {
        let given = Given::periodic(5, 2).expect("a contract");
        assert_eq!([6, 7, 8, 11, 12, 13].map(|w| given.least(w)), [0, 1, 2, 2, 3, 4].map(Some));
        assert_eq!([0, 1, 2, 3].map(|a| given.needed(a)), [0, 7, 8, 12].map(Some));
        let set = TaskSet::new(vec![Task::implicit(1, 20, 2), Task::implicit(2, 40, 1)]);
        let found = response_times(&set.expect("a set"), &given).expect("covered");
        assert_eq!(found, [Some(7), Some(12)]);
    }

    #[test]
    fn contracts_that_give_nothing_or_too_much_are_none() {
        assert_eq!(
            [Given::periodic(5, 0), Given::periodic(5, 6), Given::periodic(0, 0)],
            [None, None, None]
        );
        assert_eq!([Given::delayed(0, 4, 1), Given::delayed(5, 4, 1)], [None, None]);
        assert!(Given::periodic(u64::MAX, 1).is_none());
    }

    proptest! {
        #[test]
        fn the_least_window_is_needed(
            period in 1_u64..12,
            budget in 1_u64..12,
            delay in 0_u64..9,
            amount in 1_u64..40,
        ) {
            let given = [Given::periodic(period, budget), Given::delayed(budget, period, delay)];
            for given in given.into_iter().flatten() {
                let needed = given.needed(amount).expect("it fits");
                prop_assert!(given.least(needed).expect("it fits") >= amount);
                prop_assert!(given.least(needed - 1).expect("it fits") < amount);
            }
        }

        /// Slots that keep to a contract give no less than it.
        #[test]
        fn tables_keep_to_the_contract(
            budget in 1_u64..6,
            more in 0_u64..6,
            starts in proptest::collection::vec(0_u64..20, 1..5),
            window in 0_u64..60,
        ) {
            let period = budget + more;
            let count = starts.len() as u64;
            let slot = |(at, start): (u64, &u64)| {
                Slot { start: at * period + start % (more + 1), length: budget }
            };
            let slots: Vec<Slot> = (0..).zip(&starts).map(slot).collect();
            let table = Given::Table(Supply::table(period * count, &slots).expect("a table"));
            let given = Given::periodic(period, budget).expect("a contract");
            prop_assert!(given.least(window) <= table.least(window));
            let delay = 2 * more;
            let delayed = Given::delayed(budget, period, delay).expect("a contract");
            prop_assert!(delayed.least(window) <= given.least(window));
        }
    }
}
