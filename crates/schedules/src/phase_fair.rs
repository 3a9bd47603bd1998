//! Phase-fair locks: phases of readers and of one writer take turns.

use std::collections::BTreeMap;

use crate::base::{BOOSTED, Base, fifo};
use crate::random::Random;
use crate::world::{Protocol, Rank, World};

/// The newest phase of a resource.
#[derive(Debug, Clone, Copy)]
struct Phase {
    reads: bool,
    /// All requests that had been issued when it began.
    issued: u64,
}

/// Spin in phases; local resources as under MSRP.
#[derive(Debug, Default)]
pub struct PhaseFair {
    phases: BTreeMap<usize, Phase>,
}

/// Returns the oldest request of one kind that waits.
fn first(world: &World<'_>, resource: usize, reads: bool) -> Option<usize> {
    let waiting = world.waiters(resource).into_iter().filter(|&j| world.jobs[j].reads == reads);
    waiting.min_by_key(|&j| world.jobs[j].request)
}

fn holders(world: &World<'_>, resource: usize) -> usize {
    world.jobs.iter().filter(|j| j.held.contains(&resource)).count()
}

impl Protocol for PhaseFair {
    fn rank(&self, world: &World<'_>, job: usize) -> Option<Rank> {
        match world.global_involved(job) {
            Some(_) => Some((BOOSTED, 0, 0)),
            None => Base::FixedPriority.rank(world, job),
        }
    }

    fn next(&self, world: &World<'_>, resource: usize, _: &mut Random) -> Option<usize> {
        if !world.set.is_global(resource) {
            return fifo(world, resource);
        }
        let (reader, writer) = (first(world, resource, true), first(world, resource, false));
        if holders(world, resource) == 0 {
            // The other kind's turn, if anybody of it is there.
            let read_last = self.phases.get(&resource).is_some_and(|phase| phase.reads);
            return if read_last { writer.or(reader) } else { reader.or(writer) };
        }
        let phase = self.phases[&resource];
        let in_time = |&j: &usize| world.jobs[j].request <= phase.issued || writer.is_none();
        reader.filter(in_time)
    }

    fn shares(&self, world: &World<'_>, resource: usize) -> bool {
        let mut holders = world.jobs.iter().filter(|j| j.held.contains(&resource));
        world.set.is_global(resource) && holders.all(|j| j.reads)
    }

    fn observe(&mut self, world: &World<'_>, job: usize) {
        let Some(&resource) = world.jobs[job].held.last() else { return };
        // Nothing is nested, so it was granted just now.
        if holders(world, resource) == 1 {
            let reads = world.jobs[job].reads;
            self.phases.insert(resource, Phase { reads, issued: world.requests });
        }
    }
}
