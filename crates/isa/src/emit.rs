//! Writing down the effects of an instruction, one after the other.
//!
//! Many instructions, of ARM processors above all, do several things at once. They
//! are put together from the few operations of the language, with scratch registers
//! for what is needed in between.

use crate::language::{Address, Binary, Effect, Operand, Register, Width};

/// Returns a constant operand.
pub(super) fn constant(value: i64) -> Operand {
    Operand::Constant(value as u64)
}

/// Bits `low..low + count` of a word.
pub(super) fn bits(word: u32, low: u32, count: u32) -> u32 {
    (word >> low) & ((1 << count) - 1)
}

/// Returns the low `count` bits as a signed number.
pub(super) fn signed(value: u32, count: u32) -> i64 {
    let shift = 32 - count;
    i64::from(((value << shift) as i32) >> shift)
}

/// The effects so far.
#[derive(Debug, Default)]
pub(super) struct Emit {
    pub(super) effects: Vec<Effect>,
}

impl Emit {
    /// `target = left operation right`.
    pub(super) fn compute(
        &mut self,
        target: Register,
        operation: Binary,
        operands: (Operand, Operand),
        width: Width,
    ) {
        let (left, right) = operands;
        self.effects.push(Effect::Compute { target, operation, left, right, width });
    }

    /// A copy that keeps what is known of the operand.
    pub(super) fn copy(&mut self, target: Register, from: Operand, width: Width) {
        self.compute(target, Binary::Add, (from, constant(0)), width);
    }

    /// A value that no analysis knows.
    pub(super) fn unknown(&mut self, target: Register) {
        self.effects.push(Effect::Unknown { target });
    }

    /// An operand goes where no analysis follows it.
    pub(super) fn hide(&mut self, value: Operand) {
        self.effects.push(Effect::Hide { value });
    }

    pub(super) fn load(&mut self, target: Register, address: Address, width: Width, signed: bool) {
        self.effects.push(Effect::Load { target, address, width, signed });
    }

    pub(super) fn store(&mut self, address: Address, value: Operand, width: Width) {
        self.effects.push(Effect::Store { address, value, width });
    }

    /// A read and a write in one step; the register gets what was there, if there is one.
    pub(super) fn atomic(&mut self, target: Option<Register>, address: Address, width: Width) {
        self.effects.push(Effect::Atomic { target, address, width });
    }

    /// The low `count` bits of an operand as a signed number, at a width of at least as many bits.
    pub(super) fn sign_extend(
        &mut self,
        target: Register,
        from: Operand,
        count: u32,
        width: Width,
    ) {
        let shift = constant(i64::from(width.bits() - count));
        self.compute(target, Binary::ShiftLeft, (from, shift), width);
        self.compute(target, Binary::ShiftRightSigned, (Operand::Register(target), shift), width);
    }
}
