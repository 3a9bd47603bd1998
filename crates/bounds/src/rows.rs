//! Tasks in a row on one core, from the first arrival to the end of the last.
//!
//! Each is released by the one before it, the first one by its own clock.
//!
//! Adding response times counts much twice: the task before has just ended, and its next job comes
//! a period later, but each response has a job of it. So a row is one piece of work at the level of
//! its lowest task (as chains of Schlatow and Ernst 2016). Let job n of a row arrive at a(n), with
//! arrivals T apart at least, let r(j, n) be the release of task j, and let L(j) bound what takes
//! from a(n) to the end of task j, less than T for each j. Then at a(n) all earlier jobs of the row
//! are over, and until the end of job n the next one has not come.
//!
//! Go back from the end of job n at task k. Let s be the start of the busy window, at the level of
//! the lowest of the tasks j to k, that holds r(j, n), beginning with j = k. If task j - 1 signals
//! in it, or at its start, that task is pending there, too: so go on with j - 1, whose window, at
//! the level of j - 1 to k, is no shorter and holds r(j - 1, n). Otherwise its signal came before,
//! and the kernel deferred it, since releases are p apart. Then
//!
//! - nothing of the row is pending at s, and s <= r(j, n) <= a(n) + L(j - 1), for what is deferred
//!   is no later than that as long as p <= T (module `chains`);
//! - from s on it takes w(j, k) at most: one job of each of the tasks j to k, no other of the row,
//!   and all else of that level.
//!
//! Where signals are p apart in any case (p + L(j - 1) <= T) nothing is deferred. If no such j
//! comes up, the window holds a(n), and is one of the whole row, with as many jobs as have come in
//! it. It holds nothing else of the row: a job that is deferred when it starts would be over, with
//! all of its level, before the next one comes, if L(j - 1) + w is less than T for the window of
//! the level of all, too. So L(k) is the largest of all these.
//!
//! Rows of tasks that can be suspended, cut off, or kept waiting by schedulers have no bound here:
//! their responses add up.

use fusee_analysis::fixed_priority::window::{Horizon, least_window, response_time};
use fusee_model::{Policy, TaskId};

use crate::context::Context;
use crate::inversion::level_of;
use crate::level::{Level, MOST_JOBS};
use crate::supposed::Supposed;

/// A task of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) task: TaskId,
    /// The least distance of its releases.
    pub(crate) separation: u64,
    /// From the arrival of the row's first task to the end of this one.
    pub(crate) response: u64,
}

/// The rows of a system whose responses are known.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub(crate) contexts: &'a [Context<'a>],
    pub(crate) supposed: Supposed<'a>,
}

impl Rows<'_> {
    /// The time from the arrival of the first task to the end of the last, whose own response does
    /// not matter; `None`: there is none but the sum.
    pub(crate) fn response(&self, row: &[Place]) -> Option<u64> {
        let first = row.first()?.task;
        let system = self.contexts[0].system;
        let core = system.task(first).core;
        let is_here = |place: &Place| system.task(place.task).core == core;
        let by_priority = system.policy_on(core) == Policy::FixedPriority;
        // The proof goes back over windows of one core in which priorities decide. Elsewhere
        // responses add up.
        if !by_priority || !system.schedulers.is_empty() || !row.iter().all(is_here) {
            return None;
        }
        let context = &self.contexts[core as usize];
        let period = context.arrivals(first).period;
        let levels = row.iter().map(|place| level_of(context, place.task));
        let levels: Vec<i16> = levels.collect::<Result<_, _>>().ok()?;
        let lowest = |from: usize| levels[from..].iter().copied().min();
        let whole = self.level(context, lowest(0)?, row)?;
        let mut longest = whole_row(context, &whole, row)?;
        for from in 1..row.len() {
            let before = row[from - 1].response;
            // Signals that are far enough apart in any case are never deferred, so no window begins
            // here.
            if row[from].separation.checked_add(before)? <= period {
                continue;
            }
            // The next job of the row could come before a deferred one is over, and then windows
            // would hold two.
            if before.checked_add(rest(&whole, row, from)?)? >= period {
                return None;
            }
            let level = self.level(context, lowest(from)?, row)?;
            longest = before.checked_add(rest(&level, row, from)?)?.max(longest);
        }
        // All of this supposes that a job of the row is over before the next one arrives.
        (longest < period).then_some(longest)
    }

    /// A level in whose windows all jobs of the row are released.
    fn level(&self, context: &Context<'_>, level: i16, row: &[Place]) -> Option<Level> {
        let core = context.system.task(row[0].task).core;
        let found = Level::of(context, core, level, self.supposed).ok()?;
        let is_plain = |place: &Place| {
            found.position(place.task).is_none_or(|at| found.members[at].is_plain)
                && self.supposed.ending[place.task.index()].is_none()
        };
        // Only where each job of a window is released in it does an early window hold nothing of
        // the row.
        let is_plain = row.iter().all(is_plain) && !found.sees_suspension;
        (is_plain && !found.is_overloaded(None)).then_some(found)
    }
}

/// The jobs of a level in an open window with so many of each task of the row, from a place on, and
/// none of those before.
fn jobs(
    level: &Level,
    row: &[Place],
    (from, count): (usize, u64),
    window: u64,
) -> Option<Vec<u64>> {
    // Tasks of the row before this place are over when the window begins, and their next jobs come
    // later.
    let of = |member: &crate::member::Member| match row
        .iter()
        .position(|place| place.task == member.task)
    {
        Some(at) => Some(if at < from { 0 } else { count }),
        None => member.within(window),
    };
    level.members.iter().map(of).collect()
}

/// The longest window that serves so many jobs, with the tick that closes it.
fn served(level: &Level, jobs: &[u64], window: u64) -> Option<u64> {
    level.supplied(level.load(None, jobs, window)?.max(1))
}

/// From the arrival of the first task to the end of the last, in windows of all of them.
fn whole_row(context: &Context<'_>, level: &Level, row: &[Place]) -> Option<u64> {
    let arrivals = context.arrivals(row[0].task);
    let horizon = Horizon { window: u64::MAX, jobs: MOST_JOBS };
    let demand = |count, window: u64| {
        let window = window.max(1);
        served(level, &jobs(level, row, (0, count), window)?, window)
    };
    let found = response_time(arrivals, horizon, demand)?;
    Some(found.time - u64::from(level.closed))
}

/// The longest window with one job of each task from a place on.
fn rest(level: &Level, row: &[Place], from: usize) -> Option<u64> {
    // The row's next job comes behind the end of this window, so each of its tasks has one job in
    // it.
    let demand = |window: u64| served(level, &jobs(level, row, (from, 1), window)?, window);
    let window = least_window(1, u64::MAX, demand)?;
    Some(window - u64::from(level.closed))
}
