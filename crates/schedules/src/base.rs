//! The two ways to schedule a core, with their local resources.
//!
//! Fixed priorities raise the holder of a local resource to its ceiling at once.
//! EDF lets a job start only above the ceilings of all that is held (SRP).

use std::cmp::Reverse;

use crate::world::{Rank, World};

/// The rule by which jobs of one core compete where no global resource is involved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Base {
    /// The highest priority; local resources raise their holder to their ceiling at once.
    FixedPriority,
    /// The earliest deadline; local resources follow the stack resource policy.
    EarliestDeadline,
}

/// Ranks of global sections stand above all of these.
pub(crate) const BOOSTED: u64 = 1;

impl Base {
    /// Returns the rank of a job that no global resource raises; `None`: it may not start.
    pub fn rank(self, world: &World<'_>, job: usize) -> Option<Rank> {
        let it = &world.jobs[job];
        match self {
            Base::FixedPriority => {
                let core = world.core(job);
                let ceilings = it.held.iter().filter_map(|&q| world.set.ceiling(q, core));
                let raised = ceilings.map(|c| 2 * u64::from(c) + 1).max();
                let level = raised.unwrap_or(0).max(2 * world.priority(job));
                Some((0, level, u64::MAX - it.release))
            }
            Base::EarliestDeadline => {
                let level = world.set.tasks()[it.task].deadline;
                let barred = !it.started && level >= ceiling_of_held(world, job);
                (!barred).then_some((0, u64::MAX - it.deadline, u64::from(it.started)))
            }
        }
    }
}

/// Returns the shortest deadline among the users of any local resource that another job of the core
/// holds.
fn ceiling_of_held(world: &World<'_>, job: usize) -> u64 {
    let core = world.core(job);
    let others = (0..world.jobs.len()).filter(|&j| j != job && world.core(j) == core);
    let held = others.flat_map(|j| world.jobs[j].held.iter()).filter(|&&q| !world.set.is_global(q));
    held.filter_map(|&q| world.set.users(q).map(|(_, t)| t.deadline).min())
        .min()
        .unwrap_or(u64::MAX)
}

/// Returns the oldest request.
pub(crate) fn fifo(world: &World<'_>, resource: usize) -> Option<usize> {
    world
        .waiters(resource)
        .into_iter()
        .min_by_key(|&j| world.jobs[j].waits.map(|(_, number)| number))
}

/// Returns the highest priority, the oldest request among equals.
pub(crate) fn by_priority(world: &World<'_>, resource: usize) -> Option<usize> {
    let key =
        |&j: &usize| (world.priority(j), Reverse(world.jobs[j].waits.map(|(_, number)| number)));
    world.waiters(resource).into_iter().max_by_key(key)
}
