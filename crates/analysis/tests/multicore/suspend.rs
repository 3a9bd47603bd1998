//! Locks that suspend who waits.

use std::cmp::Reverse;

use crate::base::{BOOSTED, Base, by_priority};
use crate::frame::{Protocol, Rank, World};
use crate::random::Random;

/// MPCP: priority queues; holders are ranked by the users on other cores.
#[derive(Debug)]
pub(crate) struct Mpcp;

fn remote_ceiling(world: &World<'_>, job: usize, resource: usize) -> u64 {
    let core = world.core(job);
    let others = world.set.users(resource).filter(|(_, t)| t.core != core);
    others.map(|(_, t)| u64::from(t.priority)).max().unwrap_or(0)
}

fn holds_global(world: &World<'_>, job: usize) -> Option<usize> {
    world.jobs[job].held.iter().copied().find(|&q| world.set.is_global(q))
}

impl Protocol for Mpcp {
    fn rank(&self, world: &World<'_>, job: usize) -> Option<Rank> {
        if world.jobs[job].waits.is_some() {
            return None;
        }
        match holds_global(world, job) {
            Some(q) => Some((BOOSTED, remote_ceiling(world, job, q), u64::MAX - world.jobs[job].request)),
            None => Base::FixedPriority.rank(world, job),
        }
    }

    fn next(&self, world: &World<'_>, resource: usize, _: &mut Random) -> Option<usize> {
        by_priority(world, resource)
    }
}

/// MPCP with virtual spinning: a request of a core counts only while it has the core's turn.
#[derive(Debug, Default)]
pub(crate) struct VirtualSpinning {
    /// The task that has the turn of each core.
    turns: Vec<Option<usize>>,
}

impl VirtualSpinning {
    /// Gives free turns to the waiting jobs of highest priority.
    fn pass_turns(&mut self, world: &World<'_>) {
        self.turns.resize(world.set.cores(), None);
        for core in 0..world.set.cores() {
            let wants = |&j: &usize| {
                let waits = world.jobs[j].waits.is_some_and(|(q, _)| world.set.is_global(q));
                world.core(j) == core && (waits || holds_global(world, j).is_some())
            };
            let wanting: Vec<usize> = (0..world.jobs.len()).filter(wants).collect();
            let keeps = self.turns[core].is_some_and(|task| wanting.iter().any(|&j| world.jobs[j].task == task));
            if !keeps {
                let key = |&j: &usize| (world.priority(j), Reverse(world.jobs[j].request));
                self.turns[core] = wanting.into_iter().max_by_key(key).map(|j| world.jobs[j].task);
            }
        }
    }
}

impl Protocol for VirtualSpinning {
    fn rank(&self, world: &World<'_>, job: usize) -> Option<Rank> {
        Mpcp.rank(world, job)
    }

    fn next(&self, world: &World<'_>, resource: usize, _: &mut Random) -> Option<usize> {
        let waiters = world.waiters(resource).into_iter();
        let has_turn =
            |&j: &usize| !world.set.is_global(resource) || self.turns[world.core(j)] == Some(world.jobs[j].task);
        waiters.filter(has_turn).max_by_key(|&j| (world.priority(j), Reverse(world.jobs[j].request)))
    }

    fn observe(&mut self, world: &World<'_>, _: usize) {
        self.pass_turns(world);
    }
}
