//! The change of a set's times at which a test refuses it.
//!
//! Execution times are scaled with the sections and blocking terms that are part of
//! them, rounded up; periods with deadlines, rounded down. So a factor that is found
//! holds for the times as they are, not only for rounded ones. Factors are whole
//! thousandths, and found by halving: a test that refuses longer times and accepts
//! still longer ones, as some sufficient tests do, has several such limits, one of
//! which is found.

use crate::{Request, Task, TaskSet};

/// The times that are scaled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scaled {
    /// Execution times, sections, blocking terms.
    Execution,
    /// Periods and deadlines.
    Periods,
}

/// One, in the unit of factors.
pub const ONE: u64 = 1000;

/// The largest factor that is looked at.
pub const MOST: u64 = 1000 * ONE;

fn up(ticks: u64, factor: u64) -> Option<u64> {
    u64::try_from((u128::from(ticks) * u128::from(factor)).div_ceil(u128::from(ONE))).ok()
}

fn down(ticks: u64, factor: u64) -> Option<u64> {
    let scaled = u128::from(ticks) * u128::from(factor) / u128::from(ONE);
    u64::try_from(scaled).ok().map(|ticks| ticks.max(1))
}

/// Returns the sum of the lengths of a list's sections.
fn inside(requests: &[Request]) -> Option<u64> {
    requests.iter().try_fold(0_u64, |sum, r| sum.checked_add(r.count.checked_mul(r.length)?))
}

fn longer(requests: &[Request], factor: u64) -> Option<Vec<Request>> {
    let one = |request: &Request| {
        let nested = longer(&request.nested, factor)?;
        let length = up(request.length, factor)?.max(inside(&nested)?);
        Some(Request { length, nested, ..*request })
    };
    requests.iter().map(one).collect()
}

/// The set with times scaled by so many thousandths; `None`: they do not fit.
///
/// Sections that are rounded up alone are made room for.
pub fn scaled(set: &TaskSet, what: Scaled, factor: u64) -> Option<TaskSet> {
    let requests: Vec<Vec<Request>> = (0..set.tasks().len())
        .map(|i| match what {
            Scaled::Execution => longer(set.requests(i), factor),
            Scaled::Periods => Some(set.requests(i).to_vec()),
        })
        .collect::<Option<_>>()?;
    let task = |(task, requests): (&Task, &Vec<Request>)| {
        Some(match what {
            Scaled::Execution => {
                let wcet = up(task.wcet, factor)?.max(inside(requests)?);
                Task { wcet, blocking: up(task.blocking, factor)?, ..*task }
            }
            Scaled::Periods => {
                let (period, deadline) = (down(task.period, factor)?, down(task.deadline, factor)?);
                Task { period, deadline, ..*task }
            }
        })
    };
    let tasks: Vec<Task> = set.tasks().iter().zip(&requests).map(task).collect::<Option<_>>()?;
    let built = TaskSet::new(tasks).ok()?.with_cores(set.cores()).ok()?;
    let built = if set.is_placed() { built } else { built.unplaced() };
    built.with_requests(requests).ok()
}

/// The largest factor for execution times, or the smallest for periods, with which a set is
/// accepted; `None`: there is none from a thousandth up to [`MOST`].
pub fn limit(set: &TaskSet, what: Scaled, accepts: impl Fn(&TaskSet) -> bool) -> Option<u64> {
    let holds = |factor: u64| scaled(set, what, factor).is_some_and(|set| accepts(&set));
    // Between a factor that holds and one that does not.
    let (mut good, mut bad) = match (what, holds(ONE)) {
        (Scaled::Execution, true) => (ONE, MOST + 1),
        (Scaled::Execution, false) => (0, ONE),
        (Scaled::Periods, true) => (ONE, 0),
        (Scaled::Periods, false) => (MOST, ONE),
    };
    if good != ONE && !holds(good) {
        return None;
    }
    while good.abs_diff(bad) > 1 {
        // What is far from 1 is looked for in larger steps.
        let middle = match what {
            Scaled::Execution if bad > 2 * good.max(1) => 2 * good.max(1),
            Scaled::Periods if good > 2 * bad.max(1) && good > 2 * ONE => good / 2,
            _ => good.midpoint(bad),
        };
        if holds(middle) { good = middle } else { bad = middle }
    }
    // That nothing at all could be executed is not an answer.
    (good > 0).then_some(good)
}

