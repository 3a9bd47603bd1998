//! Every instruction takes one tick, as under QEMU's `-icount`.

use super::Machine;
use crate::state::Access;
use fusee_isa::language::Instruction;

/// A machine on which each instruction takes one tick.
#[derive(Debug, Clone, Copy, Default)]
pub struct Instructions;

impl Machine for Instructions {
    type Timing = ();

    const SEES_DATA: bool = false;

    fn name(&self) -> &str {
        "instructions"
    }

    fn unit(&self) -> &str {
        "instructions"
    }

    fn at_entry(&self) -> Self::Timing {}

    fn execute(&self, (): &mut (), _: &Instruction, _: &[Access], _: bool) -> u64 {
        1
    }

    fn join(&self, (): &mut (), (): &(), _: i64) {}

    fn includes(&self, (): &(), (): &()) -> bool {
        true
    }
}
