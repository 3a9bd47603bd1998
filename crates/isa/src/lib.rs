//! Instructions of all processors in one vocabulary, and their conventions.
//!
//! Decoders lead from the bytes of one processor family to the common
//! [`language`]; an [`Architecture`] also tells what its calling convention fixes.
//! Whatever looks at programs is written once, against these.

pub mod a32;
pub mod aarch64;
mod emit;
mod error;
mod flags;
pub mod float;
pub mod language;
pub mod riscv;

pub use error::DecodeError;

use language::{Instruction, Register, Width};
use riscv::Xlen;

/// An instruction set with what its calling convention fixes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Architecture {
    /// The architecture RISC-V.
    Riscv(Xlen),
    /// The 64-bit state of ARMv8-A.
    Aarch64,
    /// The ARM instructions of ARMv7-A.
    A32,
}

impl Architecture {
    /// Reads the instruction at the start of `code`, which lies at `address`.
    ///
    /// # Errors
    /// [`DecodeError`] when the bytes end too early or are no supported instruction.
    pub fn decode(self, code: &[u8], address: u64) -> Result<Instruction, DecodeError> {
        match self {
            Architecture::Riscv(xlen) => riscv::decode(code, address, xlen),
            Architecture::Aarch64 => aarch64::decode(code, address),
            Architecture::A32 => a32::decode(code, address),
        }
    }

    /// Returns its name for people.
    pub fn name(self) -> &'static str {
        match self {
            Architecture::Riscv(Xlen::Rv32) => "RV32",
            Architecture::Riscv(Xlen::Rv64) => "RV64",
            Architecture::Aarch64 => "AArch64",
            Architecture::A32 => "A32",
        }
    }

    /// Returns the stack pointer.
    pub fn stack_pointer(self) -> Register {
        match self {
            Architecture::Riscv(_) => riscv::SP,
            Architecture::Aarch64 => aarch64::SP,
            Architecture::A32 => a32::SP,
        }
    }

    /// Returns the registers by which compilers' code finds its frame.
    pub fn frame_registers(self) -> Vec<Register> {
        match self {
            Architecture::Riscv(_) => vec![riscv::SP, Register::new(8)],
            Architecture::Aarch64 => vec![aarch64::SP, aarch64::general(29)],
            Architecture::A32 => vec![a32::SP, a32::general(7), a32::general(11)],
        }
    }

    /// Returns the number that divides the stack pointer at a function's entry, as the calling
    /// conventions demand, in bytes.
    pub fn stack_alignment(self) -> u64 {
        match self {
            Architecture::Riscv(_) | Architecture::Aarch64 => 16,
            Architecture::A32 => 8,
        }
    }

    /// Returns the register that keeps the return address at a function's entry.
    pub fn link(self) -> Register {
        match self {
            Architecture::Riscv(_) => riscv::RA,
            Architecture::Aarch64 => aarch64::LINK,
            Architecture::A32 => a32::LINK,
        }
    }

    /// Registers that a function may leave changed, as the calling conventions have it.
    pub fn changed_by_calls(self) -> Vec<Register> {
        match self {
            Architecture::Riscv(_) => {
                [1, 5, 6, 7].into_iter().chain(10..=17).chain(28..=31).map(Register::new).collect()
            }
            Architecture::Aarch64 => {
                let numbers = || (0..=18).chain([30]);
                let halves = numbers().map(aarch64::half);
                numbers().map(aarch64::general).chain(halves).chain(aarch64::all_lanes()).collect()
            }
            Architecture::A32 => [0, 1, 2, 3, 12, 14].map(a32::general).to_vec(),
        }
    }

    /// Registers in which a call returns numbers.
    pub fn results(self) -> Vec<Register> {
        match self {
            Architecture::Riscv(_) => [10, 11].map(Register::new).to_vec(),
            Architecture::Aarch64 => vec![aarch64::general(0), aarch64::half(0)],
            Architecture::A32 => [0, 1].map(a32::general).to_vec(),
        }
    }

    /// Returns the registers that a program's name for one stands for, each with the width of the
    /// signed numbers that it holds.
    ///
    /// Nothing for the stack pointer, of which more is known than a number, and for what always
    /// reads 0.
    pub fn named(self, name: &str) -> Option<Vec<(Register, Width)>> {
        let numbered = |letter: char, end: u8| {
            let number: u8 = name.strip_prefix(letter)?.parse().ok()?;
            (number < end).then_some(number)
        };
        match self {
            Architecture::Riscv(_) => {
                let by_name =
                    riscv::NAMES.iter().position(|known| *known == name).map(|at| at as u8);
                let register = Register::new(numbered('x', 32).or(by_name)?);
                (register != Register::LOST && register != riscv::SP)
                    .then(|| vec![(register, self.register_width())])
            }
            Architecture::Aarch64 => {
                let half = |n| (aarch64::half(n), Width::Word);
                let whole = numbered('x', aarch64::GENERAL)
                    .map(|n| vec![(aarch64::general(n), Width::Double), half(n)]);
                whole.or_else(|| Some(vec![half(numbered('w', aarch64::GENERAL)?)]))
            }
            Architecture::A32 => Some(vec![(a32::general(numbered('r', 13)?), Width::Word)]),
        }
    }

    /// Returns the width of registers.
    pub fn register_width(self) -> Width {
        match self {
            Architecture::Riscv(Xlen::Rv32) | Architecture::A32 => Width::Word,
            Architecture::Riscv(Xlen::Rv64) | Architecture::Aarch64 => Width::Double,
        }
    }

    /// Registers that keep something from one instruction to the next; those behind them do not.
    pub fn kept_registers(self) -> usize {
        match self {
            Architecture::Riscv(_) => riscv::SCRATCH.index(),
            Architecture::Aarch64 => aarch64::SCRATCH.index(),
            Architecture::A32 => a32::SCRATCH.index(),
        }
    }

    /// Returns whether a register holds a half of a vector: a number, and never an address that is
    /// followed.
    pub fn is_lane(self, register: Register) -> bool {
        self == Architecture::Aarch64 && aarch64::is_lane(register)
    }

    /// Returns the address that a computed jump to this number leads to.
    pub fn jump_target(self, number: u64) -> u64 {
        match self {
            Architecture::Riscv(_) => number & !1,
            Architecture::Aarch64 | Architecture::A32 => number,
        }
    }
}

/// Returns the word at the start of `code`, where each instruction is one.
fn word_at(code: &[u8], address: u64) -> Result<u32, DecodeError> {
    if !address.is_multiple_of(4) {
        return Err(DecodeError::Misaligned { address });
    }
    let [a, b, c, d, ..] = *code else { return Err(DecodeError::Truncated { address }) };
    Ok(u32::from_le_bytes([a, b, c, d]))
}
