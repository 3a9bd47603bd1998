//! Numbers of which some bits are known.
//!
//! A word that is copied before all of its bytes were stored, and a byte into
//! which a bit is shifted that nobody knows, are no numbers, but what is known of
//! them often decides what depends on them.

use crate::value::exact;
use fusee_isa::language::{Binary, Comparison, Width};

/// A number of which these bits are not known; they are 0 in the value.
///
/// As in any register, 32 bits are extended by their highest one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bits {
    pub(super) value: u64,
    pub(super) unknown: u64,
}

impl Bits {
    /// Nothing is known of it.
    pub(super) const ANY: Self = Self { value: 0, unknown: u64::MAX };

    /// Returns a byte of it, from the low end: its value, and which bits of it are not known.
    pub(super) fn byte(self, index: i64) -> (u8, u8) {
        ((self.value >> (8 * index)) as u8, (self.unknown >> (8 * index)) as u8)
    }

    /// Puts a byte there, where nothing was so far.
    pub(super) fn put(&mut self, index: i64, (value, unknown): (u8, u8)) {
        self.value |= u64::from(value) << (8 * index);
        self.unknown |= u64::from(unknown) << (8 * index);
    }

    /// Returns its low bits, extended to a register.
    pub(super) fn extended(self, width: Width, signed: bool) -> Self {
        let unused = 64 - width.bits();
        // The unknown bits are extended like the others: an unknown sign makes all bits above it
        // unknown.
        let extend = |bits: u64| match signed {
            true => ((bits << unused) as i64 >> unused) as u64,
            false => bits << unused >> unused,
        };
        Self { value: extend(self.value), unknown: extend(self.unknown) }
    }

    /// Returns the result of an operation.
    pub(super) fn compute(operation: Binary, left: Self, right: Self, width: Width) -> Self {
        let (left, right) = match width {
            Width::Double => (left, right),
            _ => (left.extended(Width::Word, true), right.extended(Width::Word, true)),
        };
        let ones = |bits: Self| bits.value | bits.unknown;
        let unknown = left.unknown | right.unknown;
        let result = match operation {
            // A 0 on either side decides a bit, whatever the other side has. With `or` a 1 does.
            Binary::And => {
                let value = left.value & right.value;
                Self { value, unknown: ones(left) & ones(right) & !value }
            }
            Binary::Or => {
                let value = left.value | right.value;
                Self { value, unknown: unknown & !value }
            }
            Binary::Add => Self::sum(left, right, 0),
            Binary::Subtract => {
                // A difference is a sum with the other side turned round and 1 carried in. Bits
                // that are unknown must stay 0 in the value.
                let turned = Self { value: !ones(right), ..right };
                Self::sum(left, turned, 1)
            }
            Binary::Xor => Self { value: (left.value ^ right.value) & !unknown, unknown },
            // By an unknown distance any bit may end anywhere.
            Binary::ShiftLeft | Binary::ShiftRight | Binary::ShiftRightSigned
                if right.unknown == 0 =>
            {
                let shift = |bits: u64| exact(operation, bits, right.value, width);
                Self { value: shift(left.value), unknown: shift(left.unknown) }
            }
            Binary::LessSigned => Self::bit(Comparison::LessSigned, left, right),
            Binary::LessUnsigned => Self::bit(Comparison::LessUnsigned, left, right),
            _ => Self::ANY,
        };
        match width {
            Width::Double => result,
            _ => result.extended(Width::Word, true),
        }
    }

    /// Returns a sum with what is carried into it. A bit of it is known where both bits are, and
    /// the carry that comes in: that is 0 if it is in the largest sum, and 1 if it is in the least.
    fn sum(left: Self, right: Self, carry: u64) -> Self {
        let add = |l: u64, r: u64| {
            let sum = l.wrapping_add(r).wrapping_add(carry);
            (sum, sum ^ l ^ r)
        };
        let (least, sure) = add(left.value, right.value);
        let (_, possible) = add(left.value | left.unknown, right.value | right.unknown);
        let known = !(left.unknown | right.unknown) & (!possible | sure);
        Self { value: least & known, unknown: !known }
    }

    fn bit(comparison: Comparison, left: Self, right: Self) -> Self {
        match Self::compare(comparison, left, right) {
            Some(holds) => Self { value: holds.into(), unknown: 0 },
            None => Self { value: 0, unknown: 1 },
        }
    }

    /// Returns whether a comparison holds, if that is known.
    pub(super) fn compare(comparison: Comparison, left: Self, right: Self) -> Option<bool> {
        match comparison {
            // Each of these is the opposite of one below.
            Comparison::NotEqual | Comparison::NotLessSigned | Comparison::NotLessUnsigned => {
                Self::compare(comparison.negated(), left, right).map(|holds| !holds)
            }
            Comparison::Equal => {
                let known = !(left.unknown | right.unknown);
                // One known bit that differs is enough; to be equal all must be known.
                match (left.value ^ right.value) & known {
                    0 if known == u64::MAX => Some(true),
                    0 => None,
                    _ => Some(false),
                }
            }
            Comparison::LessUnsigned => less(left, right),
            Comparison::LessSigned => less(left.biased()?, right.biased()?),
        }
    }

