//! A32: the 32-bit ARM instructions of ARMv7-A, with division.
//!
//! Nearly every instruction can depend on the condition flags; that is a guard
//! in the language, and a conditional branch is a branch. The program counter
//! reads as a constant, and writing it is a jump: with the link register or from
//! the stack it is a return. Thumb instructions have no decoder; a jump to an
//! odd address says so.
//!
//! Floating-point and vector instructions are opaque, but for what they do to
//! memory, general registers and flags. Encodings of that group that no
//! processor has are not told from those that some have.

mod block;
mod control;
mod data;
mod media;
mod memory;
mod multiply;
mod operand;
mod saturate;
mod status;
mod vector;

use super::emit::{Emit, bits, constant, signed};
use super::flags::{self, Flags};
use super::{DecodeError, word_at};
use crate::language::{Binary, Class, Flow, Guard, Instruction, Operand, Register, Target, Width};

/// The stack pointer.
pub const SP: Register = Register::new(14);
/// The register that calls keep the return address in.
pub const LINK: Register = Register::new(15);

const FLAGS: Flags = Flags { first: 16, scratch: SCRATCH.number(), full: Width::Word };
/// The first of the registers that hold what an instruction needs between two of its own effects.
pub const SCRATCH: Register = Register::new(16 + flags::COUNT);
/// Scratch registers that the flags do not use.
const TEMPORARY: [Register; 5] = [
    Register::new(SCRATCH.number() + 2),
    Register::new(SCRATCH.number() + 3),
    Register::new(SCRATCH.number() + 4),
    Register::new(SCRATCH.number() + 5),
    Register::new(SCRATCH.number() + 6),
];

const STACK_NUMBER: u8 = 13;
const LINK_NUMBER: u8 = 14;
const COUNTER: u8 = 15;

/// Reads the instruction at the start of `code`, which lies at `address`.
///
/// # Errors
/// [`DecodeError`] for Thumb addresses, and when the bytes end too early or are no supported
/// instruction.
pub fn decode(code: &[u8], address: u64) -> Result<Instruction, DecodeError> {
    if address & 1 == 1 {
        return Err(DecodeError::Thumb { address: address & !1 });
    }
    let word = word_at(code, address)?;
    let decoder = Decoder { address, word };
    decoder.instruction().ok_or(DecodeError::Unknown { address, bits: word, isa: "A32 (ARMv7-A)" })
}

/// Returns the register that the language uses for `r0` to `r14`.
pub const fn general(number: u8) -> Register {
    Register::new(number + 1)
}

/// One word and where it lies.
struct Decoder {
    address: u64,
    word: u32,
}

/// The known facts of an instruction but its place and its condition.
struct Meaning {
    mnemonic: &'static str,
    class: Class,
    emit: Emit,
    flow: Flow,
}

impl Meaning {
    fn new(mnemonic: &'static str, class: Class, emit: Emit) -> Self {
        Self { mnemonic, class, emit, flow: Flow::Next }
    }

    fn flow(mnemonic: &'static str, class: Class, flow: Flow) -> Self {
        Self { flow, ..Self::new(mnemonic, class, Emit::default()) }
    }
}

/// Returns a register operand as the language has it.
fn register(register: Register) -> Operand {
    Operand::Register(register)
}

/// Returns a number of 32 bits as registers hold it.
fn word(number: u32) -> Operand {
    constant(i64::from(number as i32))
}

impl Emit {
    fn binary(&mut self, target: Register, operation: Binary, left: Operand, right: Operand) {
        self.compute(target, operation, (left, right), Width::Word);
    }

    fn put(&mut self, target: Register, value: Operand) {
        self.copy(target, value, Width::Word);
    }
}

impl Decoder {
    fn bits(&self, low: u32, count: u32) -> u32 {
        bits(self.word, low, count)
    }

    fn bit(&self, at: u32) -> bool {
        self.bits(at, 1) == 1
    }

    fn number(&self, low: u32) -> u8 {
        self.bits(low, 4) as u8
    }

    /// Returns the program counter as instructions read it.
    fn counter(&self) -> u32 {
        (self.address as u32).wrapping_add(8)
    }

    /// Returns a register's value; the program counter is a constant.
    fn read(&self, number: u8) -> Operand {
        if number == COUNTER { word(self.counter()) } else { register(general(number)) }
    }

    /// Returns the target of a branch with a distance of 24 bits.
    fn relative(&self, half: u32) -> u64 {
        let distance = signed(self.bits(0, 24), 24) * 4;
        u64::from(self.counter().wrapping_add(distance as u32).wrapping_add(half))
    }

    fn instruction(&self) -> Option<Instruction> {
        if self.bits(28, 4) == 15 {
            return Some(self.finish(self.unconditional()?, None));
        }
        let meaning = match self.bits(25, 3) {
            0 | 1 => self.data_or_others(),
            2 => self.single(),
            3 if self.bit(4) => self.media(),
            3 => self.single(),
            4 => self.block(),
            5 => Some(self.branch()),
            6 => self.coprocessor_memory(),
            _ if self.bit(24) => Some(Meaning::flow("svc", Class::System, Flow::SystemCall)),
            _ => self.coprocessor(),
        }?;
        Some(self.finish(meaning, FLAGS.condition(self.bits(28, 4))))
    }

    fn finish(&self, meaning: Meaning, condition: Option<flags::Condition>) -> Instruction {
        let Meaning { mnemonic, class, emit, flow } = meaning;
        let (address, effects) = (self.address, emit.effects);
        let plain = Instruction {
            address,
            size: 4,
            mnemonic,
            class,
            effects,
            flow,
            guard: None,
            echo: None,
            float: None,
        };
        let Some(flags::Condition { comparison, left, right, echo }) = condition else {
            return plain;
        };
        match plain.flow {
            Flow::Jump(Target::Fixed(target)) => {
                let flow = Flow::Branch { comparison, left, right, target };
                Instruction { flow, class: Class::Branch, echo, ..plain }
            }
            _ => {
                let guard = Guard { comparison, left, right, otherwise: Vec::new() };
                Instruction { guard: Some(guard), echo, ..plain }
            }
        }
    }
}
