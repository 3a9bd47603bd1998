//! The content of a register where a path is the only one.

use super::bits::Bits;
use crate::value::{Base, LONGEST_OBJECT, Value, exact};
use fusee_isa::language::{Binary, Comparison, Width};

/// The properties of a processor's registers and its stack.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kind {
    /// The width of a register.
    pub(super) whole: Width,
    /// The alignment of the stack pointer at entry in bytes, a power of two.
    pub(super) alignment: u64,
}

impl Kind {
    /// Returns the bits of an address in the stack, so far from the pointer at entry, that a mask
    /// keeps.
    fn masked(self, distance: i64, mask: u64) -> Number {
        // The pointer is aligned at entry, so these low bits are the same wherever the stack is.
        let known = self.alignment - 1;
        let low = distance as u64 & known;
        match (mask & !known, !mask & !known) {
            (0, _) => Number::Known(low & mask),
            // All the bits that are not known are kept.
            (_, 0) => Number::Stack(distance).moved(-((low & !mask) as i64)),
            _ => Number::Any,
        }
    }
}

/// One number, or what is known of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
pub(super) enum Number {
    /// It can be anything.
    Any,
    /// It is this number.
    Known(u64),
    /// So far from the stack pointer at entry.
    Stack(i64),
    /// The value at entry of the register with this number.
    Entry(u64),
    /// This number, less the stack pointer at entry.
    Less(i64),
    /// The low 32 bits of that, signed, in a wider register.
    LessWord(i64),
    /// In its low bits a byte of something that is no number; nothing is known of the others.
    Piece(Piece),
    /// Some bits of it.
    Bits(Bits),
}

/// A byte of an address in the stack, or of what a register held at entry.
///
/// In one word: the distance or the register, one bit that tells which, and three for the byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece(i64);

impl Piece {
    /// This byte of it, from the low end; nothing where it is a number, or too far away.
    pub(super) fn of(number: Number, byte: u64) -> Option<Self> {
        let (whole, is_entry) = match number {
            Number::Stack(distance) => (distance, 0),
            Number::Entry(register) => (register as i64, 1),
            _ => return None,
        };
        let packed = whole.checked_mul(16)?;
        (byte < 8).then_some(Self(packed | is_entry << 3 | byte as i64))
    }

    /// Returns what it is a byte of, and which.
    pub(super) fn whole(self) -> (Number, u64) {
        let whole = match self.0 & 8 {
            0 => Number::Stack(self.0 >> 4),
            _ => Number::Entry((self.0 >> 4) as u64),
        };
        (whole, self.0 as u64 & 7)
    }
}

impl Number {
    /// Returns the number that a state knows of a register.
    pub(super) fn of(value: Value, register: u8) -> Self {
        match (value.base, value.range.as_constant()) {
            (Base::None, Some(number)) => Self::Known(number as u64),
            (Base::Stack, Some(distance)) => Self::Stack(distance),
            (Base::Symbol(name), Some(0)) if name == u32::from(register) => {
                Self::Entry(register.into())
            }
            _ => Self::Any,
        }
    }

    /// Returns what is known of its bits.
    pub(super) fn bits(self) -> Bits {
        match self {
            Self::Known(value) => Bits { value, unknown: 0 },
            Self::Bits(bits) => bits,
            _ => Bits::ANY,
        }
    }

    /// Returns what has these bits.
    pub(super) fn of_bits(bits: Bits) -> Self {
        match bits.unknown {
            0 => Self::Known(bits.value),
            _ if bits == Bits::ANY => Self::Any,
            _ => Self::Bits(bits),
        }
    }

    /// Returns the number moved by a distance.
    pub(super) fn moved(self, by: i64) -> Self {
        match self {
            Self::Known(number) => Self::Known(number.wrapping_add_signed(by)),
            // A distance that does not fit is no place in any stack.
            Self::Stack(distance) => distance.checked_add(by).map_or(Self::Any, Self::Stack),
            Self::Less(number) => number.checked_add(by).map_or(Self::Any, Self::Less),
            Self::Entry(_) | Self::Piece(_) | Self::LessWord(_) if by == 0 => self,
            _ => Self::Any,
        }
    }

