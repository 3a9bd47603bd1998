//! Loops that nothing leads out of, whatever is executed in them.
//!
//! Programs end in them where an assertion fails, and tasks are made of them. No
//! bound of iterations helps there: whoever is inside never comes back. One may
//! lead into another, as a task does whose assertion fails.

use fusee_isa::language::{Flow, Instruction, Target};
use std::collections::BTreeMap;

use super::{Block, Function, Loop, Resolved, targets};

impl Function {
    /// Whether no way leads from a loop out of the function, where system calls come back.
    pub fn is_endless(&self, looping: &Loop) -> bool {
        !looping.headers.iter().any(|&header| self.comes_back[header])
    }
}

/// For each block, whether a way leads from it out of the function; `index` tells where blocks
/// begin.
pub(super) fn comes_back(blocks: &[Block], index: &BTreeMap<u64, usize>) -> Vec<bool> {
    let mut before = vec![Vec::new(); blocks.len()];
    let mut open = Vec::new();
    for (at, block) in blocks.iter().enumerate() {
        let next = targets(block.last(), &Resolved::new());
        if leaves(block.last()) || next.iter().any(|address| !index.contains_key(address)) {
            open.push(at);
        }
        next.iter().filter_map(|address| index.get(address)).for_each(|&to| before[to].push(at));
    }
    let mut found = vec![false; blocks.len()];
    while let Some(block) = open.pop() {
        if !std::mem::replace(&mut found[block], true) {
            open.extend(&before[block]);
        }
    }
    found
}

/// Whether what comes behind an instruction may be anywhere.
fn leaves(instruction: &Instruction) -> bool {
    matches!(
        instruction.flow,
        Flow::Return { .. } | Flow::Jump(Target::Computed(_)) | Flow::TrapReturn | Flow::Breakpoint
    )
}
