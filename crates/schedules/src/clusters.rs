//! OMLP on clusters: the highest jobs of a cluster run on any of its cores.
//!
//! In each cluster, H is the set of the c highest pending jobs. Jobs with open
//! requests run or wait whatever arrives; for each one outside of H a job of H, the
//! one that pushed it out, is suspended.

use std::cell::RefCell;
use std::cmp::Reverse;

use crate::base::{Base, fifo};
use crate::random::Random;
use crate::world::{Protocol, Rank, World};

/// A job whatever its position: task and arrival.
type Name = (usize, u64);

/// The highest jobs of a cluster run on any of its cores; requests are protected by donation.
#[derive(Debug)]
pub struct Clusters {
    base: Base,
    /// Cores of a cluster.
    size: usize,
    /// The jobs that lend their priority, with the receivers.
    donors: RefCell<Vec<(Name, Name)>>,
}

fn name(world: &World<'_>, job: usize) -> Name {
    (world.jobs[job].task, world.jobs[job].arrival)
}

fn is_open(world: &World<'_>, job: usize) -> bool {
    world.jobs[job].waits.is_some() || !world.jobs[job].held.is_empty()
}

impl Clusters {
    /// Clusters of `size` cores each; the last one may have fewer.
    pub fn new(base: Base, size: usize) -> Self {
        Self { base, size, donors: RefCell::default() }
    }

    fn key(&self, world: &World<'_>, job: usize) -> (u64, u64, Reverse<usize>) {
        let it = &world.jobs[job];
        let level = match self.base {
            Base::FixedPriority => world.priority(job),
            Base::EarliestDeadline => u64::MAX - it.deadline,
        };
        (level, u64::MAX - it.release, Reverse(job))
    }

    /// Returns the first core of a job's cluster, and how many there are.
    fn cluster(&self, world: &World<'_>, job: usize) -> (usize, usize) {
        let first = world.core(job) / self.size * self.size;
        (first, self.size.min(world.set.cores() - first))
    }

    /// Returns the jobs that have a core of the cluster of a job or wait, in the order of their
    /// positions.
    fn served(&self, world: &World<'_>, of: usize) -> Vec<usize> {
        let (first, cores) = self.cluster(world, of);
        let here = |&j: &usize| {
            let job = &world.jobs[j];
            job.release <= world.time && !job.steps.is_empty() && self.cluster(world, j).0 == first
        };
        let mut jobs: Vec<usize> = (0..world.jobs.len())
            .filter(here)
            .filter(|&j| !world.waits_for_predecessor(j))
            .collect();
        jobs.sort_by_key(|&j| Reverse(self.key(world, j)));
        let highest = &jobs[..cores.min(jobs.len())];
        let pushed: Vec<usize> =
            jobs.iter().copied().filter(|j| is_open(world, *j) && !highest.contains(j)).collect();
        let donors = self.donors_to(world, &pushed, highest);
        let mut served: Vec<usize> =
            highest.iter().copied().filter(|j| !donors.contains(j)).chain(pushed).collect();
        served.sort_unstable();
        served
    }

    /// For each job that was pushed out, who suspends: who did before, else the newest job without
    /// a request.
    fn donors_to(&self, world: &World<'_>, pushed: &[usize], highest: &[usize]) -> Vec<usize> {
        let mut known = self.donors.borrow_mut();
        let elsewhere = |task: usize| {
            let core = world.set.tasks()[task].core;
            highest.first().is_some_and(|&j| world.core(j) / self.size != core / self.size)
        };
        known.retain(|(_, to)| elsewhere(to.0) || pushed.iter().any(|&j| name(world, j) == *to));
        let mut donors: Vec<usize> = Vec::new();
        let mut orphans = Vec::new();
        for &donee in pushed {
            let before =
                known.iter().find(|(_, to)| *to == name(world, donee)).map(|(from, _)| *from);
            match highest.iter().find(|&&j| Some(name(world, j)) == before) {
                Some(&donor) => donors.push(donor),
                None => orphans.push(donee),
            }
        }
        for donee in orphans {
            let free =
                highest.iter().copied().filter(|j| !is_open(world, *j) && !donors.contains(j));
            let newest = free.max_by_key(|&j| (world.jobs[j].release, self.key(world, j)));
            let Some(donor) = newest else { continue };
            known.retain(|(_, to)| *to != name(world, donee));
            known.push((name(world, donor), name(world, donee)));
            donors.push(donor);
        }
        donors
    }
}

impl Protocol for Clusters {
    fn core(&self, world: &World<'_>, job: usize) -> usize {
        let place = self.served(world, job).iter().position(|&j| j == job).unwrap_or(0);
        self.cluster(world, job).0 + place
    }

    fn rank(&self, world: &World<'_>, job: usize) -> Option<Rank> {
        let runs = world.jobs[job].waits.is_none() && self.served(world, job).contains(&job);
        runs.then_some((0, 0, 0))
    }

    fn next(&self, world: &World<'_>, resource: usize, _: &mut Random) -> Option<usize> {
        fifo(world, resource)
    }
}
