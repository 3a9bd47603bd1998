//! Tasks that release each other: response times from arrival curves.
//!
//! Each task is released by a source, whose [`ArrivalCurve`] is given, or by the completions of
//! another task, on any core. On a core preemptive fixed priorities decide. If all curves were
//! known, a task's response time would follow from the busy window: the q-th job of a window is
//! complete by the least w = q C + B + sum of what the others' curves let into w, and was released
//! no earlier than `distance(q)` after the first. A completion comes at least `best` and at most
//! the response time after its release; so the curve of the completions is that of the releases,
//! [`delayed`](ArrivalCurve::delayed) by what lies between the two, and completions of one task are
//! at least `best` apart.
//!
//! The curves start as if nobody were delayed, and everything is computed again until nothing
//! changes. Response times only grow on the way, and are sound at the fixpoint: at the first
//! instant at which some event were earlier or some response longer than said, all that it rests
//! on would still be as said.
//!
//! Sources: Lehoczky 1990 (busy windows of several jobs); Tindell and Clark 1994 (the fixpoint over
//! tasks that release each other); Richter 2005, Henia et al. 2005 (event models).

#[cfg(test)]
pub(crate) mod tests;

use std::cmp::Ordering;
use std::fmt;

use crate::arrivals::ArrivalCurve;
use crate::fixed_priority::window::least_window;
use crate::{Priority, effort, exact};

/// A task of a system whose tasks release each other; times in ticks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Activity {
    /// The core that it runs on.
    pub core: usize,
    /// A higher number is a higher priority; equal ones interfere with each other.
    pub priority: Priority,
    /// Shortest execution time.
    pub best: u64,
    /// Longest execution time.
    pub wcet: u64,
    /// The longest that lower-priority tasks can hold up a busy window.
    pub blocking: u64,
    /// What releases it.
    pub activation: Activation,
}

/// What releases a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Activation {
    /// Events from outside.
    Source(ArrivalCurve),
    /// Each completion of the activity at this position.
    After(usize),
}

/// What is known of each activity at the fixpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bounded {
    /// Longest time from release to completion.
    pub response: u64,
    /// How its jobs are released.
    pub releases: ArrivalCurve,
    /// How they complete.
    pub completions: ArrivalCurve,
}

/// Why there is no bound; positions are from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unbounded {
    /// An activity is released by one that does not exist.
    NoSuchActivity {
        /// Which one.
        activity: usize,
        /// What it names.
        after: usize,
    },
    /// No source leads to this activity: it releases itself.
    Circle {
        /// One on the circle.
        activity: usize,
    },
    /// The shortest execution time is above the longest.
    BestAboveWorst {
        /// Which one.
        activity: usize,
    },
    /// A core has more to do in the long run than time.
    Overload {
        /// Which one.
        core: usize,
    },
    /// Windows grew until it was given up, this activity's last.
    Endless {
        /// Which one.
        activity: usize,
    },
}

impl fmt::Display for Unbounded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NoSuchActivity { activity, after } => {
                write!(
                    f,
                    "activity {activity} is released by activity {after}, which does not exist"
                )
            }
            Self::Circle { activity } => {
                write!(
                    f,
                    "activity {activity} is released by itself in the end; a source is needed"
                )
            }
            Self::BestAboveWorst { activity } => {
                write!(f, "the shortest execution time of activity {activity} is above its longest")
            }
            Self::Overload { core } => {
                write!(f, "core {core} has more to do in the long run than there is time")
            }
            Self::Endless { activity } => {
                write!(f, "response times grew without end, that of activity {activity} last")
            }
        }
    }
}

impl std::error::Error for Unbounded {}

/// Response times and curves of all activities.
///
/// # Errors
/// The activities contradict themselves, a core is overloaded, or a window has no end.
pub fn analyse(activities: &[Activity]) -> Result<Vec<Bounded>, Unbounded> {
    let order = from_sources(activities)?;
    if let Some(activity) = activities.iter().position(|a| a.best > a.wcet) {
        return Err(Unbounded::BestAboveWorst { activity });
    }
    let mut responses: Vec<u64> = activities.iter().map(|a| a.best).collect();
    let mut curves = propagate(activities, &order, &responses);
    overload(activities, &curves)?;
    let mut jobs = MOST_JOBS.saturating_mul(activities.len() as u64);
    loop {
        let longer = (0..activities.len()).map(|i| response(activities, &curves, i, &mut jobs));
        let longer: Vec<u64> = longer.collect::<Result<_, _>>()?;
        if longer == responses {
            let bounded = responses.into_iter().zip(curves);
            let one =
                |(response, (releases, completions))| Bounded { response, releases, completions };
            return Ok(bounded.map(one).collect());
        }
        curves = propagate(activities, &order, &longer);
        responses = longer;
    }
}

