//! The comparisons of a loop's branches, while its iterations are summed up.

use std::collections::BTreeSet;

use crate::flow::{Block, Loop, Node};
use crate::value::{Range, Value};

/// Comparisons that are looked at.
const WATCHED: usize = 256;

/// A comparison of a branch, with the numbers of both sides.
#[derive(Debug, Clone, Copy)]
pub(super) struct Compared {
    pub(super) address: u64,
    pub(super) sides: [(Value, Range); 2],
}

/// The comparisons of a loop's branches that are in no loop inside of it.
#[derive(Debug, Clone, Default)]
pub(super) struct Watched {
    /// The number of calls under way around the loop.
    pub(super) depth: usize,
    branches: BTreeSet<u64>,
    pub(super) compared: Vec<Compared>,
}

/// A number that moves towards another one, and is compared with it in every iteration.
#[derive(Debug, Clone, Copy)]
pub(super) struct Approach {
    pub(super) address: u64,
    pub(super) depth: usize,
    /// The index of the number that moves, and by how much.
    pub(super) mover: usize,
    pub(super) step: i64,
    /// The values that are compared: the number that moves, and the other one; `true` if the first
    /// stands on the left.
    pub(super) sides: (Value, Value),
    pub(super) is_left: bool,
}

impl Watched {
    /// Nothing was compared yet in a loop of a function so deep in calls.
    pub(super) fn new(depth: usize, looping: &Loop, blocks: &[Block]) -> Self {
        let own = |node: &Node| match node {
            Node::Block(block) => Some(blocks[*block].last().address),
            // A loop inside asks any number of times in an iteration of this one.
            Node::Loop(_) => None,
        };
        let branches = looping.body.iter().filter_map(own).collect();
        Self { depth, branches, compared: Vec::new() }
    }

    /// Returns whether what a branch of a function so deep in calls compares is to be kept.
    pub(super) fn asks(&self, depth: usize, address: u64) -> bool {
        // A full list keeps no more, and whoever reads it can see that some are missing.
        self.depth == depth && self.branches.contains(&address) && !self.is_full()
    }

    /// Returns whether not all comparisons could be kept.
    pub(super) fn is_full(&self) -> bool {
        self.compared.len() >= WATCHED
    }
}

impl Approach {
    /// Returns whether this comparison is the one that it was found by.
    pub(super) fn is_about(&self, compared: &Compared) -> bool {
        let [(left, _), (right, _)] = compared.sides;
        self.sides == if self.is_left { (left, right) } else { (right, left) }
    }

    /// Returns the side that moves, and the other one.
    pub(super) fn of<S: Copy>(&self, [left, right]: [S; 2]) -> (S, S) {
        if self.is_left { (left, right) } else { (right, left) }
    }
}
