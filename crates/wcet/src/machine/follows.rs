//! The machines on which an execution can be followed.

use super::{Access, Machine};
use fusee_isa::language::Instruction;

/// A machine as far as a single execution needs it, in which no ways meet.
pub trait Follows {
    /// The state that one instruction leaves behind for the next ones.
    type Timing;

    /// Returns the timing where nothing is known.
    fn begin(&self) -> Self::Timing;

    /// Returns the time of an instruction; `taken` says whether a branch jumps.
    fn follow(
        &self,
        timing: &mut Self::Timing,
        instruction: &Instruction,
        accesses: &[Access],
        taken: bool,
    ) -> u64;
}

impl<M: Machine> Follows for M {
    type Timing = M::Timing;

    fn begin(&self) -> M::Timing {
        self.at_entry()
    }

    fn follow(
        &self,
        timing: &mut M::Timing,
        instruction: &Instruction,
        accesses: &[Access],
        taken: bool,
    ) -> u64 {
        self.execute(timing, instruction, accesses, taken)
    }
}
