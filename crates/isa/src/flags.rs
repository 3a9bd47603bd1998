//! Condition flags as pairs of numbers.
//!
//! A comparison of ARM processors leaves four flags behind, and a later branch
//! asks for a combination of them. Bits would do for the answer, but not for
//! what the branch teaches of the numbers that were compared. So each family of
//! conditions has a pair of registers whose comparison has the same answer:
//! after `cmp a, b` these are `a` and `b` themselves. What has no such numbers
//! (a carry out of a shift) gets numbers that compare in the right way: 0, 1 or
//! 2 against 1.
//!
//! The unsigned conditions have a second pair for instructions that compare the
//! low halves of registers: the same numbers, extended by zeros as the registers
//! themselves are.

use super::emit::{Emit, constant};
use crate::language::{Binary, Comparison, Operand, Register, Width};

/// The number of registers that the flags take.
pub(super) const COUNT: u8 = 10;

/// The comparison that an instruction's condition asks for: operands, and others that compare
/// alike.
pub(super) struct Condition {
    pub(super) comparison: Comparison,
    pub(super) left: Operand,
    pub(super) right: Operand,
    pub(super) echo: Option<(Operand, Operand)>,
}

/// The flags of one decoder.
#[derive(Debug, Clone, Copy)]
pub(super) struct Flags {
    /// The first of the registers that keep them.
    pub(super) first: u8,
    /// The first of two scratch registers.
    pub(super) scratch: u8,
    /// The width of registers.
    pub(super) full: Width,
}

type Pair = (Register, Register);

/// The left and the right operand of a comparison.
type Operands = (Operand, Operand);

impl Flags {
    fn pair(self, index: u8) -> Pair {
        (Register::new(self.first + 2 * index), Register::new(self.first + 2 * index + 1))
    }

    fn equality(self) -> Pair {
        self.pair(0)
    }

    fn signed(self) -> Pair {
        self.pair(1)
    }

    fn unsigned(self) -> Pair {
        self.pair(2)
    }

    /// Returns the unsigned pair again, extended by zeros.
    fn extended(self) -> Pair {
        self.pair(3)
    }

    /// Returns a number with the sign of the result.
    pub(super) fn negative(self) -> Register {
        self.pair(4).0
    }

    /// 1 after an overflow, else 0.
    pub(super) fn overflow(self) -> Register {
        self.pair(4).1
    }

    fn temporary(self, index: u8) -> Register {
        Register::new(self.scratch + index)
    }

    /// Returns the comparison for the condition with this number; nothing for the one that always
    /// holds.
    pub(super) fn condition(self, number: u32) -> Option<Condition> {
        let operands = |(left, right): Pair| (Operand::Register(left), Operand::Register(right));
        let swap = |(left, right): (Operand, Operand)| (right, left);
        let (equality, signed, unsigned) =
            (operands(self.equality()), operands(self.signed()), operands(self.unsigned()));
        let extended = operands(self.extended());
        let zero = constant(0);
        let (comparison, (left, right), echo) = match number >> 1 {
            0 => (Comparison::Equal, equality, None),
            1 => (Comparison::NotLessUnsigned, unsigned, Some(extended)),
            2 => (Comparison::LessSigned, (Operand::Register(self.negative()), zero), None),
            3 => (Comparison::NotEqual, (Operand::Register(self.overflow()), zero), None),
            4 => (Comparison::LessUnsigned, swap(unsigned), Some(swap(extended))),
            5 => (Comparison::NotLessSigned, signed, None),
            6 => (Comparison::LessSigned, swap(signed), None),
            _ => return None,
        };
        let comparison = if number & 1 == 1 { comparison.negated() } else { comparison };
        Some(Condition { comparison, left, right, echo })
    }

    fn set_pair(self, emit: &mut Emit, pair: Pair, left: Operand, right: Operand) {
        emit.copy(pair.0, left, self.full);
        emit.copy(pair.1, right, self.full);
    }

    /// The flags of `left - right`; `extended` are the operands extended by zeros.
    pub(super) fn difference(
        self,
        emit: &mut Emit,
        operands: Operands,
        extended: Operands,
        width: Width,
    ) {
        let (left, right) = operands;
        emit.compute(self.negative(), Binary::Subtract, (left, right), width);
        let negative = Operand::Register(self.negative());
        let temporary = self.temporary(0);
        emit.compute(self.overflow(), Binary::LessSigned, (left, right), self.full);
        emit.compute(temporary, Binary::LessSigned, (negative, constant(0)), self.full);
        let both = (Operand::Register(self.overflow()), Operand::Register(temporary));
        emit.compute(self.overflow(), Binary::Xor, both, self.full);
        for pair in [self.equality(), self.signed(), self.unsigned()] {
            self.set_pair(emit, pair, left, right);
        }
        self.set_pair(emit, self.extended(), extended.0, extended.1);
    }

