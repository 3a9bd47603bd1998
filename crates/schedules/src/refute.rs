//! Looks for a schedule in which some response is above its limit.

use fusee_analysis::{TaskSet, effort};

use crate::random::Random;
use crate::run::{Load, simulate};
use crate::world::Protocol;

/// The kinds of runs, as dense and together of a [`Load`]: shortest gaps and longest executions
/// from one instant on, and from any; and anything.
pub const LOADS: [(bool, bool); 3] = [(true, true), (true, false), (false, false)];

/// The number of schedules of a set that are looked at.
#[derive(Debug, Clone, Copy)]
pub struct Runs {
    /// The number of runs; of three, one begins with all jobs together and one takes less than it
    /// may.
    pub count: u64,
    /// The same seed draws the same schedules.
    pub seed: u64,
}

/// A job that took longer than its task's limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Miss {
    /// The task in question.
    pub task: usize,
    /// Its response time, from arrival to completion, or to the end of the run.
    pub response: u64,
    /// The number of the run, from 0.
    pub run: u64,
}

/// Returns the length of a run: some jobs of each task.
fn horizon(set: &TaskSet) -> u64 {
    let last = |f: fn(&fusee_analysis::Task) -> u64| set.tasks().iter().map(f).max().unwrap_or(0);
    let until = last(|task| task.offset.saturating_add(task.jitter).saturating_add(task.deadline));
    until.saturating_add(last(|task| task.period).saturating_mul(4))
}

/// Returns the first run in which a response is above its limit, with the task that exceeds most.
///
/// `limits` has one for each task: its bound, or its deadline. `protocol` is made anew for each
/// run. It ends early when the [`effort`] is used up.
pub fn refute(
    set: &TaskSet,
    limits: &[u64],
    runs: Runs,
    mut protocol: impl FnMut() -> Box<dyn Protocol>,
) -> Option<Miss> {
    let ticks = horizon(set);
    (0..runs.count).zip(LOADS.iter().cycle()).find_map(|(run, &(dense, together))| {
        let load = Load { dense, together, ticks };
        let seen = simulate(set, &mut *protocol(), load, &mut Random::new(runs.seed, run));
        let above = |(task, (&response, &limit)): (usize, (&u64, &u64))| {
            (response > limit).then(|| (response - limit, Miss { task, response, run }))
        };
        let worst = seen.iter().zip(limits).enumerate().filter_map(above);
        let miss = worst.max_by_key(|(over, miss)| (*over, std::cmp::Reverse(miss.task)));
        miss.filter(|_| effort::step()).map(|(_, miss)| miss)
    })
}
