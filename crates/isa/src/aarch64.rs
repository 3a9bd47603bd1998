//! AArch64: the 64-bit state of ARMv8-A with the large system extensions.
//!
//! A register of 64 bits is also used as one of 32: such an instruction reads
//! the low half and clears the high one. Numbers with a sign would get lost in
//! that, so each register has a second one that holds its low half with its
//! sign, as all narrow numbers are held in the language; both are written by
//! each instruction that writes a register, and each reads the one it is about.
//!
//! Floating-point and vector instructions are opaque, but for what they do to
//! memory, general registers and flags, for loads, stores and copies of the
//! first eight vectors, and for scalar numbers there. Encodings of that group
//! that no processor has are not told from those that some have.

mod branch;
mod data;
mod memory;
mod move_data;
mod pairs;
mod scalar;
mod system;
mod vector;
mod vector_memory;

pub use self::scalar::put;

use super::emit::{Emit, bits, constant, signed};
use super::flags::{self, Flags};
use super::{DecodeError, word_at};
use crate::float::Float;
use crate::language::{Address, Binary, Class, Flow, Guard, Instruction, Operand, Register, Width};

/// The stack pointer.
pub const SP: Register = Register::new(32);
/// The register that calls keep the return address in.
pub const LINK: Register = general(30);

/// The number of general registers.
pub const GENERAL: u8 = 31;
/// The first of the registers that hold low halves.
const HALVES: u8 = 33;
/// The registers of the condition flags.
const FLAGS: Flags = Flags { first: HALVES + 31, scratch: SCRATCH.number(), full: Width::Double };

/// The first of the registers that hold halves of vectors, the lower one first.
const LANES: u8 = HALVES + 31 + flags::COUNT;
/// Vectors whose numbers are followed: compilers copy structures through the first of them.
const VECTORS: u8 = 8;
/// The first of the registers that hold what an instruction needs between two of its own effects.
pub const SCRATCH: Register = Register::new(LANES + 2 * VECTORS);
/// Scratch registers that the flags do not use.
const TEMPORARY: [Register; 4] = [
    Register::new(SCRATCH.number() + 2),
    Register::new(SCRATCH.number() + 3),
    Register::new(SCRATCH.number() + 4),
    Register::new(SCRATCH.number() + 5),
];

/// Returns the registers that hold the halves of a vector, the lower one first; `None`: its numbers
/// are not followed.
fn lanes(number: u8) -> Option<[Register; 2]> {
    let first = LANES + 2 * number;
    (number < VECTORS).then(|| [Register::new(first), Register::new(first + 1)])
}

/// Returns all registers that hold halves of vectors.
pub fn all_lanes() -> impl Iterator<Item = Register> {
    (LANES..SCRATCH.number()).map(Register::new)
}

/// Returns whether a register holds a half of a vector: a number, and never an address that is
/// followed.
pub const fn is_lane(register: Register) -> bool {
    LANES <= register.number() && register.number() < SCRATCH.number()
}

/// A word of ones in the low half.
const LOW: Operand = Operand::Constant(0xffff_ffff);

/// Returns the register that the language uses for `x0` to `x30`.
pub const fn general(number: u8) -> Register {
    Register::new(number + 1)
}

/// Returns the register that the language uses for `w0` to `w30`, with their sign.
pub const fn half(number: u8) -> Register {
    Register::new(HALVES + number)
}

/// Reads the instruction at the start of `code`, which lies at `address`.
///
/// # Errors
/// [`DecodeError`] when the bytes end too early or are no supported instruction.
pub fn decode(code: &[u8], address: u64) -> Result<Instruction, DecodeError> {
    let word = word_at(code, address)?;
    let decoder = Decoder { address, word };
    decoder.instruction().ok_or(DecodeError::Unknown { address, bits: word, isa: "AArch64" })
}

/// One word and where it lies.
struct Decoder {
    address: u64,
    word: u32,
}

/// The known facts of an instruction but its place.
struct Meaning {
    mnemonic: &'static str,
    class: Class,
    emit: Emit,
    flow: Flow,
    guard: Option<Guard>,
    echo: Option<(Operand, Operand)>,
    float: Option<Float>,
}

impl Meaning {
    fn new(mnemonic: &'static str, class: Class, emit: Emit) -> Self {
        let (flow, guard, echo, float) = (Flow::Next, None, None, None);
        Self { mnemonic, class, emit, flow, guard, echo, float }
    }

    fn flow(mnemonic: &'static str, class: Class, flow: Flow) -> Self {
        Self { flow, ..Self::new(mnemonic, class, Emit::default()) }
    }
}

