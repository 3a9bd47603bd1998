//! Numbers in memory that are read or written with another width than before.
//!
//! A copy moves several fields at once: what is known of each is to survive it.
//! So a number is cut where fields begin, and fields make a number again, in
//! the order of little-endian memory. Pieces are kept sign-extended, as memory
//! keeps all numbers.

use super::Range;
use fusee_isa::language::Width;

/// Returns the piece of so many bytes that lies at a byte of a number.
pub(crate) fn piece(number: Range, at: u64, width: Width) -> Range {
    let shift = 8 * at as u32;
    // Memory keeps numbers of 64 bits at most, so there is nothing known behind them.
    if shift >= 64 {
        return Range::of_width(width, true);
    }
    let (low, high) = (number.low() >> shift, number.high() >> shift);
    // What lies above the piece must be the same for all of the numbers.
    let bits = 8 * width.bytes() as u32;
    if bits < 64 && low >> bits != high >> bits {
        return Range::of_width(width, true);
    }
    // Behind a shift numbers that were apart may be neighbors.
    let stride = if shift == 0 { number.stride().max(1) } else { 1 };
    Range::new(low.into(), high.into(), stride.into()).truncated(width)
}

/// Returns the number whose lower and upper half these are.
pub(crate) fn whole(lower: Range, upper: Range, half: Width) -> Range {
    let bits = 8 * half.bytes() as u32;
    // The sign of the whole is that of its upper half. In the lower one its highest bit is a bit.
    let lower = lower.zero_extended(half);
    let shifted = |end: i64| i128::from(end) << bits;
    let (low, high) = (
        shifted(upper.low()) + i128::from(lower.low()),
        shifted(upper.high()) + i128::from(lower.high()),
    );
    // With several upper halves, the gaps between them decide as well.
    let stride = if upper.as_constant().is_some() { lower.stride() } else { 1 };
    Range::new(low, high, stride.max(1).into())
}

/// Returns the width of a half.
pub(crate) fn half(width: Width) -> Option<Width> {
    match width {
        Width::Byte => None,
        Width::Half => Some(Width::Byte),
        Width::Word => Some(Width::Half),
        Width::Double => Some(Width::Word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of a range, cut and put together, are all in what the range gives.
    #[test]
    fn pieces_and_wholes_hold_every_number() {
        let ranges = [
            Range::new(0, 300, 1),
            Range::new(-3, 70_000, 7),
            Range::constant(0x1234_5678_9abc),
            Range::new(1 << 48, (1 << 48) + 9, 3),
            Range::new(-70_000, -65_000, 1),
        ];
        for range in ranges {
            for number in range.numbers().step_by(37) {
                let byte =
                    |at: u64, width: Width| Range::constant(number >> (8 * at)).truncated(width);
                for (at, width) in [
                    (0, Width::Byte),
                    (1, Width::Byte),
                    (2, Width::Half),
                    (4, Width::Word),
                    (0, Width::Word),
                ] {
                    assert!(
                        piece(range, at, width).includes(byte(at, width)),
                        "{range:?} {number} {at} {width:?}"
                    );
                }
                let (lower, upper) = (piece(range, 0, Width::Word), piece(range, 4, Width::Word));
                assert!(
                    whole(lower, upper, Width::Word).includes(Range::constant(number)),
                    "{range:?} {number}"
                );
            }
        }
        assert_eq!(piece(Range::new(0, 1 << 40, 1), 6, Width::Half), Range::constant(0));
        assert_eq!(piece(Range::new(0, 3, 1), 0, Width::Byte), Range::new(0, 3, 1));
        assert_eq!(
            whole(Range::constant(-1), Range::constant(2), Width::Byte),
            Range::constant(0x2ff)
        );
    }
}