    /// The flags of a result without carry and overflow.
    pub(super) fn result(self, emit: &mut Emit, result: Operand) {
        let zero = constant(0);
        self.set_pair(emit, self.equality(), result, zero);
        self.set_pair(emit, self.signed(), result, zero);
        for pair in [self.unsigned(), self.extended()] {
            self.set_pair(emit, pair, zero, constant(1));
        }
        emit.copy(self.negative(), result, self.full);
        emit.copy(self.overflow(), zero, self.full);
    }

    /// Puts the carry, 0 or 1, into a register.
    pub(super) fn carry(self, emit: &mut Emit, target: Register) {
        let (left, right) = self.unsigned();
        let operands = (Operand::Register(left), Operand::Register(right));
        emit.compute(target, Binary::LessUnsigned, operands, self.full);
        emit.compute(target, Binary::Xor, (Operand::Register(target), constant(1)), self.full);
    }

    /// The flags of a result whose carry is given as 0 or 1; the overflow has been set before.
    pub(super) fn with_carry(self, emit: &mut Emit, result: Operand, carry: Operand) {
        self.set_pair(emit, self.equality(), result, constant(0));
        emit.copy(self.negative(), result, self.full);
        // The carry may be in one of the registers that change.
        let pair = self.extended();
        self.three_way(emit, pair, result, carry);
        self.set_pair(emit, self.unsigned(), Operand::Register(pair.0), Operand::Register(pair.1));
        let kept = self.temporary(0);
        emit.compute(kept, Binary::LessSigned, (result, constant(0)), self.full);
        let operands = (Operand::Register(kept), Operand::Register(self.overflow()));
        emit.compute(kept, Binary::Xor, operands, self.full);
        emit.compute(kept, Binary::Xor, (Operand::Register(kept), constant(1)), self.full);
        self.three_way(emit, self.signed(), result, Operand::Register(kept));
    }

    /// A pair that compares as less, equal or greater: not `kept`, `kept` and a zero, `kept` alone.
    fn three_way(self, emit: &mut Emit, pair: Pair, result: Operand, kept: Operand) {
        let other = self.temporary(1);
        emit.compute(other, Binary::LessUnsigned, (constant(0), result), self.full);
        emit.compute(other, Binary::And, (Operand::Register(other), kept), self.full);
        emit.compute(pair.0, Binary::Add, (kept, Operand::Register(other)), self.full);
        emit.copy(pair.1, constant(1), self.full);
    }

    /// The flags of `result = left + right + carry in`; `half` is `left + right`.
    pub(super) fn sum(
        self,
        emit: &mut Emit,
        operands: (Operand, Operand),
        half: Operand,
        result: Operand,
    ) {
        let (left, right) = operands;
        let (one, other) = (self.temporary(0), self.temporary(1));
        emit.compute(one, Binary::Xor, (left, result), self.full);
        emit.compute(other, Binary::Xor, (right, result), self.full);
        emit.compute(
            one,
            Binary::And,
            (Operand::Register(one), Operand::Register(other)),
            self.full,
        );
        emit.compute(
            self.overflow(),
            Binary::LessSigned,
            (Operand::Register(one), constant(0)),
            self.full,
        );
        let carry = self.negative();
        emit.compute(carry, Binary::LessUnsigned, (half, left), self.full);
        emit.compute(one, Binary::LessUnsigned, (result, half), self.full);
        emit.compute(
            one,
            Binary::Or,
            (Operand::Register(one), Operand::Register(carry)),
            self.full,
        );
        emit.copy(self.signed().0, Operand::Register(one), self.full);
        self.with_carry(emit, result, Operand::Register(self.signed().0));
    }

    /// Flags given as four bits: negative, zero, carry, overflow.
    pub(super) fn fixed(self, emit: &mut Emit, number: u32) {
        let flag = |bit: u32| number >> bit & 1 == 1;
        let (negative, zero, carry, overflow) = (flag(3), flag(2), flag(1), flag(0));
        let three_way = |kept: bool| constant(i64::from(kept) + i64::from(kept && !zero));
        let (none, one) = (constant(0), constant(1));
        self.set_pair(emit, self.equality(), constant(i64::from(!zero)), none);
        self.set_pair(emit, self.signed(), three_way(negative == overflow), one);
        self.set_pair(emit, self.unsigned(), three_way(carry), one);
        self.set_pair(emit, self.extended(), three_way(carry), one);
        emit.copy(self.negative(), constant(-i64::from(negative)), self.full);
        emit.copy(self.overflow(), constant(overflow.into()), self.full);
    }

    /// Flags of which nothing is known.
    pub(super) fn unknown(self, emit: &mut Emit) {
        for (pair, middle) in
            [(self.equality(), 0), (self.signed(), 0), (self.unsigned(), 1), (self.extended(), 1)]
        {
            emit.unknown(pair.0);
            emit.copy(pair.1, constant(middle), self.full);
        }
        emit.unknown(self.negative());
        emit.unknown(self.overflow());
    }
}
