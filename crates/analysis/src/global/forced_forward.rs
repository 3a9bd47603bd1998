//! Forced-forward demand for global EDF, at some speed.
//!
//! At speed s, the demand of a job that is due after the window's end is what must
//! be done before it if no job may have more left than s times its remaining time.
//! The condition is wanted for one s, at least the largest density; larger s leave
//! less, and demand less. For each window, demand less supply is convex in s: so a
//! speed that fails there says on which side of it all others fail as well, and
//! halving finds a speed whenever there is one among the fractions of a unit.
//!
//! The unit is a multiple of the window of the largest density, which so is one of
//! these fractions, as hundredths and sixtieths are: a single speed may be all that
//! holds. Everything is compared in whole numbers. At that speed the sum of
//! densities alone accepts what it does, however long the windows would have to be.

use super::ASSUMPTIONS;
use super::gfb::Gfb;
use crate::windows::MOST_STEPS;
use crate::{Exactness, Family, Metadata, SchedulabilityTest, Task, TaskSet, Verdict, effort};

/// Some s >= largest density has, for all t: sum of FF-DBF(t, s) <= (m - (m - 1) s) t.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ForcedForward;

/// Speeds are at least as fine as this.
const FINE: u64 = 1 << 20;
/// These parts of one are among the speeds.
const PARTS: u64 = 300;
/// Windows beyond this would make the unit too large to compute with.
const LONGEST: u64 = 1 << 40;

/// The known fact about a speed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Speed {
    /// The condition holds for all windows.
    Holds,
    /// No smaller speed does.
    TooSmall,
    /// No larger speed does, or it is not found out.
    TooLarge,
}

/// A set, and in which unit speeds are whole.
struct Demand<'a> {
    tasks: &'a [Task],
    cores: u128,
    unit: u128,
    /// The sum of C / T in that unit, rounded up.
    utilisation: u128,
}

impl Demand<'_> {
    /// FF-DBF in the unit, and what a job not due has left at least, at speed 1; `None`: it does
    /// not fit.
    fn of(&self, task: &Task, window: u64, speed: u128) -> Option<(u128, u128)> {
        let wcet = u128::from(task.wcet).checked_mul(self.unit)?;
        let whole = u128::from(window / task.period).checked_mul(wcet)?;
        let left = u128::from(task.deadline.saturating_sub(window % task.period));
        let part = wcet.saturating_sub(left.checked_mul(speed)?);
        // What is done already cannot be less with a larger speed.
        Some((whole.checked_add(part)?, if part == 0 { 0 } else { left }))
    }

    /// The demand of all, and by how much it falls for each unit of speed.
    fn total(&self, window: u64, speed: u128) -> Option<(u128, u128)> {
        self.tasks.iter().try_fold((0_u128, 0_u128), |(sum, falls), task| {
            let (demand, left) = self.of(task, window, speed)?;
            Some((sum.checked_add(demand)?, falls.checked_add(left)?))
        })
    }

    /// Tries a speed on windows from where the condition is sure downwards.
    fn tried(&self, speed: u128) -> Option<Speed> {
        let rate = (self.cores * self.unit).checked_sub((self.cores - 1) * speed)?;
        let gap = rate.checked_sub(self.utilisation).filter(|&gap| gap > 0)?;
        // FF-DBF(t) <= u t + C: beyond sum C / (rate - u) the condition holds.
        let work: u128 = self.tasks.iter().map(|t| u128::from(t.wcet)).sum();
        let mut window = u64::try_from(work.checked_mul(self.unit)?.div_ceil(gap)).ok()?;
        for _ in 0..MOST_STEPS {
            if !effort::step() {
                return None;
            }
            let (needed, falls) = self.total(window, speed)?;
            if needed > rate.checked_mul(u128::from(window))? {
                let supply_falls = (self.cores - 1).checked_mul(u128::from(window))?;
                return Some(if falls > supply_falls { Speed::TooSmall } else { Speed::TooLarge });
            }
            // The largest window whose supply is below what was needed.
            let Some(next) = needed.div_ceil(rate).checked_sub(1) else {
                return Some(Speed::Holds);
            };
            window = u64::try_from(next).ok()?;
        }
        None
    }

    /// Returns `true` if one of these speeds holds.
    fn holds_between(&self, mut low: u128, mut high: u128) -> bool {
        let mut speed = low;
        while low <= high {
            match self.tried(speed).unwrap_or(Speed::TooLarge) {
                Speed::Holds => return true,
                Speed::TooSmall => low = speed + 1,
                Speed::TooLarge if speed == 0 => return false,
                Speed::TooLarge => high = speed - 1,
            }
            speed = low.midpoint(high);
        }
        false
    }
}

