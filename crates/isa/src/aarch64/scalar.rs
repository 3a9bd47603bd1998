//! Scalar floating point: what it does to the numbers of the first few vectors.
//!
//! Effects say of these numbers only what a constant makes of them. What is
//! calculated stands in a [`Float`], for whoever executes on numbers: registers
//! that it reads are those of the language, lower halves of vectors among them.

use super::{Decoder, FLAGS, View, lanes};
use crate::emit::{Emit, bits, constant};
use crate::float::{Bank, Float, Format, Operation, Rounding, Whole};
use crate::language::{Effect, Operand, Register, Width};

/// The number of a source that is zero.
const ZERO: u8 = Register::LOST.number();

/// Returns the effects that put the result of a calculation where it belongs.
///
/// `result` are the bits of a number, the four bits of flags, or a whole number.
pub fn put(float: &Float, result: u64) -> Vec<Effect> {
    let mut emit = Emit::default();
    let number = constant(result as i64);
    match float.operation {
        Operation::Compare => FLAGS.fixed(&mut emit, result as u32),
        Operation::ToBits => {
            let wide = float.format == Format::Double;
            emit.set(View { number: float.target, wide }, number);
        }
        Operation::ToWhole(whole) => {
            let wide = matches!(whole, Whole::Double | Whole::UnsignedDouble);
            emit.set(View { number: float.target, wide }, number);
        }
        _ => emit.set_scalar(float.target, number),
    }
    emit.effects
}

impl Emit {
    /// A vector gets one number, and zeros above it.
    fn set_scalar(&mut self, number: u8, bits: Operand) {
        if let Some([low, high]) = lanes(number) {
            self.copy(low, bits, Width::Double);
            self.copy(high, constant(0), Width::Double);
        }
    }
}

impl Decoder {
    /// Returns the bits that a move of a constant puts into a vector; `None`: it is none.
    pub(super) fn moved_constant(&self) -> Option<u64> {
        let immediate = self.bit(21) && self.bits(10, 3) == 0b100 && self.bits(5, 5) == 0;
        let zero = self.reads_general() == Some(Operation::FromBits) && self.number(5) == 31;
        match self.format() {
            Some(_) if zero => Some(0),
            Some(format) if immediate => Some(expanded(self.bits(13, 8), format)),
            _ => None,
        }
    }

    /// A constant as the number of a vector.
    pub(super) fn put_constant(&self, emit: &mut Emit, number: u64) {
        emit.set_scalar(self.number(0), constant(number as i64));
    }

    /// Returns what an instruction of scalar floating point calculates, if all registers are
    /// followed that it reads and writes.
    pub(super) fn calculation(&self) -> Option<Float> {
        let format = self.format()?;
        let (n, m, a) = (self.number(5), self.number(16), self.number(10));
        if self.bits(24, 5) == 0b11111 {
            let operation = Operation::MultiplyAdd {
                negates_product: self.bit(21) != self.bit(15),
                negates_addend: self.bit(21),
            };
            return self.float(operation, format, &[n, m, a]);
        }
        if let Some(operation) = self.reads_general() {
            let source = match self.view(5).read() {
                Operand::Register(source) => source.number(),
                Operand::Constant(_) => ZERO,
            };
            let float = self.float(operation, format, &[])?;
            return Some(Float { sources: [source, 0, 0], ..float });
        }
        if let Some((operation, rounding)) = self.writes_general() {
            return Some(Float { rounding, ..self.float(operation, format, &[n])? });
        }
        if self.bit(31) || !self.bit(21) {
            return None;
        }
        match (self.bits(10, 2), self.bits(10, 5)) {
            (0b10, _) => self.float(self.of_two()?, format, &[n, m]),
            (_, 0b10000) => {
                let (operation, format) = self.of_one(format)?;
                self.float(operation, format, &[n, n])
            }
            (_, 0b01000) if self.bits(0, 3) == 0 && self.bits(14, 2) == 0 => {
                let mut float = self.float(Operation::Compare, format, &[n, n])?;
                float.sources[1] = if self.bit(3) { ZERO } else { lanes(m)?[0].number() };
                Some(float)
            }
            _ => None,
        }
    }

    /// Returns a calculation from lower halves of vectors, if these and the target are followed.
    fn float(&self, operation: Operation, format: Format, from: &[u8]) -> Option<Float> {
        let target = self.number(0);
        let is_elsewhere =
            matches!(operation, Operation::Compare | Operation::ToBits | Operation::ToWhole(_));
        if !is_elsewhere {
            lanes(target)?;
        }
        let mut sources = [0; 3];
        for (source, &vector) in sources.iter_mut().zip(from) {
            *source = lanes(vector)?[0].number();
        }
        let rounding = Rounding::Dynamic;
        Some(Float { operation, format, rounding, target, sources, bank: Bank::Lanes })
    }

