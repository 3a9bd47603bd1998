//! A kernel's instructions, with the functions they come from.

use std::ops::Range;
use std::path::Path;

use fusee_wcet::lines::{Line, Lines};
use fusee_wcet::program::Program;

use crate::problem::Problem;

/// A kernel's program with its debugging information.
pub(super) struct KernelProgram {
    program: Program,
    lines: Lines,
    /// The code that stays when the kernel has started.
    pub(super) range: Range<u64>,
}

/// An instruction of a kernel.
pub(super) struct KernelInstruction {
    pub(super) address: u64,
    pub(super) size: u64,
    /// Empty where it is not decoded.
    pub(super) mnemonic: &'static str,
    /// The lines that it comes from: the innermost function first, then those it was inlined into.
    pub(super) lines: Vec<Line>,
}

/// Returns the problem with a kernel's program.
pub(super) fn wrong(path: &Path, why: &str) -> Problem {
    Problem::tool(format!("the kernel `{}` {why}", path.display()))
}

impl KernelProgram {
    /// Reads it.
    ///
    /// # Errors
    /// It can't be read, or has no code.
    pub(super) fn read(path: &Path) -> Result<Self, Problem> {
        let bytes =
            std::fs::read(path).map_err(|error| wrong(path, &format!("can't be read: {error}")))?;
        let program =
            Program::load(&bytes).map_err(|error| wrong(path, &format!("is none: {error}")))?;
        let range = program.code().next().ok_or_else(|| wrong(path, "has no code"))?;
        Ok(Self { program, lines: Lines::read(&bytes), range })
    }

    /// Returns all instructions, in order of their addresses.
    pub(super) fn instructions(&self) -> impl Iterator<Item = KernelInstruction> + '_ {
        let mut next = self.range.start;
        std::iter::from_fn(move || {
            let address = next;
            let instruction = self.program.instruction(address).ok();
            let size = instruction.as_ref().map_or(2, |instruction| u64::from(instruction.size));
            next += size;
            (address < self.range.end).then(|| KernelInstruction {
                address,
                size,
                mnemonic: instruction.map_or("", |instruction| instruction.mnemonic),
                lines: self.lines.at(address),
            })
        })
    }
}