/// A general register with the width at which it is used; number 31 reads as zero.
#[derive(Clone, Copy, PartialEq, Eq)]
struct View {
    number: u8,
    wide: bool,
}

impl View {
    fn width(self) -> Width {
        if self.wide { Width::Double } else { Width::Word }
    }

    fn read(self) -> Operand {
        match (self.number, self.wide) {
            (31, _) => constant(0),
            (number, true) => Operand::Register(general(number)),
            (number, false) => Operand::Register(Register::new(HALVES + number)),
        }
    }

    /// Like `read`, but number 31 is the stack pointer.
    fn read_or_stack(self) -> Operand {
        if self.number == 31 { Operand::Register(SP) } else { self.read() }
    }
}

impl Emit {
    /// Puts a result into a general register; into nothing for number 31.
    fn assign(&mut self, to: View, operation: Binary, operands: (Operand, Operand)) {
        if to.number == 31 {
            return;
        }
        let (whole, half) = (general(to.number), Register::new(HALVES + to.number));
        if to.wide {
            self.compute(whole, operation, operands, Width::Double);
            self.copy(half, Operand::Register(whole), Width::Word);
        } else {
            self.compute(half, operation, operands, Width::Word);
            self.compute(whole, Binary::And, (Operand::Register(half), LOW), Width::Double);
        }
    }

    /// Like `assign`, but number 31 is the stack pointer.
    fn assign_or_stack(&mut self, to: View, operation: Binary, operands: (Operand, Operand)) {
        if to.number != 31 {
            return self.assign(to, operation, operands);
        }
        self.compute(SP, operation, operands, to.width());
        if !to.wide {
            self.compute(SP, Binary::And, (Operand::Register(SP), LOW), Width::Double);
        }
    }

    /// Copies an operand into a general register.
    fn set(&mut self, to: View, value: Operand) {
        self.assign(to, Binary::Add, (value, constant(0)));
    }

    /// A general register gets a value that no analysis knows.
    fn lose(&mut self, to: View) {
        if to.number != 31 {
            self.unknown(TEMPORARY[0]);
            self.set(to, Operand::Register(TEMPORARY[0]));
        }
    }

    /// Both widths of a register after one of them was written.
    fn complete(&mut self, number: u8, whole_is_new: bool) {
        if number == 31 {
            return;
        }
        let (whole, half) = (general(number), Register::new(HALVES + number));
        if whole_is_new {
            self.copy(half, Operand::Register(whole), Width::Word);
        } else {
            self.compute(whole, Binary::And, (Operand::Register(half), LOW), Width::Double);
        }
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
        self.bits(low, 5) as u8
    }

    /// Returns the general register whose number starts at a bit, at the width of bit 31.
    fn view(&self, low: u32) -> View {
        View { number: self.number(low), wide: self.bit(31) }
    }

    fn wide(&self, low: u32) -> View {
        View { number: self.number(low), wide: true }
    }

    /// Returns an address relative to this instruction, from a signed count of words.
    fn relative(&self, low: u32, count: u32) -> u64 {
        self.address.wrapping_add_signed(signed(self.bits(low, count), count) * 4)
    }

    fn instruction(&self) -> Option<Instruction> {
        let meaning = match self.bits(25, 4) {
            0b0000 if self.bits(16, 16) == 0 => {
                Some(Meaning::flow("udf", Class::System, Flow::Breakpoint))
            }
            0b1000 | 0b1001 => self.immediate(),
            0b1010 | 0b1011 => self.branches(),
            0b0100 | 0b0110 | 0b1100 | 0b1110 => self.memory(),
            0b0101 | 0b1101 => self.register(),
            0b0111 | 0b1111 => self.vector(),
            _ => None,
        }?;
        let Meaning { mnemonic, class, emit, flow, guard, echo, float } = meaning;
        let (address, effects, float) = (self.address, emit.effects, float.map(Box::new));
        Some(Instruction { address, size: 4, mnemonic, class, effects, flow, guard, echo, float })
    }

    /// Makes a meaning depend on a condition; what is done without it is given.
    fn guarded(condition: u32, meaning: Meaning, otherwise: Emit) -> Meaning {
        let Some(asked) = FLAGS.condition(condition) else { return meaning };
        let flags::Condition { comparison, left, right, echo } = asked;
        let guard = Guard { comparison, left, right, otherwise: otherwise.effects };
        Meaning { guard: Some(guard), echo, ..meaning }
    }
}

/// Returns the address in a register, which may be the stack pointer, and a distance.
fn at(base: u8, offset: i64) -> Address {
    Address { base: View { number: base, wide: true }.read_or_stack(), offset }
}
