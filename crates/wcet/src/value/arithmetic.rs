//! Operations on ranges.

use super::Range;
use fusee_isa::language::{Binary, Comparison, Width};

impl Range {
    /// All results that the operation can have: those of the low `width` bits, sign-extended.
    #[must_use]
    pub fn compute(operation: Binary, left: Range, right: Range, width: Width) -> Range {
        // Two known numbers have one result, which ranges would only come near to.
        if let (Some(l), Some(r)) = (left.as_constant(), right.as_constant()) {
            return Range::constant(exact(operation, l as u64, r as u64, width) as i64);
        }
        match operation {
            // Registers hold narrow numbers with their sign extended, so their order is
            // that of the whole numbers.
            Binary::LessSigned => less(Comparison::LessSigned, left, right),
            Binary::LessUnsigned => less(Comparison::LessUnsigned, left, right),
            _ => plain(operation, left, right, width).truncated(width),
        }
    }
}

/// Returns the result for two known numbers.
pub(crate) fn exact(operation: Binary, left: u64, right: u64, width: Width) -> u64 {
    match width {
        Width::Double => exact_double(operation, left as i64, right as i64) as u64,
        _ => {
            let (l, r) = (left as i32, right as i32);
            let unsigned = (i64::from(l as u32), i64::from(r as u32));
            let wide = match operation {
                // Shifts take their amount modulo the width, and what comes in above must
                // not be the extended sign.
                Binary::ShiftLeft => i64::from(l.wrapping_shl(r as u32)),
                Binary::ShiftRight => i64::from((l as u32).wrapping_shr(r as u32) as i32),
                Binary::ShiftRightSigned => i64::from(l.wrapping_shr(r as u32)),
                Binary::MultiplyHighSigned => (i64::from(l) * i64::from(r)) >> 32,
                Binary::MultiplyHighMixed => (i64::from(l) * unsigned.1) >> 32,
                Binary::MultiplyHighUnsigned => {
                    ((unsigned.0 as u64 * unsigned.1 as u64) >> 32) as i64
                }
                // A division by 0 has a result, the one that RISC-V defines, and raises nothing.
                Binary::DivideUnsigned if r == 0 => -1,
                Binary::DivideUnsigned => unsigned.0 / unsigned.1,
                Binary::RemainderUnsigned if r == 0 => i64::from(l),
                Binary::RemainderUnsigned => unsigned.0 % unsigned.1,
                Binary::LessUnsigned => i64::from(unsigned.0 < unsigned.1),
                Binary::LeadingZeros => i64::from(l.leading_zeros()),
                Binary::ReverseBits => i64::from(l.reverse_bits()),
                Binary::ReverseBytes => i64::from(l.swap_bytes()),
                _ => exact_double(operation, i64::from(l), i64::from(r)),
            };
            i64::from(wide as i32) as u64
        }
    }
}

fn exact_double(operation: Binary, l: i64, r: i64) -> i64 {
    let (ul, ur) = (l as u64, r as u64);
    match operation {
        Binary::Add => l.wrapping_add(r),
        Binary::Subtract => l.wrapping_sub(r),
        Binary::And => l & r,
        Binary::Or => l | r,
        Binary::Xor => l ^ r,
        Binary::ShiftLeft => l.wrapping_shl(r as u32),
        Binary::ShiftRight => ul.wrapping_shr(r as u32) as i64,
        Binary::ShiftRightSigned => l.wrapping_shr(r as u32),
        Binary::LessSigned => i64::from(l < r),
        Binary::LessUnsigned => i64::from(ul < ur),
        Binary::Multiply => l.wrapping_mul(r),
        Binary::MultiplyHighSigned => ((i128::from(l) * i128::from(r)) >> 64) as i64,
        Binary::MultiplyHighMixed => ((i128::from(l) * i128::from(ur)) >> 64) as i64,
        Binary::MultiplyHighUnsigned => ((u128::from(ul) * u128::from(ur)) >> 64) as i64,
        Binary::DivideSigned if r == 0 => -1,
        // The least number divided by -1 does not fit, and is itself again.
        Binary::DivideSigned => l.wrapping_div(r),
        Binary::DivideUnsigned => ul.checked_div(ur).unwrap_or(u64::MAX) as i64,
        Binary::RemainderSigned if r == 0 => l,
        Binary::RemainderSigned => l.wrapping_rem(r),
        Binary::RemainderUnsigned => ul.checked_rem(ur).unwrap_or(ul) as i64,
        Binary::LeadingZeros => i64::from(l.leading_zeros()),
        Binary::ReverseBits => l.reverse_bits(),
        Binary::ReverseBytes => l.swap_bytes(),
    }
}

