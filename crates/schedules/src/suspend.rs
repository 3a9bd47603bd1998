//! Locks that suspend waiting jobs.

use std::cmp::Reverse;

use crate::base::{BOOSTED, Base, by_priority, fifo};
use crate::random::Random;
use crate::world::{Protocol, Rank, World};

/// MPCP: priority queues; holders are ranked by the users on other cores.
#[derive(Debug)]
pub struct Mpcp;

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
            Some(q) => {
                Some((BOOSTED, remote_ceiling(world, job, q), u64::MAX - world.jobs[job].request))
            }
            None => Base::FixedPriority.rank(world, job),
        }
    }

    fn next(&self, world: &World<'_>, resource: usize, _: &mut Random) -> Option<usize> {
        by_priority(world, resource)
    }
}

/// MPCP with virtual spinning: a request of a core counts only while it has the core's turn.
#[derive(Debug, Default)]
pub struct VirtualSpinning {
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
            let keeps = self.turns[core]
                .is_some_and(|task| wanting.iter().any(|&j| world.jobs[j].task == task));
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
        let has_turn = |&j: &usize| {
            !world.set.is_global(resource) || self.turns[world.core(j)] == Some(world.jobs[j].task)
        };
        waiters
            .filter(has_turn)
            .max_by_key(|&j| (world.priority(j), Reverse(world.jobs[j].request)))
    }

    fn observe(&mut self, world: &World<'_>, _: usize) {
        self.pass_turns(world);
    }
}

/// DPCP: global sections are executed by agents on the core of the resource's number modulo the
/// cores.
#[derive(Debug)]
pub struct Dpcp;

impl Protocol for Dpcp {
    fn core(&self, world: &World<'_>, job: usize) -> usize {
        world.global_involved(job).map_or(world.core(job), |q| q % world.set.cores())
    }

    fn rank(&self, world: &World<'_>, job: usize) -> Option<Rank> {
        let it = &world.jobs[job];
        if it.waits.is_some() {
            return None;
        }
        match holds_global(world, job) {
            Some(q) => {
                let ceiling =
                    world.set.users(q).map(|(_, t)| u64::from(t.priority)).max().unwrap_or(0);
                Some((BOOSTED, ceiling, 0))
            }
            None => Base::FixedPriority.rank(world, job),
        }
    }

    /// Agents start in priority order, once no active agent of the core has a ceiling that reaches.
    fn next(&self, world: &World<'_>, resource: usize, _: &mut Random) -> Option<usize> {
        if !world.set.is_global(resource) {
            return by_priority(world, resource);
        }
        let home = |q: usize| q % world.set.cores();
        let here = |q: usize| world.set.is_global(q) && home(q) == home(resource);
        let active = world.jobs.iter().flat_map(|j| j.held.iter().copied()).filter(|&q| here(q));
        let ceiling =
            active.flat_map(|q| world.set.users(q)).map(|(_, t)| u64::from(t.priority)).max();
        let waiting =
            (0..world.jobs.len()).filter(|&j| world.jobs[j].waits.is_some_and(|(q, _)| here(q)));
        let first = waiting.max_by_key(|&j| (world.priority(j), Reverse(world.jobs[j].request)))?;
        let starts = ceiling.is_none_or(|c| world.priority(first) > c);
        (starts && world.jobs[first].waits.is_some_and(|(q, _)| q == resource)).then_some(first)
    }
}

/// FMLP+: FIFO queues; holders run in the order of their requests.
#[derive(Debug)]
pub struct Fmlp(pub Base);

impl Fmlp {
    /// Under EDF local resources are locked the same way.
    fn boosts(&self, world: &World<'_>, resource: usize) -> bool {
        self.0 == Base::EarliestDeadline || world.set.is_global(resource)
    }
}

impl Protocol for Fmlp {
    fn rank(&self, world: &World<'_>, job: usize) -> Option<Rank> {
        let it = &world.jobs[job];
        if it.waits.is_some() {
            return None;
        }
        if it.held.iter().any(|&q| self.boosts(world, q)) {
            return Some((BOOSTED, u64::MAX - it.request, 0));
        }
        match self.0 {
            Base::FixedPriority => Base::FixedPriority.rank(world, job),
            Base::EarliestDeadline => Some((0, u64::MAX - it.deadline, u64::from(it.started))),
        }
    }

    fn next(&self, world: &World<'_>, resource: usize, _: &mut Random) -> Option<usize> {
        fifo(world, resource)
    }
}
