//! Bit fields, extensions, reversals, division; parallel sums are opaque.

use super::{COUNTER, Decoder, Meaning, TEMPORARY, general, register, word};
use crate::a32::operand::rotate_right;
use crate::emit::{Emit, constant};
use crate::language::{Binary, Class, Flow, Operand, Width};

impl Decoder {
    pub(super) fn media(&self) -> Option<Meaning> {
        let (group, low) = (self.bits(20, 5), self.bits(5, 3));
        match (group, low) {
            (0b0_0001..=0b0_0011 | 0b0_0101..=0b0_0111, 0..=4 | 7) => self.opaque("parallel", 12),
            (0b0_1000, 0 | 2 | 4 | 6) => self.pack(),
            (0b0_1000, 5) => self.opaque("sel", 12),
            (0b0_1010 | 0b0_1011 | 0b0_1110 | 0b0_1111, 0 | 2 | 4 | 6) => self.saturate(),
            (0b0_1010 | 0b0_1110, 1) => self.opaque("sat16", 12),
            (0b0_1100, 3) if self.number(16) == COUNTER => self.extend_halves(),
            (0b0_1000 | 0b0_1100, 3) => self.opaque("xtb16", 12),
            (0b0_1010 | 0b0_1011 | 0b0_1110 | 0b0_1111, 3) => self.extend(),
            (0b0_1011, 1) => self.reverse("rev", Binary::ReverseBytes),
            (0b0_1111, 1) => self.reverse("rbit", Binary::ReverseBits),
            (0b0_1011, 5) | (0b0_1111, 5) => self.reverse_halves(),
            (0b1_0000, 0..=3) | (0b1_0101, 0 | 1 | 6 | 7) => self.opaque("smlad", 16),
            (0b1_0100, 0..=3) => {
                let mut meaning = self.opaque("smlald", 16)?;
                meaning.emit.unknown(general(self.target()?));
                Some(meaning)
            }
            (0b1_0001, 0) => self.divide("sdiv", Binary::DivideSigned),
            (0b1_0011, 0) => self.divide("udiv", Binary::DivideUnsigned),
            (0b1_1000, 0) => self.opaque("usad8", 16),
            (0b1_1010 | 0b1_1011, 2 | 6) => self.extract_field(Binary::ShiftRightSigned, "sbfx"),
            (0b1_1110 | 0b1_1111, 2 | 6) => self.extract_field(Binary::ShiftRight, "ubfx"),
            (0b1_1100 | 0b1_1101, 0 | 4) => self.insert_field(),
            (0b1_1111, 7) => Some(Meaning::flow("udf", Class::System, Flow::Breakpoint)),
            _ => None,
        }
    }

    fn done(&self, mnemonic: &'static str, emit: Emit) -> Option<Meaning> {
        Some(Meaning::new(mnemonic, Class::Arithmetic, emit))
    }

    /// Halves of two registers put together.
    fn pack(&self) -> Option<Meaning> {
        let target = general(self.target()?);
        let (first, second) = (self.read(self.number(16)), self.read(self.number(0)));
        let (amount, top_of_first) = (self.bits(7, 5), self.bit(6));
        let (kept, other) = (TEMPORARY[0], TEMPORARY[1]);
        let mut emit = Emit::default();
        let (of_first, of_second) = if top_of_first {
            (word(0xffff_0000), word(0xffff))
        } else {
            (word(0xffff), word(0xffff_0000))
        };
        let operation = if top_of_first { Binary::ShiftRightSigned } else { Binary::ShiftLeft };
        let amount = if top_of_first && amount == 0 { 31 } else { amount };
        emit.binary(other, operation, second, constant(amount.into()));
        emit.binary(other, Binary::And, register(other), of_second);
        emit.binary(kept, Binary::And, first, of_first);
        emit.binary(target, Binary::Or, register(kept), register(other));
        self.done("pkh", emit)
    }

    /// Returns the low byte of each half, extended by zeros.
    fn extend_halves(&self) -> Option<Meaning> {
        let target = general(self.target()?);
        let mut emit = Emit::default();
        let from = self.rotated(&mut emit);
        emit.binary(target, Binary::And, from, word(0x00ff_00ff));
        self.done("uxtb16", emit)
    }

    /// The register to be extended, rotated by bytes.
    fn rotated(&self, emit: &mut Emit) -> Operand {
        let from = self.read(self.number(0));
        match self.bits(10, 2) * 8 {
            0 => from,
            rotation => {
                rotate_right(emit, from, constant(rotation.into()));
                register(TEMPORARY[0])
            }
        }
    }

