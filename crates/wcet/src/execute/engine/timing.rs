//! The time of instructions, on machines that have one for them.

use super::mode::Mode;
use super::{Engine, Missing};
use crate::machine::Machine;
use crate::state::Access;
use fusee_isa::language::Instruction;

impl<M: Machine, K: Mode> Engine<'_, M, K> {
    /// The time of an instruction; what the machine has none for is an obstacle.
    pub(super) fn time(
        &mut self,
        timing: &mut M::Timing,
        instruction: &Instruction,
        accesses: &[Access],
        taken: bool,
    ) -> u64 {
        if let Some(key) = self.subject.machine.lacks(instruction.class) {
            let what = format!(
                "the machine has no time for `{}`: `{key}` is missing",
                instruction.mnemonic
            );
            self.obstacle(instruction.address, what, Missing::Nothing);
            // With the obstacle there is no bound, so this time appears nowhere.
            return 0;
        }
        self.subject.machine.execute(timing, instruction, accesses, taken)
    }
}
