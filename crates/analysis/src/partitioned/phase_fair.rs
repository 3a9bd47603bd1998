//! Phase-fair reader-writer spin locks.
//!
//! Phases of readers and of one writer take turns; writers are served in FIFO
//! order. Who reads waits for the readers' phase that it comes too late for, and
//! for one writer; who writes waits for the writers before it, and for a phase of
//! readers before each (Brandenburg and Anderson 2010b, properties PF1 to PF4).
//! Readers that come while a writer waits never join the phase that is on. As
//! under MSRP nothing preempts a job from its request to the end of its section, so
//! a core has one request out at a time.
//!
//! So where k other cores use the resource, one own request that reads meets at most
//! one writer, and, if k > 1, one phase of readers before that writer. One that
//! writes meets at most one writer of each other core. Phases of readers before it:
//! if one is on when it comes, that core does not write, k - 1 writers are before
//! it at most, with a phase before each and one before itself: k. If all k write,
//! nobody is left to read behind the first: k - 1. Hence 2 k - 1 phases in all, and
//! one of readers more than writers at most.
//!
//! A phase of readers is as long as the request in it that ends last, and it delays
//! one own request: who waits in it holds the resource in a later one. So over a
//! window no request of another core counts twice, whether it reads or writes. What
//! remains is to choose the longest that these limits admit; they are a matroid,
//! so taking the longest first is optimal.

use super::ASSUMPTIONS;
use super::layout::{Access, Layout, LevelWindow};
use super::response::{Asked, ByResponses, Responses, least_solution};
use crate::windows::times;
use crate::{Exactness, Family, Metadata, TaskSet};

/// Phase-fair reader-writer locks, spinning without preemption; local resources by their ceilings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PhaseFair;

/// The number of requests of a core for one resource in a window.
#[derive(Debug, Clone, Copy, Default)]
struct Own {
    reads: u64,
    writes: u64,
}

impl Own {
    fn with(self, access: &Access, count: u64) -> Self {
        if access.reads {
            Own { reads: self.reads.saturating_add(count), ..self }
        } else {
            Own { writes: self.writes.saturating_add(count), ..self }
        }
    }
}

/// Sections of one length, and how many there are.
type Sections = (u64, u64);

/// The `most` longest ones.
fn longest(mut sections: Vec<Sections>, most: u64) -> Vec<Sections> {
    sections.sort_unstable_by_key(|&(length, _)| std::cmp::Reverse(length));
    let mut left = most;
    for (_, count) in &mut sections {
        *count = left.min(*count);
        left -= *count;
    }
    sections
}

fn number(sections: &[Sections]) -> u64 {
    sections.iter().fold(0, |sum, &(_, count)| sum.saturating_add(count))
}

/// The requests that wait in a window.
struct Phases<'a>(LevelWindow<'a>);

impl Phases<'_> {
    /// The requests of a user of another core that are pending some time in it.
    fn sections(&self, a: &Access) -> Sections {
        (a.length, self.0.pending(a, self.0.length))
    }

    /// The longest writers that may delay so many own requests: one of each core for each that
    /// writes, and one in all for each that reads.
    fn writers(&self, others: &[&[Access]], own: Own) -> Vec<Sections> {
        let (mut met, mut rest) = (Vec::new(), Vec::new());
        for users in others {
            let mut left = own.writes;
            for (length, supply) in users.iter().filter(|a| !a.reads).map(|a| self.sections(a)) {
                let taken = left.min(supply);
                left -= taken;
                met.push((length, taken));
                rest.push((length, supply - taken));
            }
        }
        met.extend(longest(rest, own.reads));
        met
    }

    /// All waiting for a resource.
    fn waiting(&self, resource: usize, own: Own) -> u64 {
        let core = self.0.core();
        let users = self.0.layout.users_by_core(resource);
        let others: Vec<&[Access]> = users.filter(|users| users[0].core != core).collect();
        let cores = others.len() as u64;
        if cores == 0 {
            return 0;
        }
        let mut met = self.writers(&others, own);
        let before_writers = if cores > 1 { own.reads.min(number(&met)) } else { 0 };
        let phases = times(own.writes, cores).min(own.writes.saturating_add(number(&met)));
        let readers = others.iter().flat_map(|users| users.iter()).filter(|a| a.reads);
        met.extend(longest(
            readers.map(|a| self.sections(a)).collect(),
            phases.saturating_add(before_writers),
        ));
        let of_writes = times(own.writes, 2 * cores - 1);
        let of_reads = own.reads.saturating_add(before_writers);
        let met = longest(met, of_writes.saturating_add(of_reads));
        met.iter().fold(0, |sum, &(length, count)| sum.saturating_add(times(length, count)))
    }

    /// Waiting for a resource, and the longest that a lower job adds by one request; `users`: of
    /// the own core.
    fn resource(&self, users: &[Access]) -> (u64, u64) {
        let tasks = self.0.layout.tasks;
        let level = tasks[self.0.task].priority;
        let (below, own): (Vec<&Access>, Vec<&Access>) =
            users.iter().partition(|a| tasks[a.task].priority < level);
        let own = own
            .into_iter()
            .fold(Own::default(), |own, a| own.with(a, times(self.0.releases(a.task), a.count)));
        let resource = users[0].resource;
        let alone = self.waiting(resource, own);
        let blocking = |a: &&Access| {
            let more = self.waiting(resource, own.with(a, 1)) - alone;
            a.length.saturating_add(more)
        };
        (alone, below.iter().map(blocking).max().unwrap_or(0))
    }

    /// `global`: the users on the own core of each global resource that it uses.
    fn demand(&self, global: &[&[Access]]) -> u64 {
        let LevelWindow { layout, task, length, .. } = self.0;
        let mut blocking = layout.local_blocking(task);
        let mut sum = layout.execution(task, length);
        for users in global {
            let (waiting, longest) = self.resource(users);
            sum = sum.saturating_add(waiting);
            blocking = blocking.max(longest);
        }
        sum.saturating_add(blocking)
    }
}

impl ByResponses for PhaseFair {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "spin-phase-fair",
            title: "phase-fair reader-writer spin locks",
            source: "Brandenburg and Anderson 2010b (phases), requests counted over the window; \
                     own counting, see its module",
            family: Family::PartitionedFixedPriority,
            assumptions: ASSUMPTIONS,
            exactness: Exactness::Sufficient,
        }
    }

    fn response_bounds(&self, set: &TaskSet, asked: Asked) -> Responses {
        let layout = Layout::new(set);
        let mut global: Vec<Vec<&[Access]>> = vec![Vec::new(); layout.cores];
        for resource in (0..layout.resources).filter(|&q| layout.is_global(q)) {
            for users in layout.users_by_core(resource) {
                global[users[0].core].push(users);
            }
        }
        least_solution(&layout, asked, |task, length, reach| {
            let window = Phases(LevelWindow { layout: &layout, task, length, reach });
            window.demand(&global[layout.tasks[task].core])
        })
    }
}
