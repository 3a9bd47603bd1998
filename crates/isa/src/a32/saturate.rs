//! Numbers that stay within so many bits, as compilers clamp them.
//!
//! There is no operation for it in the common language, so masks of all ones or
//! zeros choose. The last step changes nothing about the number; it tells the
//! range of the result to who does not know the input.

use super::{Decoder, Emit, Meaning, TEMPORARY, general, register};
use crate::emit::constant;
use crate::language::{Binary, Class, Operand, Register, Width};

impl Decoder {
    /// `ssat` and `usat`; that something was out of range goes into the status register, which is
    /// not kept.
    pub(super) fn saturate(&self) -> Option<Meaning> {
        let target = general(self.target()?);
        let (is_unsigned, amount, to_the_right) = (self.bit(22), self.bits(7, 5), self.bit(6));
        let (shift, amount) = match (to_the_right, amount) {
            (false, amount) => (Binary::ShiftLeft, amount),
            (true, 0) => (Binary::ShiftRightSigned, 31),
            (true, amount) => (Binary::ShiftRightSigned, amount),
        };
        let mut emit = Emit::default();
        let number = TEMPORARY[0];
        emit.binary(number, shift, self.read(self.number(0)), constant(amount.into()));
        if is_unsigned {
            let most = (1_i64 << self.bits(16, 5)) - 1;
            replace_below(&mut emit, number, 0);
            replace_above(&mut emit, number, most);
            emit.binary(target, Binary::And, register(number), constant(most));
            return Some(Meaning::new("usat", Class::Arithmetic, emit));
        }
        let bits = self.bits(16, 5) + 1;
        let most = (1_i64 << (bits - 1)) - 1;
        replace_above(&mut emit, number, most);
        replace_below(&mut emit, number, -most - 1);
        emit.sign_extend(target, register(number), bits, Width::Word);
        Some(Meaning::new("ssat", Class::Arithmetic, emit))
    }
}

fn replace_above(emit: &mut Emit, number: Register, most: i64) {
    replace(emit, number, (constant(most), register(number)), most);
}

fn replace_below(emit: &mut Emit, number: Register, least: i64) {
    replace(emit, number, (register(number), constant(least)), least);
}

/// The other number instead, where left is less than right.
fn replace(emit: &mut Emit, number: Register, (left, right): (Operand, Operand), other: i64) {
    let (mask, chosen) = (TEMPORARY[1], TEMPORARY[2]);
    emit.binary(mask, Binary::LessSigned, left, right);
    emit.binary(mask, Binary::Subtract, constant(0), register(mask));
    emit.binary(chosen, Binary::And, register(mask), constant(other));
    emit.binary(mask, Binary::Xor, register(mask), constant(-1));
    emit.binary(number, Binary::And, register(number), register(mask));
    emit.binary(number, Binary::Or, register(number), register(chosen));
}