fn decide(set: &TaskSet) -> bool {
    let (tasks, cores) = (set.tasks(), set.cores() as u128);
    let densest = tasks.iter().map(|t| (t.wcet, t.deadline.min(t.period))).max_by(|a, b| {
        (u128::from(a.0) * u128::from(b.1)).cmp(&(u128::from(b.0) * u128::from(a.1)))
    });
    let Some((wcet, span)) = densest else { return true };
    if cores == 0 || wcet > span {
        return false;
    }
    let parts = FINE.div_ceil(span).next_multiple_of(PARTS);
    let unit = u128::from(if span <= LONGEST { span * parts } else { FINE });
    let scaled = |c: u64, t: u64| (u128::from(c) * unit).div_ceil(u128::from(t));
    let utilisation: u128 = tasks.iter().map(|t| scaled(t.wcet, t.period)).sum();
    let lowest = scaled(wcet, span);
    let highest = match cores {
        1 => lowest,
        _ => ((cores * unit).saturating_sub(utilisation) / (cores - 1)).min(unit),
    };
    let demand = Demand { tasks, cores, unit, utilisation };
    Gfb.decide(set).is_schedulable() || demand.holds_between(lowest, highest)
}

impl SchedulabilityTest for ForcedForward {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "ff-dbf",
            title: "forced-forward demand bound",
            source: "Baruah, Bonifaci, Marchetti-Spaccamela and Stiller 2010",
            family: Family::GlobalEarliestDeadline,
            assumptions: ASSUMPTIONS,
            exactness: Exactness::Sufficient,
        }
    }

    fn decide(&self, set: &TaskSet) -> Verdict {
        Verdict::from_condition(decide(set))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// All periods divide this, and demand repeats after it.
    const REPEATS: u64 = 12;

    /// The condition at speed p / q, window by window.
    fn holds_at(set: &TaskSet, p: u64, q: u64) -> bool {
        let (tasks, cores) = (set.tasks(), set.cores() as u64);
        let supply = (cores * q).checked_sub((cores - 1) * p);
        let demand = |t: &Task, window: u64| {
            let left = t.deadline.saturating_sub(window % t.period);
            window / t.period * t.wcet * q + (t.wcet * q).saturating_sub(left * p)
        };
        supply.is_some_and(|supply| {
            let total = |window: u64| tasks.iter().map(|t| demand(t, window)).sum::<u64>();
            let load: u64 = tasks.iter().map(|t| REPEATS / t.period * t.wcet * q).sum();
            load < supply * REPEATS && (1..=REPEATS).all(|w| total(w) <= supply * w)
        })
    }

    /// Returns `true` if a speed p / 60 is at least the largest density.
    fn serves_all(set: &TaskSet, p: u64) -> bool {
        set.tasks().iter().all(|t| t.wcet * 60 <= p * t.deadline)
    }

    fn small() -> impl Strategy<Value = TaskSet> {
        let period = prop_oneof![Just(3_u64), Just(4), Just(6), Just(12)];
        let task = (1_u64..9, period, 1_u64..13);
        let tasks = proptest::collection::vec(task, 1..7);
        (2_usize..4, tasks).prop_map(|(cores, tasks)| {
            let task = |(c, t, d): (u64, u64, u64)| {
                let deadline = d.min(t);
                Task::implicit(c.min(deadline), t, 1).with_deadline(deadline)
            };
            let set = TaskSet::new(tasks.into_iter().map(task).collect()).unwrap();
            set.with_cores(cores).unwrap()
        })
    }

    #[test]
    fn a_single_speed_can_be_all_that_holds() {
        let rows = [(4, 6, 6), (1, 12, 2), (4, 6, 6)];
        let tasks = rows.map(|(c, t, d)| Task::implicit(c, t, 1).with_deadline(d));
        let set = TaskSet::new(tasks.to_vec()).unwrap().with_cores(3).unwrap();
        let holding: Vec<u64> = (1..=300).filter(|&p| holds_at(&set, p, 300)).collect();
        assert_eq!(holding, [225]);
        assert!(ForcedForward.decide(&set).is_schedulable());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn a_speed_is_found_wherever_there_is_one(set in small()) {
            let any = (1..=60).any(|p| serves_all(&set, p) && holds_at(&set, p, 60));
            prop_assert!(!any || ForcedForward.decide(&set).is_schedulable());
        }

        #[test]
        fn what_holds_does_so_in_every_window(set in small(), part in 0_u64..=60) {
            let lowest = (1..=60).find(|&p| serves_all(&set, p)).unwrap_or(60);
            let p = lowest + (60 - lowest) * part / 60;
            let tasks = set.tasks();
            let lower = || (1..=p).filter(|&p| serves_all(&set, p));
            let utilisation = tasks.iter().map(|t| u128::from(t.wcet * 60 / t.period)).sum();
            let demand = Demand { tasks, cores: set.cores() as u128, unit: 60, utilisation };
            match demand.tried(u128::from(p)) {
                Some(Speed::Holds) => prop_assert!(holds_at(&set, p, 60)),
                Some(Speed::TooSmall) => prop_assert!(lower().all(|p| !holds_at(&set, p, 60))),
                Some(Speed::TooLarge) => prop_assert!((p..=60).all(|p| !holds_at(&set, p, 60))),
                // Nothing is left for what is demanded, or all but nothing.
                None => {
                    let taken = demand.utilisation + (demand.cores - 1) * u128::from(p);
                    prop_assert!(taken >= demand.cores * 60);
                }
            }
        }
    }
}