    fn extend(&self) -> Option<Meaning> {
        let target = general(self.target()?);
        let mut emit = Emit::default();
        let (half, unsigned) = (self.bit(20), self.bit(22));
        let from = self.rotated(&mut emit);
        let addend = self.number(16);
        let into = if addend == COUNTER { target } else { TEMPORARY[1] };
        let count = if half { 16 } else { 8 };
        if unsigned {
            emit.binary(into, Binary::And, from, constant((1 << count) - 1));
        } else {
            emit.sign_extend(into, from, count, Width::Word);
        }
        if addend != COUNTER {
            emit.binary(target, Binary::Add, self.read(addend), register(into));
        }
        self.done(if unsigned { "uxt" } else { "sxt" }, emit)
    }

    fn reverse(&self, mnemonic: &'static str, operation: Binary) -> Option<Meaning> {
        let mut emit = Emit::default();
        emit.binary(general(self.target()?), operation, self.read(self.number(0)), constant(0));
        self.done(mnemonic, emit)
    }

    /// Returns the bytes of each half in opposite order, or of the low half with its sign.
    fn reverse_halves(&self) -> Option<Meaning> {
        let target = general(self.target()?);
        let from = self.read(self.number(0));
        let mut emit = Emit::default();
        let result = TEMPORARY[0];
        if self.bit(22) {
            emit.binary(result, Binary::ReverseBytes, from, constant(0));
            emit.binary(target, Binary::ShiftRightSigned, register(result), constant(16));
            return self.done("revsh", emit);
        }
        emit.binary(result, Binary::ReverseBytes, from, constant(0));
        rotate_right(&mut emit, register(result), constant(16));
        emit.put(target, register(result));
        self.done("rev16", emit)
    }

    /// Returns a quotient; division by zero gives zero.
    fn divide(&self, mnemonic: &'static str, operation: Binary) -> Option<Meaning> {
        let target = general(Some(self.number(16)).filter(|&number| number != COUNTER)?);
        let (left, right) = (self.read(self.number(0)), self.read(self.number(8)));
        let (quotient, mask) = (TEMPORARY[0], TEMPORARY[1]);
        let mut emit = Emit::default();
        emit.binary(quotient, operation, left, right);
        emit.binary(mask, Binary::LessUnsigned, constant(0), right);
        emit.binary(mask, Binary::Subtract, constant(0), register(mask));
        emit.binary(target, Binary::And, register(quotient), register(mask));
        Some(Meaning::new(mnemonic, Class::Divide, emit))
    }

    fn extract_field(&self, right: Binary, mnemonic: &'static str) -> Option<Meaning> {
        let target = general(self.target()?);
        let (low, length) = (self.bits(7, 5), self.bits(16, 5) + 1);
        if low + length > 32 {
            return None;
        }
        let from: Operand = self.read(self.number(0));
        let mut emit = Emit::default();
        if right == Binary::ShiftRight && length < 32 {
            emit.binary(TEMPORARY[0], right, from, constant(low.into()));
            emit.binary(
                target,
                Binary::And,
                register(TEMPORARY[0]),
                constant((1i64 << length) - 1),
            );
        } else {
            let up = 32 - low - length;
            emit.binary(TEMPORARY[0], Binary::ShiftLeft, from, constant(up.into()));
            emit.binary(target, right, register(TEMPORARY[0]), constant((up + low).into()));
        }
        self.done(mnemonic, emit)
    }

    fn insert_field(&self) -> Option<Meaning> {
        let target = general(self.target()?);
        let (low, high) = (self.bits(7, 5), self.bits(16, 5));
        if high < low {
            return None;
        }
        let ones = (u32::MAX >> (31 - (high - low))) << low;
        let (field, rest) = (TEMPORARY[0], TEMPORARY[1]);
        let mut emit = Emit::default();
        emit.binary(rest, Binary::And, register(target), word(!ones));
        if self.number(0) == COUNTER {
            emit.put(target, register(rest));
            return self.done("bfc", emit);
        }
        emit.binary(field, Binary::ShiftLeft, self.read(self.number(0)), constant(low.into()));
        emit.binary(field, Binary::And, register(field), word(ones));
        emit.binary(target, Binary::Or, register(field), register(rest));
        self.done("bfi", emit)
    }
}
