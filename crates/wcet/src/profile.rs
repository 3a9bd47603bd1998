//! Where the time of a worst path goes: by function and by block.
//!
//! A path of millions of blocks is no answer to "what should become faster?", so
//! it is summed up. Sums keep the path's total exactly. Both lists begin with
//! what takes longest; equals are in the order of their addresses.

use std::collections::BTreeMap;

use crate::execute::Visit;
use crate::program::Program;

/// One line of a sum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    /// First address of the block or function.
    pub address: u64,
    /// The place for people.
    pub name: String,
    /// How many blocks were executed.
    pub executed: u64,
    /// The time they took together.
    pub time: u64,
}

/// A worst path, summed up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// Time in each function itself, without what it calls.
    pub functions: Vec<Share>,
    /// Time in each block.
    pub blocks: Vec<Share>,
}

impl Profile {
    /// Sums up a path.
    pub fn of(program: &Program, path: &[Visit]) -> Self {
        let function = |address| program.function_at(address).map_or(address, |symbol| symbol.address);
        Self {
            functions: shares(program, path.iter().map(|visit| (function(visit.block), visit.time))),
            blocks: shares(program, path.iter().map(|visit| (visit.block, visit.time))),
        }
    }
}

fn shares(program: &Program, visits: impl Iterator<Item = (u64, u64)>) -> Vec<Share> {
    let mut sums: BTreeMap<u64, (u64, u64)> = BTreeMap::new();
    for (address, time) in visits {
        let sum = sums.entry(address).or_default();
        *sum = (sum.0 + 1, sum.1 + time);
    }
    let share = |(address, (executed, time))| Share { address, name: program.describe(address), executed, time };
    let mut shares: Vec<Share> = sums.into_iter().map(share).collect();
    shares.sort_by_key(|share| (std::cmp::Reverse(share.time), share.address));
    shares
}
