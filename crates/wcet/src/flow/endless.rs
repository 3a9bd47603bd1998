//! Loops that nothing leads out of, whatever is executed in them.
//!
//! Programs end in them where an assertion fails, and tasks are made of them. No
//! bound of iterations helps there: whoever is inside never comes back. One may
//! lead into another, as a task does whose assertion fails.

use fusee_isa::language::{Flow, Instruction, Target};
use std::collections::{BTreeMap, BTreeSet};

use super::{Block, Function, Loop, Resolved, targets};

impl Function {
    /// Returns whether no way leads from a loop out of the function, where calls and system calls
    /// come back.
    pub fn is_endless(&self, looping: &Loop) -> bool {
        !looping.headers.iter().any(|&header| self.comes_back[header])
    }

    /// Returns whether a way leads from its entry out of it, where system calls and calls of what
    /// is not known come back, and calls of functions as `returns` says.
    pub fn comes_back(&self, returns: impl Fn(u64) -> bool) -> bool {
        let mut seen = vec![false; self.blocks.len()];
        let mut open: Vec<usize> = self.block_at(self.entry).into_iter().collect();
        while let Some(at) = open.pop() {
            let block = &self.blocks[at];
            // What stands behind a call that never returns is not executed.
            if std::mem::replace(&mut seen[at], true) || !called(block).is_none_or(&returns) {
                continue;
            }
            if self.leaves[at] {
                return true;
            }
            open.extend(&block.successors);
        }
        false
    }

    /// Returns the functions that it calls by their addresses, whatever else is known.
    pub fn callees(&self) -> BTreeSet<u64> {
        self.blocks.iter().filter_map(called).collect()
    }
}

/// Returns what is surely called at the end of a block, by its address.
fn called(block: &Block) -> Option<u64> {
    // A guarded call may be left out, and then control goes on behind it.
    block.callee.filter(|_| block.last().guard.is_none())
}

/// For each block, whether a way leads from it out of the function, where some blocks lead out.
pub(super) fn comes_back(blocks: &[Block], leaves: &[bool]) -> Vec<bool> {
    let mut before = vec![Vec::new(); blocks.len()];
    for (at, block) in blocks.iter().enumerate() {
        block.successors.iter().for_each(|&to| before[to].push(at));
    }
    // Backward from the exits, one search answers for all blocks at once.
    let mut open: Vec<usize> = (0..blocks.len()).filter(|&at| leaves[at]).collect();
    let mut found = vec![false; blocks.len()];
    while let Some(block) = open.pop() {
        if !std::mem::replace(&mut found[block], true) {
            open.extend(&before[block]);
        }
    }
    found
}

/// Returns whether a block may lead out of the function; `index` tells where blocks begin.
pub(super) fn leaves(block: &Block, index: &BTreeMap<u64, usize>) -> bool {
    let is_elsewhere = |address: &u64| !index.contains_key(address);
    // Known targets of computed jumps may not be all, so such a jump leads out whatever is known.
    let next = targets(block.last(), &Resolved::new());
    is_open(block.last()) || next.iter().any(is_elsewhere)
}

/// Returns whether what comes behind an instruction may be anywhere.
fn is_open(instruction: &Instruction) -> bool {
    matches!(
        instruction.flow,
        Flow::Return { .. } | Flow::Jump(Target::Computed(_)) | Flow::TrapReturn | Flow::Breakpoint
    )
}
