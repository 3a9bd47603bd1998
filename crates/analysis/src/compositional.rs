//! Tasks that release each other: response times from arrival curves.
//!
//! Each task is released by a source, whose [`ArrivalCurve`] is given, or by the completions of
//! another task, on any core. On a core preemptive fixed priorities decide. If all curves were
//! known, a task's response time would follow from the busy window: the q-th job of a window is
//! complete by the least w = q C + B + sum of what the others' curves let into w, and was released
//! no earlier than `distance(q)` after the first. A completion comes at least `best` and at most
//! the response time after its release, and at most w after the window's start; so the curve of the
//! completions follows from that of the releases ([`completed`](ArrivalCurve::completed)).
//!
//! A chain's latency counts from the first release. The q-th job of a window of its last task is
//! complete by w after the window's start, at which a job was released whose chain began at least
//! `distance(q)` before, by the curve of the chain's beginning; so what delayed that job on its way
//! counts once, and not as a response and as jitter again.
//!
//! The curves start as if nobody were delayed, and everything is computed again until nothing
//! changes. Response times only grow on the way, and are sound at the fixpoint: at the first
//! instant at which some event were earlier or some response longer than said, all that it rests
//! on would still be as said.
//!
//! Sources: Lehoczky 1990 (busy windows of several jobs); Tindell and Clark 1994 (the fixpoint over
//! tasks that release each other, and latencies from the first release); Richter 2005, Henia et al.
//! 2005 (event models); Schliecker, Rox, Ivers and Ernst 2008 (completions from busy windows).

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
    /// The activation that releases it.
    pub activation: Activation,
}

/// The activation of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Activation {
    /// Events from outside.
    Source(ArrivalCurve),
    /// Each completion of the activity at this position.
    After(usize),
}

/// The facts about each activity at the fixpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bounded {
    /// Longest time from release to completion.
    pub response: u64,
    /// The curve of its releases.
    pub releases: ArrivalCurve,
    /// The curve of its completions.
    pub completions: ArrivalCurve,
    /// By when the first, the first two, ... jobs of a busy window are complete, from its start on;
    /// no window has more jobs.
    pub windows: Vec<u64>,
}

/// The reason for which there is no bound; positions are from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unbounded {
    /// An activity is released by one that does not exist.
    NoSuchActivity {
        /// The activity in question.
        activity: usize,
        /// The activity that it names.
        after: usize,
    },
    /// No source leads to this activity: it releases itself.
    Circle {
        /// One on the circle.
        activity: usize,
    },
    /// The shortest execution time is above the longest.
    BestAboveWorst {
        /// The activity in question.
        activity: usize,
    },
    /// A core has more to do in the long run than time.
    Overload {
        /// The activity in question.
        core: usize,
    },
    /// Windows grew until it was given up, this activity's last.
    Endless {
        /// The activity in question.
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
    let fastest = |a: &Activity| Busy { windows: vec![a.best], response: a.best };
    let mut busy: Vec<Busy> = activities.iter().map(fastest).collect();
    let mut curves = propagate(activities, &order, &busy);
    overload(activities, &curves)?;
    let mut jobs = MOST_JOBS.saturating_mul(activities.len() as u64);
    loop {
        let longer = (0..activities.len()).map(|i| busy_window(activities, &curves, i, &mut jobs));
        let longer: Vec<Busy> = longer.collect::<Result<_, _>>()?;
        if longer == busy {
            let one = |(Busy { windows, response }, (releases, completions))| Bounded {
                response,
                releases,
                completions,
                windows,
            };
            return Ok(busy.into_iter().zip(curves).map(one).collect());
        }
        curves = propagate(activities, &order, &longer);
        busy = longer;
    }
}

/// Bounds on the busy windows of an activity and on its response time.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Busy {
    /// As in [`Bounded`].
    windows: Vec<u64>,
    response: u64,
}

/// Jobs of busy windows that are looked at in all, for each activity. More come about at loads of
/// all but 1, and where activities that release and delay each other do so more and more.
const MOST_JOBS: u64 = 10_000;

/// Returns the longest time from the release of the first of some activities to the completion of
/// the last, if each releases the next. `None`: one is not released by the one before it, or there
/// are no bounds for all of them, or the sum does not fit.
pub fn latency(activities: &[Activity], bounded: &[Bounded], path: &[usize]) -> Option<u64> {
    let follows = |pair: &[usize]| match activities.get(pair[1]).map(|a| &a.activation) {
        Some(Activation::After(before)) => *before == pair[0],
        _ => false,
    };
    if !path.windows(2).all(follows) {
        return None;
    }
    let Some(begin) = path.first().map(|&first| bounded.get(first)) else { return Some(0) };
    let begin = &begin?.releases;
    path.iter().try_fold(0_u64, |before, &activity| {
        let Bounded { releases, windows, .. } = bounded.get(activity)?;
        let apart = |jobs: u64| begin.distance(jobs).max(releases.distance(jobs));
        let late = (1..).zip(windows).map(|(jobs, window)| window.saturating_sub(apart(jobs)));
        before.checked_add(late.max()?)
    })
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

/// Releases and completions of an activity.
type Curves = (ArrivalCurve, ArrivalCurve);

/// The curves of all activities if those are their response times.
fn propagate(activities: &[Activity], order: &[usize], busy: &[Busy]) -> Vec<Curves> {
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
            let Busy { windows, response } = &busy[position];
            let completions = releases.clone().completed(windows, activity.best, *response);
            (releases, completions)
        });
    }
    curves.into_iter().flatten().collect()
}

/// Checks that each core has the time that its activities need in the long run.
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

/// The busy windows of an activity under these curves; takes its jobs off those that are left.
fn busy_window(
    activities: &[Activity],
    curves: &[Curves],
    position: usize,
    left: &mut u64,
) -> Result<Busy, Unbounded> {
    let own = &activities[position];
    // A job of no length completes at an instant, and the releases of that instant come first.
    let beyond = u64::from(own.wcet == 0);
    let interferes = |&(other, a): &(usize, &Activity)| {
        other != position && a.core == own.core && a.priority >= own.priority
    };
    let above: Vec<(u64, &ArrivalCurve)> = (activities.iter().enumerate().filter(interferes))
        .map(|(other, a)| (a.wcet, &curves[other].0))
        .collect();
    let demand = |jobs: u64, window: u64| {
        let own = own.wcet.checked_mul(jobs)?.checked_add(own.blocking)?;
        let seen = window.checked_add(beyond)?;
        above.iter().try_fold(own, |sum, (wcet, curve)| {
            sum.checked_add(wcet.checked_mul(curve.within(seen)?)?)
        })
    };
    let endless = Unbounded::Endless { activity: position };
    let (mut windows, mut response, mut window) = (Vec::new(), 0, 0);
    for jobs in 1.. {
        *left = left.checked_sub(1).ok_or(endless)?;
        // From the first instant on everybody may be released: a window of no length shows nobody.
        let start = window.max(1 - beyond);
        window = least_window(start, u64::MAX, |w| demand(jobs, w)).ok_or(endless)?;
        windows.push(window);
        response = response.max(window.saturating_sub(curves[position].0.distance(jobs)));
        if window <= curves[position].0.distance(jobs + 1) || !effort::step() {
            return Ok(Busy { windows, response });
        }
    }
    Err(endless)
}
