//! MrsP: spin at the ceiling; the time of who waits goes to who holds.

use crate::base::fifo;
use crate::frame::{Protocol, Rank, World};
use crate::random::Random;

/// Ceilings are those of groups of resources that are nested in each other; without nesting, of each alone.
#[derive(Debug)]
pub(crate) struct Mrsp {
    group: Vec<usize>,
}

impl Mrsp {
    pub(crate) fn new(set: &fusee_analysis::TaskSet) -> Self {
        let mut group: Vec<usize> = (0..set.resources()).collect();
        for section in (0..set.tasks().len()).flat_map(|i| set.sections(i)) {
            for nested in &section.request.nested {
                let (from, to) = (group[nested.resource], group[section.request.resource]);
                group.iter_mut().filter(|g| **g == from).for_each(|g| *g = to);
            }
        }
        Self { group }
    }

    fn ceiling(&self, world: &World<'_>, job: usize, resource: usize) -> u64 {
        let group = (0..self.group.len()).filter(|&q| self.group[q] == self.group[resource]);
        let ceilings = group.filter_map(|q| world.set.ceiling(q, world.core(job)));
        ceilings.map(u64::from).max().unwrap_or(0)
    }
}

impl Protocol for Mrsp {
    fn rank(&self, world: &World<'_>, job: usize) -> Option<Rank> {
        let it = &world.jobs[job];
        let involved = it.held.iter().copied().chain(it.waits.map(|(q, _)| q));
        let raised = involved.map(|q| 2 * self.ceiling(world, job, q) + 1).max().unwrap_or(0);
        Some((0, raised.max(2 * world.priority(job)), u64::MAX - it.release))
    }

    fn next(&self, world: &World<'_>, resource: usize, _: &mut Random) -> Option<usize> {
        fifo(world, resource)
    }

    /// Down the chain from who waits to who holds, until somebody who does not wait.
    fn gains(&self, world: &World<'_>, job: usize) -> Option<usize> {
        let mut job = job;
        while let Some((resource, _)) = world.jobs[job].waits {
            job = world.holder(resource)?;
        }
        Some(job)
    }
}
