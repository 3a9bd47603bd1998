//! The division of a worst path's time: functions, blocks, lines.
//!
//! A path of millions of blocks is no answer to "what should become faster?", so
//! it is summed up. Sums keep the path's total exactly. All lists begin with what
//! takes longest; equals are in the order of their addresses or names.
//!
//! Times are known block by block. A block that came from several lines gives each
//! of them a part by its number of instructions.

use std::collections::BTreeMap;

use crate::execute::{Bound, Visit};
use crate::lines::{Line, Lines};
use crate::machine::Misses;
use crate::program::Program;

/// One line of a sum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    /// First address of the block or function.
    pub address: u64,
    /// The place for people.
    pub name: String,
    /// The number of blocks that were executed.
    pub executed: u64,
    /// The time they took together.
    pub time: u64,
    /// The lines that caches had to load for them.
    pub misses: Misses,
}

/// The part of a line of source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineShare {
    /// The line; without a name where nothing is known.
    pub line: Line,
    /// Its part of the time.
    pub time: u64,
}

/// A worst path, summed up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// Time in each function itself, without what it calls.
    pub functions: Vec<Share>,
    /// Time in each block.
    pub blocks: Vec<Share>,
    /// Time in each line; empty for a program without debugging information.
    pub lines: Vec<LineShare>,
}

impl Profile {
    /// Sums up the worst path of a bound.
    pub fn of(program: &Program, lines: &Lines, bound: &Bound) -> Self {
        let path = &bound.path;
        let function =
            |address| program.function_at(address).map_or(address, |symbol| symbol.address);
        let blocks = shares(program, path.iter().map(|visit| (visit.block, visit)));
        Self {
            functions: shares(program, path.iter().map(|visit| (function(visit.block), visit))),
            // Without debugging information all time would be that of one line without a name.
            lines: if lines.is_empty() { Vec::new() } else { by_line(lines, bound, &blocks) },
            blocks,
        }
    }
}

fn shares<'v>(program: &Program, visits: impl Iterator<Item = (u64, &'v Visit)>) -> Vec<Share> {
    let mut sums: BTreeMap<u64, (u64, u64, Misses)> = BTreeMap::new();
    for (address, visit) in visits {
        let (executed, time, misses) = sums.entry(address).or_default();
        *executed += visit.times;
        *time += visit.time;
        // Misses are for people, so a sum that saturates does no harm.
        misses.instructions = misses.instructions.saturating_add(visit.misses.instructions);
        misses.data = misses.data.saturating_add(visit.misses.data);
    }
    let share = |(address, (executed, time, misses))| {
        let name = program.describe(address);
        Share { address, name, executed, time, misses }
    };
    let mut shares: Vec<Share> = sums.into_iter().map(share).collect();
    shares.sort_by_key(|share| (std::cmp::Reverse(share.time), share.address));
    shares
}

fn by_line(lines: &Lines, bound: &Bound, blocks: &[Share]) -> Vec<LineShare> {
    let mut sums: BTreeMap<Line, u64> = BTreeMap::new();
    for share in blocks {
        let code = bound.code.get(&share.address).map_or(&[][..], Vec::as_slice);
        // The innermost line is where the instruction was written; those around
        // it only have it inlined.
        let own = |address: &u64| lines.at(*address).into_iter().next().unwrap_or_default();
        // Parts are differences of rounded sums, so none of the block's time gets lost.
        let (count, mut given) = (code.len().max(1) as u128, 0);
        for (index, line) in code.iter().map(own).enumerate() {
            let so_far = (u128::from(share.time) * (index as u128 + 1) / count) as u64;
            *sums.entry(line).or_default() += so_far - given;
            given = so_far;
        }
    }
    let mut shares: Vec<LineShare> =
        sums.into_iter().map(|(line, time)| LineShare { line, time }).collect();
    // The sort is stable, so equal times stay in the order of their lines.
    shares.sort_by_key(|share| std::cmp::Reverse(share.time));
    shares
}
