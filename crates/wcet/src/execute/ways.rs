//! The way by which a state was reached.

use std::collections::BTreeMap;

use crate::machine::Misses;

/// One block on the worst path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Visit {
    /// Address of the block.
    pub block: u64,
    /// Time spent in it, all times together.
    pub time: u64,
    /// The number of executions here, one iteration of a loop after the other.
    pub times: u64,
    /// Lines that had to be loaded meanwhile.
    pub misses: Misses,
}

impl Visit {
    /// Returns one execution of a block.
    pub(super) fn once(block: u64, time: u64, misses: Misses) -> Self {
        Self { block, time, times: 1, misses }
    }

    /// Adds one more execution.
    pub(super) fn add(&mut self, time: u64, misses: Misses) {
        self.join(Self { block: self.block, time, times: 1, misses });
    }

    /// Adds the executions of the same block elsewhere.
    fn join(&mut self, other: Self) {
        // These sums are shown and may saturate; a path counts its own time.
        self.times = self.times.saturating_add(other.times);
        self.time = self.time.saturating_add(other.time);
        let (all, more) = (&mut self.misses, other.misses);
        all.instructions = all.instructions.saturating_add(more.instructions);
        all.data = all.data.saturating_add(more.data);
    }

    fn repeated(self, times: u64) -> Self {
        let many = |misses: u32| {
            u32::try_from(u64::from(misses).saturating_mul(times)).unwrap_or(u32::MAX)
        };
        let misses =
            Misses { instructions: many(self.misses.instructions), data: many(self.misses.data) };
        let (time, times) = (self.time.saturating_mul(times), self.times.saturating_mul(times));
        Self { time, times, misses, ..self }
    }
}

/// Returns a way that is gone so many times.
pub(super) fn repeated(way: &[Visit], times: u64) -> Vec<Visit> {
    // A visit without an execution would still be shown.
    let all = way.iter().filter(|_| times > 0);
    all.map(|visit| visit.repeated(times)).collect()
}

/// Returns a way with each block once, in the order in which they were come to first.
pub(super) fn condensed(way: &[Visit]) -> Vec<Visit> {
    let (mut visits, mut places) = (Vec::<Visit>::new(), BTreeMap::new());
    for &visit in way {
        match places.get(&visit.block) {
            Some(&place) => Visit::join(&mut visits[place], visit),
            None => {
                places.insert(visit.block, visits.len());
                visits.push(visit);
            }
        }
    }
    visits
}

#[derive(Debug, Clone, Copy)]
struct Step {
    before: u32,
    visit: Visit,
}

/// The tree of all ways; a leaf leads back to the entry.
#[derive(Debug, Default)]
pub(super) struct Ways {
    steps: Vec<Step>,
}

/// A place in the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Way(u32);

impl Way {
    /// Before the first block.
    pub(super) const START: Way = Way(u32::MAX);
}

impl Ways {
    /// Goes on by one block.
    pub(super) fn extend(&mut self, way: Way, visit: Visit) -> Way {
        self.steps.push(Step { before: way.0, visit });
        // So many steps that 32 bits are too few do not fit into memory.
        Way(self.steps.len() as u32 - 1)
    }

    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    /// Forgets all but so many steps.
    pub(super) fn truncate(&mut self, steps: usize) {
        self.steps.truncate(steps);
    }

    /// The blocks from one place to a later one.
    pub(super) fn since(&self, from: Way, to: Way) -> Vec<Visit> {
        let mut visits = Vec::new();
        let mut at = to.0;
        // The start is no step, so a way that does not lead by `from` ends there.
        while at != from.0
            && let Some(step) = self.steps.get(at as usize)
        {
            visits.push(step.visit);
            at = step.before;
        }
        visits.reverse();
        visits
    }

    /// Goes on by these blocks, each so many times.
    pub(super) fn repeat(&mut self, way: Way, visits: &[Visit], times: u64) -> Way {
        // Each block once with all its executions: the way stays short however often the loop
        // iterates.
        visits.iter().fold(way, |way, visit| self.extend(way, visit.repeated(times)))
    }

    /// The blocks from the entry to here.
    pub(super) fn list(&self, way: Way) -> Vec<Visit> {
        self.since(Way::START, way)
    }
}
