//! Only one function takes time: how much of a path is it at most?
//!
//! A path is in the function from its first instruction to its return, with all
//! that is called meanwhile. Where paths meet, what is behind counts if it counts
//! for one of them. A function that ends by a jump into another is never left.

use std::ops::Range;

use super::Machine;
use crate::program::Symbol;
use crate::state::Access;
use fusee_isa::language::{Flow, Instruction};

/// Counts the instructions that are executed in a function that does not call itself.
#[derive(Debug, Clone)]
pub struct Within {
    function: Range<u64>,
}

impl Within {
    /// Counts in this function.
    pub fn new(function: &Symbol) -> Self {
        Self { function: function.address..function.address + function.size }
    }
}

impl Machine for Within {
    /// `true` if the function is being executed.
    type Timing = bool;

    fn name(&self) -> &str {
        "within a function"
    }

    fn unit(&self) -> &str {
        "instructions"
    }

    fn at_entry(&self) -> Self::Timing {
        false
    }

    fn execute(&self, inside: &mut bool, instruction: &Instruction, _: &[Access], _: bool) -> u64 {
        let at = instruction.address;
        // Only the first instruction leads into it: code is not entered in the middle.
        let counts = *inside || at == self.function.start;
        // A callee's return lies outside of the function, so only its own one ends it.
        let returns = matches!(instruction.flow, Flow::Return { .. });
        *inside = counts && !(returns && self.function.contains(&at));
        u64::from(counts)
    }

    fn join(&self, inside: &mut bool, other: &bool, _: i64) {
        // Counting too much keeps it a bound.
        *inside |= other;
    }

    fn includes(&self, inside: &bool, other: &bool) -> bool {
        *inside || !other
    }
}
