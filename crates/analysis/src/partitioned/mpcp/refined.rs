//! MPCP with suspension, counted over a window once response times are known.
//!
//! A bound on every task's response time is a fact, whatever it was found with. With it a window
//! holds fewer jobs of others than the time to a deadline does, and each of their sections delays
//! a job once, however many of its requests could have met it:
//!
//! 1. *remote, higher*: no more sections than are pending within the waits of the own requests,
//!    nor than are pending in the window;
//! 2. *remote, lower*: each own request waits for at most one, the longest ones of those that are
//!    pending in the window;
//! 3. *lower, of the same core*: in all ways together (held, ahead in a queue, preempting) one
//!    section of each task at the release and each time that the job resumes, since a lower task
//!    requests nothing while the job is ready;
//! 4. *higher, of the same core*: their sections are their execution, which interferes anyway.
//!
//! A remote section counts from its grant to its end, with what preempts it on its core. What is
//! found so is a fact again, and smaller, so it is done until nothing changes.

use super::holding::Holding;
use crate::effort;
use crate::partitioned::contention::{longest, longest_pending};
use crate::partitioned::layout::{Access, Layout};
use crate::partitioned::response::Responses;
use crate::windows::{jobs, least, times};

/// Rounds at most; few sets gain anything in a fourth one.
const ROUNDS: usize = 16;

/// A set whose response times are known, and wanted more exactly.
struct Refinement<'a> {
    layout: &'a Layout<'a>,
    holding: &'a Holding,
    /// By task, its global sections, longest first.
    sections: &'a [Vec<Access>],
    /// By task, the local sections of lower tasks that reach it.
    local: Vec<Vec<Access>>,
    /// By task, how long its jobs are pending at most.
    reach: Vec<u64>,
}

/// A job in a window of this length.
#[derive(Clone, Copy)]
struct Window {
    task: usize,
    length: u64,
}

impl Refinement<'_> {
    /// Returns the jobs of a task that are pending some time in a window.
    fn pending(&self, length: u64, task: usize) -> u64 {
        jobs(length, self.reach[task], self.layout.tasks[task].period)
    }

    /// Returns the requests of a user that are pending some time in a window.
    fn requests(&self, length: u64, user: &Access) -> u64 {
        times(self.pending(length, user.task), user.count)
    }

    /// Returns the time for which a job waits for sections of other cores: points 1 and 2.
    fn remote(&self, window: Window) -> u64 {
        let layout = self.layout;
        let mut sum = 0_u64;
        let own = layout.accesses(window.task);
        for (place, access) in own.iter().enumerate() {
            let same = |a: &&Access| a.resource == access.resource;
            if !layout.is_global(access.resource) || own[..place].iter().any(|a| same(&a)) {
                continue;
            }
            let wanted: Vec<&Access> = own.iter().filter(same).collect();
            sum = sum.saturating_add(self.for_resource(window, &wanted));
        }
        sum
    }

    /// The same for all own requests of one resource.
    fn for_resource(&self, window: Window, wanted: &[&Access]) -> u64 {
        let layout = self.layout;
        let level = layout.tasks[window.task].priority;
        let core = layout.tasks[window.task].core;
        let count = wanted.iter().fold(0_u64, |sum, a| sum.saturating_add(a.count));
        let waits: Vec<(u64, Option<u64>)> =
            wanted.iter().map(|a| (a.count, self.holding.wait(layout, a, &self.reach))).collect();
        let remote = layout.users(wanted[0].resource).iter().filter(|a| a.core != core);
        let (mut sum, mut lower) = (0_u64, Vec::new());
        for user in remote {
            let held = self.holding.held(user);
            let supply = self.requests(window.length, user);
            if layout.tasks[user.task].priority < level {
                lower.push((held, supply));
                continue;
            }
            let met = waits.iter().fold(0_u64, |sum, &(count, wait)| {
                let in_wait = wait.map_or(u64::MAX, |wait| self.requests(wait, user));
                sum.saturating_add(times(count, in_wait))
            });
            sum = sum.saturating_add(times(met.min(supply), held));
        }
        lower.sort_unstable_by_key(|&(held, _)| std::cmp::Reverse(held));
        let mut left = count;
        for (held, supply) in lower {
            let met = left.min(supply);
            sum = sum.saturating_add(times(met, held));
            left -= met;
        }
        sum
    }

    /// Returns the time for which lower tasks of the core delay a job: point 3, and local sections.
    fn below(&self, Window { task, length }: Window) -> u64 {
        let layout = self.layout;
        if layout.tasks[task].suspension > 0 {
            let below = layout.sections_below(task, |l| self.pending(length, l));
            return layout.tasks[task].suspension.saturating_add(below);
        }
        let begins = layout.resumptions(task, |j| self.pending(length, j)).saturating_add(1);
        let supply = |a: &Access| self.requests(length, a);
        let local = longest_pending(layout, &self.local[task], begins, (length, &self.reach));
        layout.lower(task).iter().fold(local, |sum, &l| {
            sum.saturating_add(longest(&self.sections[l], begins, supply).total)
        })
    }

    /// Returns the time that a job needs in a window with its delays and interference.
    fn demand(&self, window: Window) -> u64 {
        let layout = self.layout;
        let own = layout.tasks[window.task].wcet;
        let mut sum = own.saturating_add(self.remote(window)).saturating_add(self.below(window));
        for &h in layout.higher(window.task) {
            let task = &layout.tasks[h];
            let late = match layout.may_suspend(h) {
                true => self.reach[h].saturating_sub(task.wcet),
                false => task.jitter,
            };
            sum = sum.saturating_add(times(jobs(window.length, late, task.period), task.wcet));
        }
        sum
    }

    /// Returns a bound that is not above the known one.
    fn response(&self, task: usize, known: u64) -> u64 {
        let of = &self.layout.tasks[task];
        let limit = known.saturating_sub(of.jitter);
        let length = |w: u64| w.saturating_add(of.beyond());
        let found =
            least(of.wcet.min(limit), limit, |w| self.demand(Window { task, length: length(w) }));
        found.map_or(known, |window| window.saturating_add(of.jitter).min(known))
    }
}

/// Returns bounds that hold where `known` holds, and are nowhere above it.
pub(super) fn refined(
    layout: &Layout<'_>,
    holding: &Holding,
    sections: &[Vec<Access>],
    known: Responses,
) -> Responses {
    let reach = known.iter().map(|bound| bound.unwrap_or(u64::MAX)).collect();
    let local = (0..layout.tasks.len()).map(|i| layout.local_sections(i)).collect();
    let mut refinement = Refinement { layout, holding, sections, local, reach };
    for _ in 0..ROUNDS {
        let mut changed = false;
        for &i in layout.order.iter().filter(|&&i| known[i].is_some()) {
            if !effort::step() {
                return known;
            }
            let bound = refinement.response(i, refinement.reach[i]);
            changed |= bound < refinement.reach[i];
            refinement.reach[i] = bound;
        }
        if !changed {
            break;
        }
    }
    let found = refinement.reach.iter().zip(&known);
    found.map(|(&bound, known)| known.is_some().then_some(bound)).collect()
}
