//! What is known at one point of an execution: registers and memory.

mod memory;
mod step;

pub use memory::Memory;
pub use step::Access;

use crate::language::{Operand, Register};
use crate::program::Program;
use crate::value::{Base, Value};

/// Number of registers, one for use inside instructions included.
const REGISTERS: usize = 33;

/// What is known at one point of an execution.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    registers: [Value; REGISTERS],
    /// What is known of memory.
    pub memory: Memory,
}

impl State {
    /// Nothing is known but where the stack is; arguments are what they are.
    ///
    /// Every register holds the value that it had at entry, which is some value
    /// that stays the same: that is how saved registers are found restored.
    pub fn at_entry(stack_pointer: Register) -> Self {
        let registers = std::array::from_fn(|i| Value::based(Base::Entry(i as u8)));
        let mut state = Self { registers, memory: Memory::default() };
        state.set(stack_pointer, Value::based(Base::Stack));
        state
    }

    /// What a register can hold.
    pub fn get(&self, register: Register) -> Value {
        self.registers[usize::from(register.0) % REGISTERS]
    }

    /// Says what a register holds.
    pub fn set(&mut self, register: Register, value: Value) {
        self.registers[usize::from(register.0) % REGISTERS] = value;
    }

    /// What an operand can be.
    pub fn operand(&self, operand: Operand) -> Value {
        match operand {
            Operand::Register(register) => self.get(register),
            Operand::Constant(number) => Value::constant(number),
        }
    }

    /// Whether all that `other` allows is allowed here.
    pub fn includes(&self, other: &State, program: &Program) -> bool {
        let registers = self.registers.iter().zip(&other.registers);
        registers.clone().all(|(mine, theirs)| mine.includes(theirs)) && self.memory.includes(&other.memory, program)
    }

    /// Makes this allow all that `other` allows.
    pub fn join(&mut self, other: &State, program: &Program) {
        self.merge(other, program, Value::join);
    }

    /// Like `join`, but so coarse that repeating it ends soon.
    pub fn widen(&mut self, next: &State, program: &Program) {
        self.merge(next, program, Value::widen);
    }

    fn merge(&mut self, other: &State, program: &Program, combine: fn(Value, Value) -> Value) {
        for (mine, theirs) in self.registers.iter_mut().zip(&other.registers) {
            if mine != theirs {
                let joined = combine(*mine, *theirs);
                if joined.base == Base::None && (mine.base == Base::Stack || theirs.base == Base::Stack) {
                    self.memory.leak_stack();
                }
                *mine = joined;
            }
        }
        self.memory.merge(&other.memory, program, combine);
    }
}