    /// It with the sign turned round, if that is known: in the order of signed numbers.
    fn biased(self) -> Option<Self> {
        let sign = 1 << 63;
        (self.unknown & sign == 0).then_some(Self { value: self.value ^ sign, ..self })
    }
}

fn less(left: Bits, right: Bits) -> Option<bool> {
    let most = |bits: Bits| bits.value | bits.unknown;
    // Decided only if it is the same for the largest and the least number of both sides.
    if most(left) < right.value {
        Some(true)
    } else if left.value >= most(right) {
        Some(false)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPERATIONS: [Binary; 12] = [
        Binary::Add,
        Binary::Subtract,
        Binary::And,
        Binary::Or,
        Binary::Xor,
        Binary::ShiftLeft,
        Binary::ShiftRight,
        Binary::ShiftRightSigned,
        Binary::LessSigned,
        Binary::LessUnsigned,
        Binary::Multiply,
        Binary::ReverseBytes,
    ];

    /// Bits at both ends, so that signs are among what is not known.
    const PLACES: [u32; 5] = [0, 1, 30, 31, 63];

    fn spread(bits: u64) -> u64 {
        (0..5).filter(|bit| bits >> bit & 1 == 1).map(|bit| 1 << PLACES[bit as usize]).sum()
    }

    /// Returns all that is made of five places, each of them 0, 1 or not known.
    fn all() -> Vec<Bits> {
        let masks = (0..32u64).flat_map(|value| (0..32u64).map(move |unknown| (value, unknown)));
        masks
            .filter(|(value, unknown)| value & unknown == 0)
            .map(|(value, unknown)| Bits { value: spread(value), unknown: spread(unknown) })
            .collect()
    }

    /// Returns what they stand for.
    fn numbers(bits: Bits) -> Vec<u64> {
        let mut found: Vec<u64> =
            (0..32).map(spread).filter(|number| number & !bits.unknown == 0).collect();
        found.iter_mut().for_each(|number| *number |= bits.value);
        found
    }

    fn holds(bits: Bits, number: u64) -> bool {
        (number ^ bits.value) & !bits.unknown == 0
    }

    fn check(left: Bits, right: Bits) {
        let pairs: Vec<(u64, u64)> = numbers(left)
            .into_iter()
            .flat_map(|l| numbers(right).into_iter().map(move |r| (l, r)))
            .collect();
        for (operation, width) in
            OPERATIONS.into_iter().flat_map(|one| [(one, Width::Word), (one, Width::Double)])
        {
            let found = Bits::compute(operation, left, right, width);
            assert_eq!(found.value & found.unknown, 0);
            let may_be = |&(l, r): &(u64, u64)| holds(found, exact(operation, l, r, width));
            assert!(pairs.iter().all(may_be), "{operation:?} {width:?} {left:?} {right:?}");
        }
        for comparison in Comparison::ALL {
            let found = Bits::compare(comparison, left, right);
            let held = |&(l, r): &(u64, u64)| comparison.holds(l as i64, r as i64);
            let agrees = |pair| found.is_none_or(|found| found == held(pair));
            assert!(pairs.iter().all(agrees), "{comparison:?} {left:?} {right:?}");
        }
    }

    #[test]
    fn keep_every_number_that_an_operation_gives() {
        let all = all();
        for (index, &left) in all.iter().enumerate() {
            // Each meets a part of the others, and in the end each pair of places is tried.
            all.iter().skip(index % 3).step_by(3).for_each(|&right| check(left, right));
        }
    }

    #[test]
    fn tell_what_single_bits_decide() {
        let some = |value, unknown| Bits { value, unknown };
        let compute =
            |operation, left, right| Bits::compute(operation, left, some(right, 0), Width::Word);
        let byte = some(0, 0xff);
        assert_eq!(compute(Binary::And, byte, 0x81), some(0, 0x81));
        assert_eq!(compute(Binary::Or, byte, 0xf0), some(0xf0, 0x0f));
        assert_eq!(compute(Binary::Xor, some(0xf0, 0x0f), 0xff), some(0, 0x0f));
        assert_eq!(compute(Binary::ShiftLeft, some(1, 2), 30), some(1 << 30, !0 << 31));
        assert_eq!(compute(Binary::ShiftRight, some(0, !0 << 31), 31), some(0, 1));
        assert_eq!(compute(Binary::Add, some(0, 0xf0), 7), some(7, 0xf0));
        assert_eq!(compute(Binary::Subtract, some(0xf0, 0x0f), 5), some(0xe0, 0x1f));
        assert_eq!(compute(Binary::Multiply, byte, 1), Bits::ANY);
        let compare = |comparison, left, right| Bits::compare(comparison, left, some(right, 0));
        assert_eq!(compare(Comparison::Equal, some(0xf0, 0x0f), 0x80), Some(false));
        assert_eq!(compare(Comparison::Equal, some(0xf0, 0x0f), 0xf3), None);
        assert_eq!(compare(Comparison::LessUnsigned, byte, 0x100), Some(true));
        assert_eq!(compare(Comparison::LessSigned, byte, 0xff), None);
        assert_eq!(compare(Comparison::NotLessSigned, byte, u64::MAX), Some(true));
        assert_eq!(some(0x80, 0x7f).extended(Width::Byte, true), some(!0 << 7, 0x7f));
        assert_eq!(some(0, 0x80).extended(Width::Byte, true), some(0, !0 << 7));
    }
}
