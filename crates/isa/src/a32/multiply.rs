//! Products and sums of products.

use super::operand::Carry;
use super::{Decoder, FLAGS, Meaning, TEMPORARY, general, register};
use crate::emit::{Emit, constant};
use crate::language::{Binary, Class, Operand, Width};

impl Decoder {
    pub(super) fn multiply(&self) -> Option<Meaning> {
        let (high, low) = (self.number(16), self.number(12));
        let (left, right) = (self.read(self.number(0)), self.read(self.number(8)));
        let numbers = [high, low, self.number(0), self.number(8)];
        let short = matches!(self.bits(21, 3), 0);
        if numbers
            .iter()
            .enumerate()
            .any(|(i, &number)| number == super::COUNTER && !(short && i == 1))
        {
            return None;
        }
        let flags = self.bit(20);
        let mut emit = Emit::default();
        let product = TEMPORARY[0];
        let kind = self.bits(21, 3);
        if kind < 4 && kind != 2 {
            emit.binary(product, Binary::Multiply, left, right);
            let third = self.read(low);
            let name = match kind {
                0 => "mul",
                1 => {
                    emit.binary(product, Binary::Add, register(product), third);
                    "mla"
                }
                _ if flags => return None,
                _ => {
                    emit.binary(product, Binary::Subtract, third, register(product));
                    "mls"
                }
            };
            if flags {
                self.logical_flags(&mut emit, Carry::Same);
            }
            emit.put(general(high), register(product));
            return Some(Meaning::new(name, Class::Multiply, emit));
        }
        if high == low || kind == 2 && flags {
            return None;
        }
        let operation =
            if kind < 6 { Binary::MultiplyHighUnsigned } else { Binary::MultiplyHighSigned };
        let (top, sum) = (TEMPORARY[1], TEMPORARY[2]);
        emit.binary(product, Binary::Multiply, left, right);
        emit.binary(top, operation, left, right);
        let name = ["", "", "umaal", "", "umull", "umlal", "smull", "smlal"][kind as usize];
        if kind == 2 {
            add_long(&mut emit, (register(general(low)), constant(0)), sum);
            add_long(&mut emit, (register(general(high)), constant(0)), sum);
        } else if kind & 1 == 1 {
            add_long(&mut emit, (register(general(low)), register(general(high))), sum);
        }
        if flags {
            self.long_flags(&mut emit);
        }
        emit.put(general(low), register(product));
        emit.put(general(high), register(top));
        Some(Meaning::new(name, Class::Multiply, emit))
    }

    /// The flags of the product of 64 bits in the first two temporary registers.
    fn long_flags(&self, emit: &mut Emit) {
        let (low, high, carry, result) = (TEMPORARY[0], TEMPORARY[1], TEMPORARY[2], TEMPORARY[3]);
        // The sign of the high half, and a zero only where both halves are zero.
        emit.binary(result, Binary::LessUnsigned, constant(0), register(low));
        emit.binary(result, Binary::Or, register(result), register(high));
        FLAGS.carry(emit, carry);
        FLAGS.with_carry(emit, register(result), register(carry));
    }

    /// Products of halves of registers.
    pub(super) fn multiply_halves(&self) -> Option<Meaning> {
        let mut emit = Emit::default();
        let names = ["smlaxy", "smlawy", "smlalxy", "smulxy"];
        let kind = self.bits(21, 2);
        let (left, right, product) = (TEMPORARY[1], TEMPORARY[2], TEMPORARY[0]);
        let target = Some(self.number(16)).filter(|&number| number != super::COUNTER)?;
        half(&mut emit, right, self.read(self.number(8)), self.bit(6));
        if kind == 1 || kind == 2 {
            // A product of 48 bits, or a sum of 64.
            emit.unknown(general(target));
            if kind == 2 {
                emit.unknown(general(self.target()?));
            }
            return Some(Meaning::new(names[kind as usize], Class::Multiply, emit));
        }
        half(&mut emit, left, self.read(self.number(0)), self.bit(5));
        emit.binary(product, Binary::Multiply, register(left), register(right));
        let third = if kind == 0 { self.read(self.number(12)) } else { constant(0) };
        emit.binary(general(target), Binary::Add, register(product), third);
        Some(Meaning::new(names[kind as usize], Class::Multiply, emit))
    }
}

/// The high or low half of a register as a signed number.
fn half(emit: &mut Emit, target: crate::language::Register, from: Operand, high: bool) {
    if high {
        emit.binary(target, Binary::ShiftRightSigned, from, constant(16));
    } else {
        emit.sign_extend(target, from, 16, Width::Word);
    }
}

/// Adds a number of 64 bits to the one in the first two temporary registers.
fn add_long(emit: &mut Emit, (low, high): (Operand, Operand), carry: crate::language::Register) {
    let (product, top) = (TEMPORARY[0], TEMPORARY[1]);
    emit.binary(product, Binary::Add, register(product), low);
    emit.binary(carry, Binary::LessUnsigned, register(product), low);
    emit.binary(top, Binary::Add, register(top), high);
    emit.binary(top, Binary::Add, register(top), register(carry));
}