fn sum(left: Range, right: Range) -> Range {
    let low = i128::from(left.low()) + i128::from(right.low());
    let high = i128::from(left.high()) + i128::from(right.high());
    Range::new(low, high, left.common_stride(right).into())
}

fn difference(left: Range, right: Range) -> Range {
    let low = i128::from(left.low()) - i128::from(right.high());
    let high = i128::from(left.high()) - i128::from(right.low());
    Range::new(low, high, left.common_stride(right).into())
}

fn less(comparison: Comparison, left: Range, right: Range) -> Range {
    match super::compare::decide(comparison, left, right) {
        Some(held) => Range::constant(held.into()),
        None => Range::BIT,
    }
}

fn plain(operation: Binary, left: Range, right: Range, width: Width) -> Range {
    // Narrow operations look at the low bits only, whatever is above them in the registers.
    let seen = |range: Range| match operation {
        Binary::DivideUnsigned | Binary::RemainderUnsigned => range.zero_extended(width),
        _ => range.truncated(width),
    };
    let (left, right) = (seen(left), seen(right));
    let amount = right.as_constant().map(|n| n as u32 & (width.bits() - 1));
    match (operation, right.as_constant(), amount) {
        (Binary::Add, _, _) => sum(left, right),
        (Binary::Subtract, _, _) => difference(left, right),
        // A shift to the left is a product, and a product keeps strides.
        (Binary::ShiftLeft, _, Some(amount)) => {
            multiply(left, Range::new(1 << amount, 1 << amount, 1))
        }
        (Binary::ShiftRight, _, Some(amount)) => shift_right(left, amount, width),
        (Binary::ShiftRightSigned, _, Some(amount)) => divide_down(left, amount),
        // A shift to the right, however far, makes no number larger that has no sign.
        (Binary::ShiftRight, None, _) if left.low() >= 0 => Range::new(0, left.high().into(), 1),
        (Binary::And, _, _) => and(left, right),
        (Binary::Or | Binary::Xor, _, _) => or(operation, left, right),
        (Binary::Multiply, _, _) => multiply(left, right),
        (Binary::MultiplyHighSigned, _, _) => multiply_high(ends(left), ends(right), width),
        (Binary::MultiplyHighMixed, _, _) => {
            multiply_high(ends(left), unsigned_ends(right, width), width)
        }
        (Binary::MultiplyHighUnsigned, _, _) => {
            multiply_high(unsigned_ends(left, width), unsigned_ends(right, width), width)
        }
        // Both ends are divided: among numbers of one sign a quotient grows with the dividend.
        (Binary::DivideSigned | Binary::DivideUnsigned, Some(d), _) if d > 0 && left.low() >= 0 => {
            Range::new(i128::from(left.low() / d), i128::from(left.high() / d), 1)
        }
        // A divisor below 0 is a large one here, and a divisor of 0 has no quotient:
        // neither is in this range.
        (Binary::DivideUnsigned, _, _) if right.low() > 0 && left.low() >= 0 => Range::new(
            i128::from(left.low() / right.high()),
            i128::from(left.high() / right.low()),
            1,
        ),
        (Binary::DivideSigned, Some(d), _) if d > 1 => {
            Range::new(i128::from(left.low() / d), i128::from(left.high() / d), 1)
        }
        // A remainder has the sign of the dividend, so here it is never below 0.
        (Binary::RemainderUnsigned | Binary::RemainderSigned, Some(d), _)
            if d > 0 && left.low() >= 0 =>
        {
            if left.high() < d {
                left
            } else {
                Range::new(0, i128::from(d) - 1, 1)
            }
        }
        (Binary::RemainderSigned, Some(d), _) if d > 0 => {
            Range::new(1 - i128::from(d), i128::from(d) - 1, 1)
        }
        (Binary::RemainderUnsigned, Some(d), _) if d > 0 => Range::new(0, i128::from(d) - 1, 1),
        (Binary::RemainderUnsigned, None, _) if right.low() > 0 => {
            Range::new(0, i128::from(right.high()) - 1, 1)
        }
        (Binary::LeadingZeros, _, _) => Range::new(0, width.bits().into(), 1),
        // All else is rare where loops count or addresses are made.
        _ => Range::ALL,
    }
}

