//! The effects of instructions on what is known.

use super::State;
use crate::language::{Address, Binary, Comparison, Effect, Operand, Width};
use crate::program::Program;
use crate::value::{Base, Range, Value, refine};

/// A memory access of one instruction, for machines with caches and devices.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Access {
    /// Where.
    pub address: Value,
    /// How much.
    pub width: Width,
    /// Whether it writes.
    pub write: bool,
}

impl State {
    /// Where an address can point.
    pub fn address(&self, address: Address, program: &Program) -> Value {
        let sum = Value::compute(
            Binary::Add,
            self.operand(address.base),
            Value::constant(address.offset as u64),
            program.register_width(),
        );
        match sum.base {
            Base::None if sum != Value::ANY => Value::number(sum.range.zero_extended(program.register_width())),
            _ => sum,
        }
    }

    /// Applies one effect; says which memory it touched.
    pub fn apply(&mut self, effect: &Effect, program: &Program) -> Option<Access> {
        match *effect {
            Effect::Compute { target, operation, left, right, width } => {
                let value = self.compute(operation, (left, right), width, program);
                let lost = |o: Operand| self.operand(o).base == Base::Stack && value.base == Base::None;
                let difference = matches!(operation, Binary::Subtract | Binary::LessSigned | Binary::LessUnsigned);
                if !difference && (lost(left) || lost(right)) {
                    self.memory.leak_stack();
                }
                self.set(target, value);
                None
            }
            Effect::Load { target, address, width, signed } => {
                let address = self.address(address, program);
                let mut value = self.memory.load(address, width, signed, program);
                if value.base != Base::None && width != program.register_width() {
                    self.memory.leak_stack();
                    value = Value::number(Range::of_width(width, signed));
                }
                if target.0 != 0 {
                    self.set(target, value);
                }
                Some(Access { address, width, write: false })
            }
            Effect::Store { address, value, width } => {
                let address = self.address(address, program);
                let mut value = self.operand(value);
                if value.base != Base::None && width != program.register_width() {
                    value = Value::number(Range::of_width(width, true));
                }
                self.memory.store(address, value, width, program);
                Some(Access { address, width, write: true })
            }
            Effect::Atomic { target, address, width } => {
                let address = self.address(address, program);
                let old = self.memory.load(address, width, true, program);
                self.memory.store(address, Value::number(Range::of_width(width, true)), width, program);
                if let Some(target) = target {
                    self.set(target, old);
                }
                Some(Access { address, width, write: true })
            }
            Effect::Unknown { target } => {
                self.set(target, Value::number(Range::of_width(program.register_width(), true)));
                None
            }
        }
    }

    /// A result; where the operation is narrower than the registers, or leaves their range, a base is lost.
    fn compute(&self, operation: Binary, operands: (Operand, Operand), width: Width, program: &Program) -> Value {
        let full = program.register_width();
        let seen = |operand: Operand| match self.operand(operand) {
            value if width == full || value.base == Base::None => value,
            _ => Value::number(Range::of_width(full, true)),
        };
        let value = Value::compute(operation, seen(operands.0), seen(operands.1), width);
        let fits = value.base == Base::None || Range::of_width(full, true).includes(value.range);
        if fits { value } else { Value::number(Range::of_width(full, true)) }
    }

    /// Keeps only what is possible when the comparison holds; false when nothing is.
    pub fn assume(&mut self, comparison: Comparison, left: Operand, right: Operand) -> bool {
        let Some((l, r)) = refine(comparison, self.operand(left), self.operand(right)) else { return false };
        for (operand, value) in [(left, l), (right, r)] {
            if let Operand::Register(register) = operand {
                self.set(register, value);
            }
        }
        true
    }
}