/// The utilization of a set with the longest execution times with which it is accepted, for plots
/// and not for verdicts; `None`: there are none.
pub fn breakdown_utilization(set: &TaskSet, accepts: impl Fn(&TaskSet) -> bool) -> Option<f64> {
    utilization_at(set, limit(set, Scaled::Execution, accepts)?)
}

/// The utilization of a set with execution times scaled by so many thousandths; `None`: they do not
/// fit.
pub fn utilization_at(set: &TaskSet, factor: u64) -> Option<f64> {
    let scaled = scaled(set, Scaled::Execution, factor)?;
    Some(scaled.tasks().iter().map(|t| t.wcet as f64 / t.period as f64).sum())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::partitioned::tests::arbitrary::any_set;
    use crate::registry::by_name;

    fn accepts(name: &'static str) -> impl Fn(&TaskSet) -> bool {
        move |set| by_name(name).unwrap().check(set).is_ok_and(|v| v.is_schedulable())
    }

    #[test]
    fn a_core_is_filled_up_to_its_breakdown_utilisation() {
        let tasks = vec![Task::implicit(100, 400, 2), Task::implicit(100, 800, 1)];
        let set = TaskSet::new(tasks).unwrap();
        // Harmonic: 3/8 up to 1 is a factor of 8/3, with times rounded up 266 / 100.
        assert_eq!(limit(&set, Scaled::Execution, accepts("fp-rta")), Some(2660));
        assert_eq!(limit(&set, Scaled::Periods, accepts("fp-rta")), Some(375));
        assert_eq!(
            breakdown_utilization(&set, accepts("fp-rta")),
            Some(266.0 / 400.0 + 266.0 / 800.0)
        );
        assert_eq!(breakdown_utilization(&set, |_| false), None);
        let full = TaskSet::new(vec![Task::implicit(5, 4, 1)]).unwrap();
        assert_eq!(limit(&full, Scaled::Execution, accepts("fp-rta")), Some(800));
        assert_eq!(limit(&full, Scaled::Periods, accepts("fp-rta")), Some(1250));
        assert_eq!(limit(&full, Scaled::Execution, |_| false), None);
        assert_eq!(limit(&full, Scaled::Execution, |_| true), Some(MOST));
        let idles = |set: &TaskSet| set.tasks().iter().all(|task| task.wcet == 0);
        assert_eq!(limit(&full, Scaled::Execution, idles), None);
    }

    #[test]
    fn sections_stay_within_what_encloses_them() {
        let nested = Request::new(0, 3, 5).with_nested(vec![Request::new(1, 5, 1)]);
        let set = TaskSet::new(vec![Task::implicit(15, 100, 1)]).unwrap();
        let set = set.with_requests(vec![vec![nested]]).unwrap();
        let longer = scaled(&set, Scaled::Execution, 1001).unwrap();
        // Each inner section is 2 ticks, so each outer one 10.
        assert_eq!((longer.tasks()[0].wcet, longer.requests(0)[0].length), (30, 10));
    }

    proptest! {
        #[test]
        fn a_thousandth_more_is_refused(set in any_set()) {
            for name in ["msrp-holistic", "mpcp", "fmlp-plus", "dpcp"] {
                let test = accepts(name);
                let Some(found) = limit(&set, Scaled::Execution, &test) else { continue };
                prop_assert!(scaled(&set, Scaled::Execution, found).is_some_and(|s| test(&s)));
                prop_assert!(!scaled(&set, Scaled::Execution, found + 1).is_some_and(|s| test(&s)));
            }
        }
    }
}