fn multiply(left: Range, right: Range) -> Range {
    // A constant stands on the right, so that the stride is found either way.
    let (left, right) = if left.as_constant().is_some() { (right, left) } else { (left, right) };
    let product = |a: i64, b: i64| i128::from(a) * i128::from(b);
    let corners = [
        product(left.low(), right.low()),
        product(left.low(), right.high()),
        product(left.high(), right.low()),
        product(left.high(), right.high()),
    ];
    let stride = match right.as_constant() {
        Some(factor) => u128::from(left.stride()) * u128::from(factor.unsigned_abs()),
        // Products of two strides have no common one but by chance.
        None => 1,
    };
    // A product is least and greatest at ends of both ranges.
    let low = corners.into_iter().min().unwrap_or(i128::MIN);
    let high = corners.into_iter().max().unwrap_or(i128::MAX);
    Range::new(low, high, stride)
}

/// The least and the greatest of some numbers.
type Ends = (i128, i128);

fn ends(range: Range) -> Ends {
    (range.low().into(), range.high().into())
}

/// Returns the least and the greatest number where the bits are read without a sign.
fn unsigned_ends(range: Range, width: Width) -> Ends {
    let (low, high) = ends(range);
    let turn = 1i128 << width.bits();
    match (low < 0, high < 0) {
        (false, false) => (low, high),
        // Without a sign, numbers below 0 stand one turn higher.
        (true, true) => (low + turn, high + turn),
        // Numbers on both sides of 0 are at both ends then.
        (_, _) => (0, turn - 1),
    }
}

/// Returns the high words of products, read with their sign.
fn multiply_high(left: Ends, right: Ends, width: Width) -> Range {
    let high = |a: i128, b: i128| a.checked_mul(b).map(|product| product >> width.bits());
    let corners = [
        high(left.0, right.0),
        high(left.0, right.1),
        high(left.1, right.0),
        high(left.1, right.1),
    ];
    // A product of two words without a sign may be too large for a number with one.
    let Some(corners) = corners.into_iter().collect::<Option<Vec<i128>>>() else {
        return Range::ALL;
    };
    let low = corners.iter().copied().min().unwrap_or(i128::MIN);
    let high = corners.into_iter().max().unwrap_or(i128::MAX);
    let turn = 1i128 << width.bits();
    // High words without a sign that are too large for a number with one are all below 0 with it.
    match low >= turn / 2 {
        true => Range::new(low - turn, high - turn, 1),
        false => Range::new(low, high, 1),
    }
}

fn shift_right(left: Range, amount: u32, width: Width) -> Range {
    let left = match width {
        Width::Double => left,
        _ => left.zero_extended(width),
    };
    if left.low() >= 0 {
        return divide_down(left, amount);
    }
    // As numbers without a sign those below 0 are the largest, and the shift fills up with zeros.
    if amount == 0 { left } else { Range::new(0, i128::from(u64::MAX >> amount), 1) }
}

fn divide_down(left: Range, amount: u32) -> Range {
    let step = 1u64 << amount;
    // Only a stride that is a multiple of the divisor leaves the results evenly apart.
    let stride = if left.stride().is_multiple_of(step) { left.stride() / step } else { 1 };
    Range::new(i128::from(left.low() >> amount), i128::from(left.high() >> amount), stride.into())
}

