//! Spin locks: from the request to the end of the section nothing preempts.

use crate::base::{BOOSTED, Base, by_priority, fifo};
use crate::random::Random;
use crate::world::{Protocol, Rank, World};

/// The order in which waiting jobs are served.
#[derive(Debug, Clone, Copy)]
pub enum Order {
    /// The oldest request.
    Fifo,
    /// The highest priority.
    Priority,
    /// Any waiter, most often the newest.
    Any,
}

/// A spin lock: the scheduling of cores, and the order of service.
#[derive(Debug)]
pub struct SpinLock(pub Base, pub Order);

impl Protocol for SpinLock {
    fn rank(&self, world: &World<'_>, job: usize) -> Option<Rank> {
        if world.global_involved(job).is_some() {
            Some((BOOSTED, 0, 0))
        } else {
            self.0.rank(world, job)
        }
    }

    fn next(&self, world: &World<'_>, resource: usize, random: &mut Random) -> Option<usize> {
        let waiters = world.waiters(resource);
        match self.1 {
            Order::Fifo => fifo(world, resource),
            Order::Priority => by_priority(world, resource),
            Order::Any if waiters.is_empty() || random.one_in(3) => fifo(world, resource),
            Order::Any => waiters.into_iter().max_by_key(|&j| world.jobs[j].waits),
        }
    }
}