    /// Returns the format of the sources.
    fn format(&self) -> Option<Format> {
        match self.bits(22, 2) {
            0 => Some(Format::Single),
            1 => Some(Format::Double),
            _ => None,
        }
    }

    /// Returns an operation with two sources.
    fn of_two(&self) -> Option<Operation> {
        Some(match self.bits(12, 4) {
            0b0000 => Operation::Multiply,
            0b0001 => Operation::Divide,
            0b0010 => Operation::Add,
            0b0011 => Operation::Subtract,
            0b0100 | 0b0110 => Operation::Greatest,
            0b0101 | 0b0111 => Operation::Least,
            _ => return None,
        })
    }

    /// Returns an operation that reads one register twice, and the format of its result.
    fn of_one(&self, format: Format) -> Option<(Operation, Format)> {
        Some(match self.bits(15, 6) {
            // A number with its own sign.
            0b000000 => (Operation::Sign, format),
            // A sign that is added to itself is gone.
            0b000001 => (Operation::ExclusiveSign, format),
            0b000010 => (Operation::OppositeSign, format),
            0b000011 => (Operation::SquareRoot, format),
            0b000100 => (Operation::FromFormat(format), Format::Single),
            0b000101 => (Operation::FromFormat(format), Format::Double),
            _ => return None,
        })
    }

    /// Returns `true` if it is between a general register and a vector, without a fixed point.
    fn is_between(&self) -> bool {
        self.bits(24, 5) == 0b11110 && self.bit(21) && self.bits(10, 6) == 0
    }

    /// Returns the whole number that the general register holds.
    fn whole(&self, is_unsigned: bool) -> Whole {
        match (self.bit(31), is_unsigned) {
            (false, false) => Whole::Word,
            (false, true) => Whole::UnsignedWord,
            (true, false) => Whole::Double,
            (true, true) => Whole::UnsignedDouble,
        }
    }

    /// Returns `true` if a move of bits has registers of one length.
    fn moves_all(&self) -> bool {
        self.bits(22, 2) == self.bits(31, 1)
    }

    /// Returns an operation whose source is a general register.
    fn reads_general(&self) -> Option<Operation> {
        match (self.is_between(), self.bits(16, 5)) {
            (true, 0b00010) => Some(Operation::FromWhole(self.whole(false))),
            (true, 0b00011) => Some(Operation::FromWhole(self.whole(true))),
            (true, 0b00111) if self.moves_all() => Some(Operation::FromBits),
            _ => None,
        }
    }

    /// Returns an operation whose target is a general register, and how it rounds.
    fn writes_general(&self) -> Option<(Operation, Rounding)> {
        const MODES: [Rounding; 4] =
            [Rounding::Nearest, Rounding::Up, Rounding::Down, Rounding::Zero];
        let (mode, kind) = (self.bits(19, 2), self.bits(16, 3));
        let whole = Operation::ToWhole(self.whole(kind & 1 == 1));
        match (self.is_between(), mode, kind) {
            (true, mode, 0 | 1) => Some((whole, MODES[mode as usize])),
            (true, 0, 4 | 5) => Some((whole, Rounding::NearestAway)),
            (true, 0, 6) if self.moves_all() => Some((Operation::ToBits, Rounding::Nearest)),
            _ => None,
        }
    }
}

/// Returns the number of eight bits of a constant: sign, three of the exponent, four digits.
fn expanded(constant: u32, format: Format) -> u64 {
    let (sign, below, digits) = (bits(constant, 7, 1), bits(constant, 6, 1), bits(constant, 0, 6));
    let (exponent_bits, fraction_bits) = match format {
        Format::Single => (8, 23),
        Format::Double => (11, 52),
    };
    let ones = if below == 1 { (1u64 << (exponent_bits - 3)) - 1 } else { 0 };
    let high = u64::from(1 - below) << (exponent_bits - 3) | ones;
    let sign = u64::from(sign) << (exponent_bits + fraction_bits);
    sign | high << (fraction_bits + 2) | u64::from(digits) << (fraction_bits - 4)
}

/// The system register of the rounding mode, FPCR, from bit 5 up.
pub(super) const ROUNDING: u32 = 0b1101_1010_0010_0000;

/// Returns the change of the rounding mode.
pub(super) fn set_rounding() -> Float {
    Float {
        operation: Operation::SetRounding,
        format: Format::Double,
        rounding: Rounding::Dynamic,
        target: 0,
        sources: [ZERO; 3],
        bank: Bank::Lanes,
    }
}
