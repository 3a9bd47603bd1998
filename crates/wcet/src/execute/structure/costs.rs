//! The longest time of each block, whatever was executed before it.
//!
//! One state of the machine covers all in which a block can begin: that in which
//! nothing is known, and all that any block leaves behind. From it each block
//! takes its longest time, as a machine promises.

use super::Structure;
use crate::flow::Block;
use crate::machine::Machine;
use crate::state::{Access, State};
use crate::value::Value;
use fusee_isa::language::{Effect, REGISTERS, Register};

/// So often all blocks are looked at until what they leave behind is covered.
const ROUNDS: usize = 32;

impl<M: Machine> Structure<'_, M> {
    /// Finds the time of each block that is reached; says whether the machine has one for all.
    pub(super) fn find_costs(&mut self) -> bool {
        let nothing = self.nothing_known();
        let mut start = self.subject.machine.at_entry();
        for _ in 0..ROUNDS {
            let Some(grown) = self.costs_from(&mut start, &nothing) else { return false };
            if !grown {
                return true;
            }
        }
        // Without a state that covers all ends of blocks no time of a block holds.
        false
    }

    /// Returns a state in which no register and no memory is known.
    fn nothing_known(&self) -> State {
        // The stack pointer, too: a block is executed in calls at many depths.
        let mut state = State::at_entry(self.subject.setting);
        (0..REGISTERS as u8).for_each(|number| state.set(Register::new(number), Value::ANY));
        state
    }

    /// Finds the times of all blocks from one state, which is made to cover what they leave behind;
    /// says whether it did not before.
    fn costs_from(&mut self, start: &mut M::Timing, nothing: &State) -> Option<bool> {
        let mut grown = false;
        let entries: Vec<u64> = self.parts.keys().copied().collect();
        for entry in entries {
            let function = self.parts[&entry].function.clone();
            for (index, block) in function.blocks.iter().enumerate() {
                if self.parts[&entry].edges[index].is_none() {
                    continue;
                }
                let (time, mut left) = self.block_from(block, start, nothing.clone())?;
                if let Some(part) = self.parts.get_mut(&entry) {
                    // A later round begins with a wider state, so only its times count.
                    part.costs[index] = time;
                }
                let machine = self.subject.machine;
                machine.take_misses(&mut left);
                if !machine.includes(start, &left) {
                    // A lead of 0: any block may follow, and none may count on time to spare.
                    machine.join(start, &left, 0);
                    grown = true;
                }
            }
        }
        Some(grown)
    }

    /// Returns the longest time of a block, and a state that covers all in which it ends.
    fn block_from(
        &self,
        block: &Block,
        start: &M::Timing,
        mut state: State,
    ) -> Option<(u64, M::Timing)> {
        let machine = self.subject.machine;
        let (mut timing, mut time) = (start.clone(), 0u64);
        let (last, rest) = block.instructions.split_last()?;
        for instruction in rest {
            let accesses = self.accesses(&mut state, &instruction.effects);
            if machine.lacks(instruction.class).is_some() {
                return None;
            }
            time += machine.execute(&mut timing, instruction, &accesses, false);
        }
        if machine.lacks(last.class).is_some() {
            return None;
        }
        let otherwise = last.guard.as_ref().map(|guard| (&guard.otherwise, false));
        // What values decide is not known, so each outcome is tried and the longest time counts.
        let ends = [(&last.effects, true), (&last.effects, false)].into_iter().chain(otherwise);
        let mut after: Option<(u64, M::Timing)> = None;
        for (effects, taken) in ends {
            let accesses = self.accesses(&mut state.clone(), effects);
            let mut left = timing.clone();
            let own = machine.execute(&mut left, last, &accesses, taken);
            match &mut after {
                None => after = Some((own, left)),
                Some((longest, all)) => {
                    // A lead of 0, because either outcome may be the real one.
                    machine.join(all, &left, 0);
                    *longest = own.max(*longest);
                }
            }
        }
        after.map(|(own, left)| (time + own, left))
    }

    fn accesses(&self, state: &mut State, effects: &[Effect]) -> Vec<Access> {
        effects.iter().filter_map(|effect| state.apply(effect, self.subject.setting)).collect()
    }
}
