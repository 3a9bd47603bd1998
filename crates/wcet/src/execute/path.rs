//! The way by which a state was reached.

use crate::machine::Misses;

/// One block on the worst path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Visit {
    /// Address of the block.
    pub block: u64,
    /// Time spent in it this time.
    pub time: u64,
    /// Lines that had to be loaded meanwhile.
    pub misses: Misses,
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
        Way(self.steps.len() as u32 - 1)
    }

    /// The blocks from the entry to here.
    pub(super) fn list(&self, way: Way) -> Vec<Visit> {
        let mut visits = Vec::new();
        let mut at = way.0;
        while let Some(step) = self.steps.get(at as usize) {
            visits.push(step.visit);
            at = step.before;
        }
        visits.reverse();
        visits
    }
}
