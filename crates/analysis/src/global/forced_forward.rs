//! Forced-forward demand for global EDF, at some speed.
//!
//! At speed s, the demand of a job that is due after the window's end is what must
//! be done before it if no job may have more left than s times its remaining time.
//! The condition is wanted for one s, at least the largest density; larger s demand
//! more and leave less, but not in step. Two rows of speeds are tried: a few evenly
//! spaced ones up to the largest possible, and, where those all fail, the largest
//! density and upwards in small steps. All are fractions of 2^20, so everything is
//! compared in whole numbers.

use super::ASSUMPTIONS;
use crate::partitioned::window::MOST_STEPS;
use crate::{Exactness, Family, Metadata, SchedulabilityTest, Task, TaskSet, Verdict, effort};

/// Some s >= largest density has, for all t: sum of FF-DBF(t, s) <= (m - (m - 1) s) t.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ForcedForward;

/// Speeds are fractions of this.
const ONE: u128 = 1 << 20;
/// How many speeds are spread evenly.
const SPEEDS: u128 = 16;
/// How many speeds that are tried after those fill one.
const DENSE: u128 = 50;

/// FF-DBF in units of 1 / ONE; `None`: it does not fit.
fn forced_forward_demand(task: &Task, window: u64, speed: u128) -> Option<u128> {
    let whole =
        u128::from(window / task.period).checked_mul(u128::from(task.wcet))?.checked_mul(ONE)?;
    let missing = u128::from(task.deadline.saturating_sub(window % task.period)) * speed;
    whole.checked_add((u128::from(task.wcet) * ONE).saturating_sub(missing))
}

fn total(set: &TaskSet, window: u64, speed: u128) -> Option<u128> {
    set.tasks()
        .iter()
        .try_fold(0_u128, |sum, t| sum.checked_add(forced_forward_demand(t, window, speed)?))
}

fn met_at(set: &TaskSet, speed: u128, utilisation: u128) -> bool {
    let cores = set.cores() as u128;
    let Some(rate) = (cores * ONE).checked_sub((cores - 1) * speed) else { return false };
    let Some(gap) = rate.checked_sub(utilisation).filter(|&gap| gap > 0) else { return false };
    // FF-DBF(t) <= u t + C: beyond sum C / (rate - u) the condition holds.
    let work: u128 = set.tasks().iter().map(|t| u128::from(t.wcet)).sum();
    let Some(horizon) = work.checked_mul(ONE).map(|w| w.div_ceil(gap)) else { return false };
    let Ok(mut window) = u64::try_from(horizon) else { return false };
    for _ in 0..MOST_STEPS {
        let Some(needed) = total(set, window, speed) else { return false };
        if !effort::step() || needed > rate * u128::from(window) {
            return false;
        }
        // The largest window whose supply is below what was needed.
        let Some(next) = needed.div_ceil(rate).checked_sub(1) else { return true };
        window = u64::try_from(next).unwrap_or(u64::MAX);
    }
    false
}

fn decide(set: &TaskSet) -> bool {
    let scaled = |c: u64, t: u64| (u128::from(c) * ONE).div_ceil(u128::from(t));
    let densities = set.tasks().iter().map(|t| scaled(t.wcet, t.deadline.min(t.period)));
    let utilisation: u128 = set.tasks().iter().map(|t| scaled(t.wcet, t.period)).sum();
    let cores = set.cores() as u128;
    let lowest = densities.max().unwrap_or(0).max(1);
    let fastest = match cores {
        0 => return set.tasks().is_empty(),
        1 => lowest,
        _ => (cores * ONE).saturating_sub(utilisation) / (cores - 1),
    };
    let speed = |step: u128| lowest + fastest.saturating_sub(lowest) * step / SPEEDS;
    let spread = (0..=SPEEDS).map(speed);
    let dense = (1..).map(|step| lowest + ONE * step / DENSE).take_while(|&speed| speed <= fastest);
    lowest <= ONE && spread.chain(dense).any(|speed| met_at(set, speed, utilisation))
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