/// Jobs of busy windows that are looked at in all, for each activity. More come about at loads of
/// all but 1, and where activities that release and delay each other do so more and more.
const MOST_JOBS: u64 = 10_000;

/// The longest time from the release of the first to the completion of the last of activities of
/// which each releases the next; `None`: one is not released by the one before it, or the sum does
/// not fit.
pub fn latency(activities: &[Activity], bounded: &[Bounded], path: &[usize]) -> Option<u64> {
    let follows = |pair: &[usize]| match activities.get(pair[1]).map(|a| &a.activation) {
        Some(Activation::After(before)) => *before == pair[0],
        _ => false,
    };
    if !path.windows(2).all(follows) {
        return None;
    }
    path.iter().try_fold(0_u64, |sum, &activity| sum.checked_add(bounded.get(activity)?.response))
}

/// The positions of all activities, each behind the one that releases it.
fn from_sources(activities: &[Activity]) -> Result<Vec<usize>, Unbounded> {
    let mut order: Vec<usize> = Vec::with_capacity(activities.len());
    let mut placed = vec![false; activities.len()];
    for start in 0..activities.len() {
        let mut way = Vec::new();
        let mut at = start;
        while !placed[at] {
            if way.contains(&at) {
                return Err(Unbounded::Circle { activity: at });
            }
            way.push(at);
            match activities[at].activation {
                Activation::Source(_) => break,
                Activation::After(after) if after >= activities.len() => {
                    return Err(Unbounded::NoSuchActivity { activity: at, after });
                }
                Activation::After(after) => at = after,
            }
        }
        for &activity in way.iter().rev() {
            placed[activity] = true;
            order.push(activity);
        }
    }
    Ok(order)
}

/// Releases and completions of each activity.
type Curves = (ArrivalCurve, ArrivalCurve);

/// The curves of all activities if those are their response times.
fn propagate(activities: &[Activity], order: &[usize], responses: &[u64]) -> Vec<Curves> {
    let mut curves: Vec<Option<Curves>> = vec![None; activities.len()];
    for &position in order {
        let activity = &activities[position];
        let releases = match &activity.activation {
            Activation::Source(curve) => Some(curve.clone()),
            // What releases it stands before it in the order.
            Activation::After(after) => {
                curves[*after].as_ref().map(|(_, completions)| completions.clone())
            }
        };
        curves[position] = releases.map(|releases| {
            let variation = responses[position].saturating_sub(activity.best);
            let completions = releases.clone().delayed(variation).at_least_apart(activity.best);
            (releases, completions)
        });
    }
    curves.into_iter().flatten().collect()
}

/// Whether each core has the time that its activities need in the long run.
fn overload(activities: &[Activity], curves: &[Curves]) -> Result<(), Unbounded> {
    for core in activities.iter().map(|a| a.core) {
        let here = activities.iter().zip(curves).filter(|(a, _)| a.core == core);
        let mut needed = Vec::new();
        for (activity, (releases, _)) in here {
            let (events, time) = releases.rate();
            let work = activity.wcet.checked_mul(events).ok_or(Unbounded::Overload { core })?;
            needed.push((work, time));
        }
        if exact::compare_sum(needed.into_iter(), 1) == Ordering::Greater {
            return Err(Unbounded::Overload { core });
        }
    }
    Ok(())
}

/// The longest response time of an activity under these curves; takes its jobs off those that are
/// left.
fn response(
    activities: &[Activity],
    curves: &[Curves],
    position: usize,
    left: &mut u64,
) -> Result<u64, Unbounded> {
    let own = &activities[position];
    let interferes = |&(other, a): &(usize, &Activity)| {
        other != position && a.core == own.core && a.priority >= own.priority
    };
    let above: Vec<(u64, &ArrivalCurve)> = (activities.iter().enumerate().filter(interferes))
        .map(|(other, a)| (a.wcet, &curves[other].0))
        .collect();
    let demand = |jobs: u64, window: u64| {
        let own = own.wcet.checked_mul(jobs)?.checked_add(own.blocking)?;
        above.iter().try_fold(own, |sum, (wcet, curve)| {
            sum.checked_add(wcet.checked_mul(curve.within(window)?)?)
        })
    };
    let endless = Unbounded::Endless { activity: position };
    let (mut worst, mut window) = (0, 0);
    for jobs in 1.. {
        *left = left.checked_sub(1).ok_or(endless)?;
        // From the first instant on everybody may be released: a window of no length shows nobody.
        let start = window.max(1);
        window = least_window(start, u64::MAX, |w| demand(jobs, w)).ok_or(endless)?;
        worst = worst.max(window - curves[position].0.distance(jobs).min(window));
        if window <= curves[position].0.distance(jobs + 1) || !effort::step() {
            return Ok(worst);
        }
    }
    Err(endless)
}
