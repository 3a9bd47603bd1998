//! The second operand: a constant or a shifted register, and the carry.

use super::{Decoder, FLAGS, TEMPORARY, register, word};
use crate::emit::{Emit, constant};
use crate::language::{Binary, Operand, Width};

/// The effect on the carry flag.
pub(super) enum Carry {
    /// It stays as it is.
    Same,
    /// It is this bit, 0 or 1.
    Bit(Operand),
    /// Nothing is known of it.
    Unknown,
}

impl Decoder {
    /// Returns the operand of the low twelve bits; it may be in the first temporary register.
    ///
    /// The carry, where it changes, may be in the second one.
    pub(super) fn second_operand(&self, emit: &mut Emit, carry: bool) -> (Operand, Carry) {
        if self.bit(25) {
            let (rotation, number) =
                (self.bits(8, 4) * 2, self.bits(0, 8).rotate_right(self.bits(8, 4) * 2));
            let carry = if rotation == 0 {
                Carry::Same
            } else {
                Carry::Bit(constant((number >> 31).into()))
            };
            return (word(number), carry);
        }
        if self.bit(4) {
            return (self.shifted_by_register(emit), Carry::Unknown);
        }
        self.shifted_by_constant(emit, carry)
    }

    pub(super) fn shifted_by_constant(&self, emit: &mut Emit, carry: bool) -> (Operand, Carry) {
        let (kind, amount) = (self.bits(5, 2), self.bits(7, 5));
        let from = self.read(self.number(0));
        let result = TEMPORARY[0];
        // The last bit that is shifted out.
        let last = match (kind, amount) {
            (0, 0) => return (from, Carry::Same),
            (0, _) => 32 - amount,
            (3, 0) => 0,
            (_, 0) => 31,
            (_, _) => amount - 1,
        };
        let out = if carry {
            let bit = TEMPORARY[1];
            emit.binary(bit, Binary::ShiftRight, from, constant(last.into()));
            emit.binary(bit, Binary::And, register(bit), constant(1));
            Carry::Bit(register(bit))
        } else {
            Carry::Same
        };
        let by = constant(amount.into());
        match (kind, amount) {
            (0, _) => emit.binary(result, Binary::ShiftLeft, from, by),
            (1, 0) => return (constant(0), out),
            (1, _) => emit.binary(result, Binary::ShiftRight, from, by),
            (2, 0) => emit.binary(result, Binary::ShiftRightSigned, from, constant(31)),
            (2, _) => emit.binary(result, Binary::ShiftRightSigned, from, by),
            (_, 0) => {
                // Rotated by one place through the carry.
                FLAGS.carry(emit, TEMPORARY[2]);
                emit.binary(TEMPORARY[2], Binary::ShiftLeft, register(TEMPORARY[2]), constant(31));
                emit.binary(result, Binary::ShiftRight, from, constant(1));
                emit.binary(result, Binary::Or, register(result), register(TEMPORARY[2]));
            }
            (_, _) => rotate_right(emit, from, by),
        }
        (register(result), out)
    }

    fn shifted_by_register(&self, emit: &mut Emit) -> Operand {
        let from = self.read(self.number(0));
        let (result, amount, mask) = (TEMPORARY[0], TEMPORARY[1], TEMPORARY[2]);
        emit.binary(amount, Binary::And, self.read(self.number(8)), constant(0xff));
        let by = register(amount);
        let operation = match self.bits(5, 2) {
            0 => Binary::ShiftLeft,
            1 => Binary::ShiftRight,
            2 => Binary::ShiftRightSigned,
            _ => {
                rotate_right(emit, from, by);
                return register(result);
            }
        };
        // All ones where the amount is less than the width.
        emit.binary(mask, Binary::LessUnsigned, by, constant(32));
        emit.binary(mask, Binary::Subtract, constant(0), register(mask));
        emit.binary(result, operation, from, by);
        emit.binary(result, Binary::And, register(result), register(mask));
        if operation == Binary::ShiftRightSigned {
            emit.binary(mask, Binary::Xor, register(mask), constant(-1));
            emit.binary(amount, Binary::ShiftRightSigned, from, constant(31));
            emit.binary(amount, Binary::And, register(amount), register(mask));
            emit.binary(result, Binary::Or, register(result), register(amount));
        }
        register(result)
    }
}

/// Puts a number that is rotated to the right into the first temporary register.
pub(super) fn rotate_right(emit: &mut Emit, number: Operand, by: Operand) {
    let (result, left) = (TEMPORARY[0], TEMPORARY[2]);
    emit.compute(left, Binary::Subtract, (constant(0), by), Width::Word);
    emit.binary(left, Binary::ShiftLeft, number, register(left));
    emit.binary(result, Binary::ShiftRight, number, by);
    emit.binary(result, Binary::Or, register(result), register(left));
}
