//! Registers that hold the same, although no name says so.
//!
//! An ARM processor compares and then branches on flags, which the common language
//! keeps as copies of what was compared. What a branch tells of a copy holds for
//! what it was copied from. A number with a name is known wherever it is; one that
//! is some distance from a pointer has none, and so its copies are remembered.

use super::State;
use crate::value::{Base, Value};
use fusee_isa::language::Register;

/// Copies that are remembered.
const COPIES: usize = 16;

/// Copies, each with the register that it was copied from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Same(Vec<(Register, Register)>);

impl Same {
    /// A register gets another number.
    pub(super) fn forget(&mut self, register: Register) {
        if !self.0.is_empty() {
            self.0.retain(|&(copy, from)| copy != register && from != register);
        }
    }

    /// Keeps what holds in another state as well.
    pub(super) fn meet(&mut self, other: &Same) {
        self.0.retain(|pair| other.0.contains(pair));
    }

    /// Returns whether all of it holds in another state.
    pub(super) fn tells_no_more(&self, other: &Same) -> bool {
        self.0.iter().all(|pair| other.0.contains(pair))
    }

    fn add(&mut self, copy: Register, from: Register) {
        // All copies name the first register, so that what is learnt of one reaches all of them.
        let from = self.origin(from);
        super::remember(&mut self.0, (copy, from), COPIES);
    }

    /// Returns what a register was copied from, or it.
    fn origin(&self, register: Register) -> Register {
        self.0.iter().find(|(copy, _)| *copy == register).map_or(register, |&(_, from)| from)
    }
}

impl State {
    /// A register was just copied to another one.
    pub(super) fn note_copy(&mut self, copy: Register, from: Register) {
        let value = self.get(copy);
        // A number at one distance from a name is found by that name; only a
        // range of distances is not.
        let is_distance =
            matches!(value.base, Base::Symbol(_)) && value.range.as_constant().is_none();
        let is_kept = copy.index() < self.kept && from.index() < self.kept;
        if is_distance && is_kept && copy != from && value == self.get(from) {
            self.same.add(copy, from);
        }
    }

    /// More is known of the number in a register, and in all that hold the same.
    pub(super) fn narrow(&mut self, register: Register, value: Value) {
        let origin = self.same.origin(register);
        // Not by `set`, which would forget that they are the same.
        for &(copy, from) in &self.same.0 {
            if from == origin {
                self.registers[copy.index()] = value;
            }
        }
        self.registers[origin.index()] = value;
        self.registers[register.index()] = value;
    }
}
