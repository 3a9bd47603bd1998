//! Loops that nothing leads out of, whatever is executed in them.
//!
//! Programs end in them where an assertion fails, and tasks are made of them. No
//! bound of iterations helps there: whoever is inside never comes back.

use fusee_isa::language::{Flow, Target};
use std::collections::BTreeSet;

use super::{Function, Loop, Resolved, targets};

impl Function {
    /// Whether no way leads out of a loop, where system calls come back.
    pub fn is_endless(&self, looping: &Loop) -> bool {
        let mut inside = BTreeSet::new();
        looping.blocks(&mut inside);
        let stays = |&address: &u64| self.block_at(address).is_some_and(|b| inside.contains(&b));
        let is_closed = |&block: &usize| {
            let last = self.blocks[block].last();
            // A computed jump leads anywhere.
            let may_leave = matches!(
                last.flow,
                Flow::Return { .. }
                    | Flow::Jump(Target::Computed(_))
                    | Flow::TrapReturn
                    | Flow::Breakpoint
            );
            !may_leave && targets(last, &Resolved::new()).iter().all(stays)
        };
        inside.iter().all(is_closed)
    }
}