    /// Returns the result of an operation.
    #[inline(always)]
    pub(super) fn compute(
        operation: Binary,
        (left, right): (Self, Self),
        width: Width,
        kind: Kind,
    ) -> Self {
        // Nearly all operands are plain numbers, so only this case is inlined.
        match (left, right) {
            (Self::Known(left), Self::Known(right)) => {
                Self::Known(exact(operation, left, right, width))
            }
            _ => Self::compute_part(operation, (left, right), width, kind),
        }
    }

    /// The same where not both are numbers.
    #[inline(never)]
    fn compute_part(
        operation: Binary,
        (left, right): (Self, Self),
        width: Width,
        kind: Kind,
    ) -> Self {
        // Distances first: bits tell nothing of a place whose address is unknown.
        match Self::compute_place(operation, (left, right), width, kind) {
            Self::Any => Self::of_bits(Bits::compute(operation, left.bits(), right.bits(), width)),
            known => known,
        }
    }

    /// The same where addresses are moved, or their differences.
    fn compute_place(
        operation: Binary,
        (left, right): (Self, Self),
        width: Width,
        kind: Kind,
    ) -> Self {
        match (operation, left, right) {
            // The low byte stays the same, whatever the width.
            (Binary::Add | Binary::Or, Self::Piece(_), Self::Known(0)) => return left,
            (Binary::And, Self::Piece(_), Self::Known(mask)) if mask & 0xff == 0xff => return left,
            // So is what lies between two addresses.
            (Binary::Subtract, Self::Stack(left), Self::Stack(right)) => {
                return Self::Known(exact(operation, left as u64, right as u64, width));
            }
            _ if width == Width::Word && kind.whole == Width::Double => {
                return Self::compute_word(operation, left, right);
            }
            // A part of an address is no place any more.
            _ if width != kind.whole => return Self::Any,
            _ => {}
        }
        match (operation, left, right) {
            // The pointer at entry is added and taken off, so the sum is a number.
            (Binary::Add, Self::Less(number), Self::Stack(distance))
            | (Binary::Add, Self::Stack(distance), Self::Less(number)) => {
                Self::Known(exact(operation, number as u64, distance as u64, width))
            }
            (Binary::Subtract, Self::Known(number), Self::Stack(distance)) => {
                (number as i64).checked_sub(distance).map_or(Self::Any, Self::Less)
            }
            (Binary::Add, address, Self::Known(by)) | (Binary::Add, Self::Known(by), address) => {
                address.moved(by as i64)
            }
            (Binary::Subtract, address, Self::Known(by)) => {
                (by as i64).checked_neg().map_or(Self::Any, |by| address.moved(by))
            }
            (Binary::Or | Binary::Xor, number, Self::Known(0))
            | (Binary::Or, Self::Known(0), number) => number,
            (Binary::And, Self::Stack(distance), Self::Known(mask))
            | (Binary::And, Self::Known(mask), Self::Stack(distance)) => {
                kind.masked(distance, mask)
            }
            (Binary::LessUnsigned, ..) => Self::compare(Comparison::LessUnsigned, left, right)
                .map_or(Self::Any, |holds| Self::Known(holds.into())),
            _ => Self::Any,
        }
    }

