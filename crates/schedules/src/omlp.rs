//! OMLP: one request of each core at a time, chosen by donation or by a token.

use std::cmp::Reverse;

use crate::base::{BOOSTED, Base, fifo};
use crate::random::Random;
use crate::world::{Protocol, Rank, Step, World};

/// Rank without any resource; jobs of one core in the order of their release among equals.
fn plain(base: Base, world: &World<'_>, job: usize) -> Rank {
    let it = &world.jobs[job];
    match base {
        Base::FixedPriority => (0, world.priority(job), u64::MAX - it.release),
        Base::EarliestDeadline => (0, u64::MAX - it.deadline, u64::MAX - it.release),
    }
}

fn released_on_core<'a>(world: &'a World<'_>, core: usize) -> impl Iterator<Item = usize> + 'a {
    let mine = move |&j: &usize| world.core(j) == core && world.jobs[j].release <= world.time;
    (0..world.jobs.len()).filter(mine).filter(|&j| !world.waits_for_predecessor(j))
}

/// Donation: only the highest pending job requests; who arrives above an open request suspends
/// until it is closed.
#[derive(Debug)]
pub struct Donation(pub Base);

impl Protocol for Donation {
    fn rank(&self, world: &World<'_>, job: usize) -> Option<Rank> {
        let it = &world.jobs[job];
        if it.waits.is_some() {
            return None;
        }
        if !it.held.is_empty() {
            return Some((BOOSTED, 0, 0));
        }
        let key = |j: usize| (plain(self.0, world, j), Reverse(j));
        let mates = || released_on_core(world, world.core(job)).filter(|&j| j != job);
        let open = |j: usize| world.jobs[j].waits.is_some() || !world.jobs[j].held.is_empty();
        if mates().any(|j| open(j) && key(job) > key(j)) {
            return None;
        }
        let requests = matches!(it.steps.last(), Some(Step::Lock(..)));
        (!requests || mates().all(|j| key(j) < key(job))).then(|| plain(self.0, world, job))
    }

    fn next(&self, world: &World<'_>, resource: usize, _: &mut Random) -> Option<usize> {
        fifo(world, resource)
    }
}

/// Token: a request takes part in its queue while its job has the core's token.
#[derive(Debug)]
pub struct Token {
    base: Base,
    /// By core: the task that has it, and when it got it.
    tokens: Vec<Option<(usize, u64)>>,
    passed: u64,
}

impl Token {
    /// With nobody's token taken.
    pub fn new(base: Base) -> Self {
        Self { base, tokens: Vec::new(), passed: 0 }
    }
}

impl Protocol for Token {
    fn rank(&self, world: &World<'_>, job: usize) -> Option<Rank> {
        let it = &world.jobs[job];
        if it.waits.is_some() {
            return None;
        }
        Some(if it.held.is_empty() { plain(self.base, world, job) } else { (BOOSTED, 0, 0) })
    }

    fn next(&self, world: &World<'_>, resource: usize, _: &mut Random) -> Option<usize> {
        let since = |&j: &usize| {
            let token = self.tokens.get(world.core(j)).copied().flatten();
            token.filter(|(task, _)| *task == world.jobs[j].task).map(|(_, since)| since)
        };
        let waiters = world.waiters(resource).into_iter();
        waiters.filter_map(|j| Some((since(&j)?, j))).min().map(|(_, j)| j)
    }

    fn observe(&mut self, world: &World<'_>, _: usize) {
        self.tokens.resize(world.set.cores(), None);
        for core in 0..world.set.cores() {
            let open = |&j: &usize| world.jobs[j].waits.is_some() || !world.jobs[j].held.is_empty();
            let wanting: Vec<usize> = released_on_core(world, core).filter(open).collect();
            let keeps = self.tokens[core]
                .is_some_and(|(task, _)| wanting.iter().any(|&j| world.jobs[j].task == task));
            if !keeps {
                self.passed += 1;
                let key = |&j: &usize| (plain(self.base, world, j), Reverse(world.jobs[j].request));
                let first = wanting.into_iter().max_by_key(key);
                self.tokens[core] = first.map(|j| (world.jobs[j].task, self.passed));
            }
        }
    }
}
