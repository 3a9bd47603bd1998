//! The deepest stack that a function can need, from its binary.
//!
//! Every instruction that a function can reach is looked at once for each thing that
//! is known of the registers before it: a distance from the stack at entry, a
//! constant, an address in a constant table, or nothing. The deepest distance seen,
//! plus that of what is called there, is the bound. Calls keep what the calling
//! convention says they keep. Jumps through a `switch`'s table are followed by
//! reading the table, or, where it is not known how long the table is, to every place of
//! the function that the program has an address of; a call through a pointer may lead to
//! every function that the program has a pointer to. What cannot be followed so is
//! executed for all inputs, as for its time; what has no end there (recursion, mostly) is
//! named and never guessed.

mod executed;
mod pointed;
mod value;
mod walk;

use fusee_isa::Architecture;
use fusee_wcet::program::Program;
use pointed::Pointed;
use std::collections::BTreeMap;

/// The reason for which a depth is unknown: a sentence that names the function in the way.
pub(crate) type Obstacle = String;

/// A program as its stacks are worked out from.
pub(crate) struct Binary {
    program: Program,
    /// Code that a call through a pointer or a jump through a table may lead to.
    pointed: Pointed,
}

impl Binary {
    /// Reads an ELF file; `None` if it is none that can be followed.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let program = Program::load(bytes)
            .ok()
            .filter(|program| matches!(program.architecture(), Architecture::Riscv(_)))?;
        Some(Self { program, pointed: pointed::of(bytes) })
    }
}

/// Depths of a program's functions, each worked out once.
pub(crate) struct Depths<'p> {
    program: &'p Program,
    pointed: &'p Pointed,
    known: BTreeMap<u64, Result<u64, Obstacle>>,
    /// Functions whose depth is being worked out, outermost first.
    open: Vec<u64>,
}

/// Chains of calls longer than this are given up: a stack of 4 MiB would not hold them.
const MOST_CALLS: usize = 1000;

impl<'p> Depths<'p> {
    pub(crate) fn of(binary: &'p Binary) -> Self {
        let Binary { program, pointed } = binary;
        Depths { program, pointed, known: BTreeMap::new(), open: Vec::new() }
    }

    /// Bytes below the stack pointer at entry that a function and all it calls may use.
    pub(crate) fn deepest(&mut self, entry: u64) -> Result<u64, Obstacle> {
        if let Some(known) = self.known.get(&entry) {
            return known.clone();
        }
        let name = self.program.describe(entry);
        if self.open.contains(&entry) {
            return Err(format!("`{name}` calls itself, directly or through others"));
        }
        if self.open.len() >= MOST_CALLS {
            return Err(format!("calls nest more than {MOST_CALLS} deep at `{name}`"));
        }
        self.open.push(entry);
        let mut depth = walk::Walk::of(self, entry).depth();
        self.open.pop();
        // Of an entry point, not of each function on the way.
        if depth.is_err() && self.open.is_empty() {
            depth = executed::deepest(self.program, entry).ok_or(()).or(depth);
        }
        self.known.insert(entry, depth.clone());
        depth
    }
}

#[cfg(test)]
mod tests;
