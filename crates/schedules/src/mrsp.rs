//! MrsP: spin at the ceiling; the time of waiting jobs goes to the holder.

use fusee_analysis::partitioned::mrsp::Helping;

use crate::base::{BOOSTED, fifo};
use crate::random::Random;
use crate::world::{Protocol, Rank, Step, World};

/// Ceilings are those of groups of resources that are nested in each other; without nesting, of
/// each alone.
#[derive(Debug)]
pub struct Mrsp {
    group: Vec<usize>,
}

impl Mrsp {
    /// With the ceilings of this set.
    pub fn new(set: &fusee_analysis::TaskSet) -> Self {
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

    /// A waiting job executes the holder, its nested requests included.
    fn executes(&self, world: &World<'_>, job: usize) -> Option<usize> {
        end_of_chain(world, job)
    }
}

/// Down the chain from who waits to who holds, until somebody who does not wait.
fn end_of_chain(world: &World<'_>, job: usize) -> Option<usize> {
    let mut job = job;
    while let Some((resource, _)) = world.jobs[job].waits {
        job = world.holder(resource)?;
    }
    Some(job)
}

/// MrsP without nesting, where moving a holder takes time.
///
/// A holder that its core does not take goes to a core whose job waits for it; moving takes that
/// core's ticks, and afterwards the core takes nobody else for a while. Going home takes time too.
#[derive(Debug)]
pub struct MrspMoving {
    plain: Mrsp,
    helping: Helping,
    /// The core of each task that is not at home, or is moving.
    away: Vec<Option<Away>>,
}

#[derive(Debug, Clone, Copy)]
struct Away {
    core: usize,
    /// Ticks until it is there.
    moving: u64,
    /// Ticks for which the core takes nobody else, once it is there.
    undisturbed: u64,
    /// The task that helps; its own when it goes home.
    helper: usize,
}

impl MrspMoving {
    /// With the ceilings of this set, and what moving costs.
    pub fn new(set: &fusee_analysis::TaskSet, helping: Helping) -> Self {
        Self { plain: Mrsp::new(set), helping, away: vec![None; set.tasks().len()] }
    }

    /// Returns the core on which a task's section is executed.
    fn place(&self, world: &World<'_>, job: usize) -> usize {
        self.away[world.jobs[job].task].map_or(world.core(job), |a| a.core)
    }
}

impl Protocol for MrspMoving {
    fn rank(&self, world: &World<'_>, job: usize) -> Option<Rank> {
        let task = world.jobs[job].task;
        let helps = |a: &Away| a.helper == task && a.moving + a.undisturbed > 0;
        if self.away.iter().flatten().any(helps) {
            return Some((BOOSTED, 0, 0));
        }
        self.plain.rank(world, job)
    }

    fn next(&self, world: &World<'_>, resource: usize, _: &mut Random) -> Option<usize> {
        fifo(world, resource)
    }

    fn gain(&mut self, world: &World<'_>, chosen: &[Option<usize>]) -> Vec<usize> {
        let ends: Vec<Option<usize>> =
            chosen.iter().map(|c| c.and_then(|job| end_of_chain(world, job))).collect();
        let mut gained = Vec::new();
        for holder in 0..world.jobs.len() {
            let cores: Vec<usize> =
                (0..ends.len()).filter(|&core| ends[core] == Some(holder)).collect();
            let task = world.jobs[holder].task;
            let here = self.place(world, holder);
            let Some(&core) = cores.iter().find(|&&core| core == here).or(cores.first()) else {
                continue;
            };
            if core != here {
                let helper = chosen[core].map_or(task, |job| world.jobs[job].task);
                let Helping { migration, non_preemptive } = self.helping;
                self.away[task] =
                    Some(Away { core, moving: migration, undisturbed: non_preemptive, helper });
            }
            match &mut self.away[task] {
                Some(away) if away.moving > 0 => away.moving -= 1,
                Some(away) => {
                    away.undisturbed = away.undisturbed.saturating_sub(1);
                    gained.push(holder);
                }
                None => gained.push(holder),
            }
        }
        gained
    }

    /// Jobs that move are counted tick by tick.
    fn is_steady(&self) -> bool {
        false
    }

    /// A section ended: who is away goes home, which its own core pays for.
    fn observe(&mut self, world: &World<'_>, job: usize) {
        let it = &world.jobs[job];
        if !it.held.is_empty() || it.waits.is_some() {
            return;
        }
        if let Some(away) = self.away[it.task] {
            let home = world.core(job);
            let moving = if away.core == home { 0 } else { self.helping.migration };
            // Who asks for the next resource at once is taken to be home already.
            let asks = matches!(it.steps.last(), Some(Step::Lock(..)));
            let done = it.steps.is_empty() || asks || moving == 0;
            let going = Away { core: home, moving, undisturbed: 0, helper: usize::MAX };
            self.away[it.task] = (!done).then_some(going);
        }
    }
}
