//! The depth of a stack from an execution for all inputs, as for a time.
//!
//! It follows values through memory and calls, so it knows where a jump leads and
//! how long an array is that the code limits; it takes longer, and needs an end of
//! every loop. A wait for the next job is gone through to what follows it, and a
//! path to a fault counts up to there, so that no code is left out.

use fusee_wcet::execute::{Effort, Facts, Faults, bound};
use fusee_wcet::machine::Instructions;
use fusee_wcet::program::Program;

use crate::interface;

/// Blocks of code to execute.
const EFFORT: Effort = Effort { blocks: 200_000, iterations: 16_384, states: 1, depth: 200 };

/// Bytes below the stack pointer at an entry that is executed to its end; nothing where it is not.
pub(super) fn deepest(program: &Program, entry: u64) -> Option<u64> {
    let kernel = Some(interface::of_kernel(0..u64::MAX));
    let facts = Facts { kernel, faults: Faults::Counted, ..Facts::default() };
    let found = bound(program, &Instructions, entry, &facts, EFFORT).ok()?;
    found.stack_bytes.filter(|_| found.time.is_some())
}
