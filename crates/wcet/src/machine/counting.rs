//! Only some instructions take a tick: how often are they executed at most?

use std::collections::BTreeSet;

use super::Machine;
use crate::state::Access;
use fusee_isa::language::Instruction;

/// Counts the executions of the instructions at these addresses.
#[derive(Debug, Clone, Copy)]
pub struct Counting<'a>(pub &'a BTreeSet<u64>);

impl Machine for Counting<'_> {
    type Timing = ();

    fn name(&self) -> &str {
        "counting"
    }

    fn unit(&self) -> &str {
        "executions"
    }

    fn at_entry(&self) -> Self::Timing {}

    fn execute(&self, (): &mut (), instruction: &Instruction, _: &[Access], _: bool) -> u64 {
        u64::from(self.0.contains(&instruction.address))
    }

    fn join(&self, (): &mut (), (): &(), _: i64) {}

    fn includes(&self, (): &(), (): &()) -> bool {
        true
    }
}