fn and(left: Range, right: Range) -> Range {
    let (range, mask) = match (left.as_constant(), right.as_constant()) {
        (Some(mask), _) => (right, mask),
        (_, Some(mask)) => (left, mask),
        _ if left.low() >= 0 || right.low() >= 0 => {
            // One side without a sign clears all high bits of the other, so it alone is the limit.
            let limit = |r: Range| if r.low() >= 0 { r.high() } else { i64::MAX };
            return Range::new(0, limit(left).min(limit(right)).into(), 1);
        }
        // Two numbers below 0 may have any of their bits in common.
        _ => return Range::ALL,
    };
    if mask < 0 {
        return clear_low_bits(range, mask);
    }
    let low_ones = mask.wrapping_add(1) & mask == 0;
    if low_ones && range.low() >= 0 && range.high() <= mask {
        return range;
    }
    // Below a power of two that divides the stride, all numbers have the same low bits.
    let step = 1u64 << range.stride().trailing_zeros().min(62);
    if step.cast_signed() > mask {
        return Range::constant(range.low() & mask);
    }
    if low_ones {
        return Range::new(
            i128::from(range.low() & (step - 1).cast_signed()),
            mask.into(),
            step.into(),
        );
    }
    // Bits are only cleared, so a number that is not below 0 cannot grow.
    let high = if range.low() >= 0 { mask.min(range.high()) } else { mask };
    Range::new(0, high.into(), 1u128 << mask.trailing_zeros().min(62))
}

/// Returns a mask such as `-16`.
fn clear_low_bits(range: Range, mask: i64) -> Range {
    let step = (!mask).wrapping_add(1);
    // Only ones above zeros keep numbers in order, so only then the ends stay ends.
    if step <= 0 || step & (step - 1) != 0 {
        return if range.low() >= 0 { Range::new(0, range.high().into(), 1) } else { Range::ALL };
    }
    Range::new((range.low() & mask).into(), (range.high() & mask).into(), step as u128)
}

/// `|` and `^`; the low bits that all numbers of a side share stay known.
fn or(operation: Binary, left: Range, right: Range) -> Range {
    let shared = |range: Range| {
        if range.stride() == 0 { 62 } else { range.stride().trailing_zeros().min(62) }
    };
    let step = 1i64 << shared(left).min(shared(right));
    let rest = exact_double(operation, left.low(), right.low()) & (step - 1);
    // With a sign the high bits may be anything.
    if left.low() < 0 || right.low() < 0 {
        return Range::congruent(rest.into(), step as u128);
    }
    // No bit is set above the highest one of both sides.
    let top = (left.high() | right.high()) as u64;
    let ones = if top == 0 { 0 } else { u64::MAX >> top.leading_zeros() };
    Range::new(rest.into(), i128::from(ones), step as u128)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPERATIONS: [Binary; 21] = [
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
        Binary::MultiplyHighSigned,
        Binary::MultiplyHighMixed,
        Binary::MultiplyHighUnsigned,
        Binary::DivideSigned,
        Binary::DivideUnsigned,
        Binary::RemainderSigned,
        Binary::RemainderUnsigned,
        Binary::LeadingZeros,
        Binary::ReverseBits,
        Binary::ReverseBytes,
    ];

    /// Every result for numbers in the operands is in the result.
    #[test]
    fn results_include_all_exact_ones() {
        let ends = [
            i64::MIN,
            -(1 << 33),
            -(1 << 31),
            -65,
            -4,
            -1,
            0,
            1,
            3,
            16,
            100,
            1 << 31,
            1 << 40,
            i64::MAX,
        ];
        let mut ranges = Vec::new();
        for (i, &low) in ends.iter().enumerate() {
            for &high in &ends[i..] {
                for stride in [1, 3, 8] {
                    ranges.push(Range::new(low.into(), high.into(), stride));
                }
            }
        }
        for operation in OPERATIONS {
            for (i, &l) in ranges.iter().enumerate() {
                for &r in ranges.iter().skip(i % 7).step_by(7) {
                    check(operation, l, r);
                }
            }
        }
    }

    fn check(operation: Binary, l: Range, r: Range) {
        let samples = |x: Range| {
            [x.low(), x.high(), x.low().wrapping_add_unsigned(x.stride() * (x.steps() / 2))]
        };
        for width in [Width::Word, Width::Double] {
            // Registers of narrow operations may hold anything in the upper half.
            let result = Range::compute(operation, l, r, width);
            for a in samples(l) {
                for b in samples(r) {
                    if width == Width::Word
                        && matches!(operation, Binary::LessSigned | Binary::LessUnsigned)
                    {
                        continue;
                    }
                    let n = exact(operation, a as u64, b as u64, width) as i64;
                    assert!(
                        result.contains(n),
                        "{operation:?} {width:?} {l:?} {r:?}: {a} {b} gives {n}, not in {result:?}"
                    );
                }
            }
        }
    }
}