    /// The same on the low 32 bits of what is wider.
    fn compute_word(operation: Binary, left: Self, right: Self) -> Self {
        let moved = |number: i64, by: Option<i64>| {
            by.and_then(|by| number.checked_add(by)).map_or(Self::Any, Self::LessWord)
        };
        match (operation, left, right) {
            (Binary::Subtract, Self::Known(number), Self::Stack(distance)) => {
                moved(number as i64, distance.checked_neg())
            }
            (Binary::Add, Self::LessWord(number), Self::Stack(distance))
            | (Binary::Add, Self::Stack(distance), Self::LessWord(number)) => {
                Self::Known(exact(operation, number as u64, distance as u64, Width::Word))
            }
            (Binary::Add, Self::LessWord(number), Self::Known(by))
            | (Binary::Add, Self::Known(by), Self::LessWord(number)) => {
                moved(number, Some(by as i64))
            }
            (Binary::Subtract, Self::LessWord(number), Self::Known(by)) => {
                moved(number, (by as i64).checked_neg())
            }
            _ => Self::Any,
        }
    }

    /// Returns whether a comparison holds, if that is known; nothing in the stack is at 0.
    pub(super) fn compare(comparison: Comparison, left: Self, right: Self) -> Option<bool> {
        match (left, right) {
            (Self::Known(left), Self::Known(right)) => {
                Some(comparison.holds(left as i64, right as i64))
            }
            // Only near the beginning of the stack is the order of distances that of the addresses.
            (Self::Stack(left), Self::Stack(right)) if is_near(left) && is_near(right) => {
                match comparison {
                    Comparison::Equal => Some(left == right),
                    Comparison::NotEqual => Some(left != right),
                    Comparison::LessUnsigned => Some(left < right),
                    Comparison::NotLessUnsigned => Some(left >= right),
                    // The stack may lie on either side of the place where the sign changes.
                    Comparison::LessSigned | Comparison::NotLessSigned => None,
                }
            }
            (Self::Stack(at), Self::Known(0)) if is_near(at) => above_zero(comparison, false),
            (Self::Known(0), Self::Stack(at)) if is_near(at) => above_zero(comparison, true),
            // Less than one is what nothing but 0 is.
            (Self::Stack(at), Self::Known(1)) if is_near(at) => match comparison {
                Comparison::LessUnsigned => Some(false),
                Comparison::NotLessUnsigned => Some(true),
                _ => None,
            },
            (Self::Bits(_), _) | (_, Self::Bits(_)) => {
                Bits::compare(comparison, left.bits(), right.bits())
            }
            _ => None,
        }
    }
}

/// Returns whether something is so near to where the stack begins that it may lie in it: what is
/// further away is a number that was made of an address, and may have wrapped around.
pub(super) fn is_near(distance: i64) -> bool {
    distance.unsigned_abs() < LONGEST_OBJECT
}

/// Returns whether a comparison of an address in the stack with 0 holds, 0 first or last.
fn above_zero(comparison: Comparison, zero_first: bool) -> Option<bool> {
    match comparison {
        Comparison::Equal => Some(false),
        Comparison::NotEqual => Some(true),
        Comparison::LessUnsigned => Some(zero_first),
        Comparison::NotLessUnsigned => Some(!zero_first),
        Comparison::LessSigned | Comparison::NotLessSigned => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_in_the_stack_are_moved_and_compared() {
        let (whole, alignment) = (Width::Word, 16);
        let kind = Kind { whole, alignment };
        let compute =
            |operation, left, right| Number::compute(operation, (left, right), whole, kind);
        let (here, four) = (Number::Stack(-16), Number::Known(4));
        assert_eq!(compute(Binary::Add, four, here), Number::Stack(-12));
        assert_eq!(compute(Binary::Subtract, here, four), Number::Stack(-20));
        let less = compute(Binary::Subtract, four, here);
        assert_eq!(less, Number::Less(20));
        assert_eq!(compute(Binary::Add, less, here), four);
        assert_eq!(
            compute(Binary::Add, Number::Stack(-8), compute(Binary::Add, less, four)),
            Number::Known(16)
        );
        assert_eq!(compute(Binary::Subtract, here, less), Number::Any);
        let kind = Kind { whole: Width::Double, alignment };
        let low =
            |operation, left, right| Number::compute(operation, (left, right), Width::Word, kind);
        assert_eq!(low(Binary::Subtract, here, Number::Stack(4)), Number::Known(-20i64 as u64));
        let less = low(Binary::Add, low(Binary::Subtract, four, here), four);
        assert_eq!((less, less.moved(0), less.moved(1)), (less, less, Number::Any));
        assert_eq!(low(Binary::Add, here, less), Number::Known(8));
        // The high bits are others than those of the whole difference.
        assert_eq!(Number::compute(Binary::Add, (here, less), Width::Double, kind), Number::Any);
        assert_eq!(compute(Binary::Add, less, less), Number::Any);
        assert_eq!(compute(Binary::Subtract, Number::Stack(-4), here), Number::Known(12));
        let masked =
            |at, mask: i64| compute(Binary::And, Number::Stack(at), Number::Known(mask as u64));
        assert_eq!([masked(-18, 3), masked(-18, 7)], [2, 6].map(Number::Known));
        assert_eq!([masked(-18, -4), masked(-18, -16)], [-20, -32].map(Number::Stack));
        let some = |value, unknown| Number::Bits(Bits { value, unknown });
        let parts = [masked(-18, 16), masked(-18, -32), masked(-18, 0xff)];
        assert_eq!(parts, [some(0, 16), some(0, !31), some(0, 0xff)]);
        assert_eq!(compute(Binary::Or, Number::Entry(8), Number::Known(0)), Number::Entry(8));
        assert_eq!(compute(Binary::Or, Number::Entry(8), four), some(4, !4));
        assert_eq!(compute(Binary::Multiply, Number::Any, four), Number::Any);
        for (number, byte) in [(here, 3), (Number::Stack(1 << 40), 0), (Number::Entry(8), 7)] {
            let piece = Piece::of(number, byte).expect("a byte");
            assert_eq!(piece.whole(), (number, byte));
            let piece = Number::Piece(piece);
            let zero = Number::Known(0);
            assert_eq!(compute(Binary::Add, piece, zero), piece);
            assert_eq!(compute(Binary::And, piece, Number::Known(0xff)), piece);
            assert_eq!(compute(Binary::And, piece, Number::Known(0x7f)), some(0, 0x7f));
            assert_eq!(compute(Binary::Add, piece, four), Number::Any);
            assert_eq!(compute(Binary::ShiftLeft, piece, zero), Number::Any);
            assert_eq!(Number::compare(Comparison::Equal, piece, piece), None);
        }
        assert_eq!(Piece::of(Number::Stack(i64::MAX), 0), None);
        let kind = Kind { whole: Width::Double, alignment };
        assert_eq!(Number::compute(Binary::Add, (here, four), Width::Word, kind), Number::Any);
        let less = |left, right| Number::compare(Comparison::LessUnsigned, left, right);
        assert_eq!(less(here, Number::Stack(0)), Some(true));
        assert_eq!(less(here, four), None);
        let (far, behind) = (Number::Stack(1 << 24), Number::Stack(-1 << 24));
        assert_eq!([less(here, far), less(behind, here), less(Number::Known(0), far)], [None; 3]);
        assert_eq!(Number::compare(Comparison::Equal, here, far), None);
        let zero = Number::Known(0);
        let zeros = [(zero, here), (here, zero), (here, Number::Known(1))];
        assert_eq!(zeros.map(|(left, right)| less(left, right)), [true, false, false].map(Some));
        let equal = |left, right| Number::compare(Comparison::Equal, left, right);
        assert_eq!([equal(here, zero), equal(zero, here)], [Some(false); 2]);
        assert_eq!(equal(here, Number::Known(1)), None);
        assert_eq!(compute(Binary::LessUnsigned, zero, here), Number::Known(1));
        assert_eq!(compute(Binary::LessUnsigned, here, four), some(0, 1));
        assert_eq!(compute(Binary::LessSigned, zero, here), some(0, 1));
        assert_eq!(Number::compare(Comparison::LessSigned, here, Number::Stack(0)), None);
        assert_eq!(Number::compare(Comparison::Equal, Number::Entry(8), Number::Entry(8)), None);
    }
}
