//! Strided intervals of signed 64-bit numbers.

use fusee_isa::language::Width;

/// The numbers `low, low + stride, ..., high`; one number has stride 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Range {
    low: i64,
    high: i64,
    stride: u64,
}

/// Returns the greatest common divisor; of 0 and a number, the number.
fn common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Range {
    /// The range of all numbers.
    pub const ALL: Range = Range { low: i64::MIN, high: i64::MAX, stride: 1 };
    /// 0 and 1.
    pub const BIT: Range = Range { low: 0, high: 1, stride: 1 };

    /// Returns the range of one number.
    pub fn constant(number: i64) -> Self {
        Range { low: number, high: number, stride: 0 }
    }

    /// Returns the numbers from `low` to `high`, both included, `stride` apart.
    ///
    /// `high` is lowered to the last number that is reached. Bounds outside 64 bits wrap around,
    /// and a power of two that divides the stride is all that is left of them. Bounds in the wrong
    /// order give all numbers.
    pub fn new(low: i128, high: i128, stride: u128) -> Self {
        let (Ok(first), Ok(last)) = (i64::try_from(low), i64::try_from(high)) else {
            return Self::congruent(low, stride);
        };
        let (low, high) = (first, last);
        // Too much is said rather than nothing: an empty set would make a path impossible.
        if low > high {
            return Self::ALL;
        }
        if low == high {
            return Self::constant(low);
        }
        // A stride beyond 64 bits is given up. All that is between the ends is more than
        // need be, which is sound.
        let stride = u64::try_from(stride.max(1)).unwrap_or(1);
        let distance = high.abs_diff(low);
        let high = low.wrapping_add_unsigned(distance - distance % stride);
        if low == high { Self::constant(low) } else { Range { low, high, stride } }
    }

    /// Returns all numbers that leave what `number` leaves, divided by the largest power of two
    /// that divides `stride`.
    pub fn congruent(number: i128, stride: u128) -> Self {
        // Only a power of two survives a number's wrapping around.
        let step = 1u64 << stride.max(1).trailing_zeros().min(62);
        let rest = number.rem_euclid(step.into()) as u64;
        let low = i64::MIN.wrapping_add_unsigned(rest);
        Range { low, high: low.wrapping_add_unsigned(u64::MAX - (step - 1)), stride: step }
    }

    /// From `low` to `high` in steps of one; nothing when they are in the wrong order.
    pub fn between(low: i64, high: i64) -> Option<Self> {
        (low <= high).then(|| Self::new(low.into(), high.into(), 1))
    }

    /// Returns what a load of this width can give.
    pub fn of_width(width: Width, signed: bool) -> Self {
        let bits = width.bits();
        match (bits, signed) {
            (64, _) => Self::ALL,
            (_, true) => Self::new(-(1 << (bits - 1)), (1 << (bits - 1)) - 1, 1),
            (_, false) => Self::new(0, (1 << bits) - 1, 1),
        }
    }

    /// Returns the lowest number.
    pub fn low(self) -> i64 {
        self.low
    }

    /// Returns the highest number.
    pub fn high(self) -> i64 {
        self.high
    }

    /// Returns the distance between neighbors; 0 for a single number.
    pub fn stride(self) -> u64 {
        self.stride
    }

    /// Returns the stride of all sums of a number of each: their greatest common divisor.
    pub fn common_stride(self, other: Range) -> u64 {
        common_divisor(self.stride, other.stride)
    }

    /// Returns how many numbers, less one.
    pub fn steps(self) -> u64 {
        self.high.abs_diff(self.low).checked_div(self.stride).unwrap_or(0)
    }

    /// Returns all numbers in order; meant for small ranges.
    pub fn numbers(self) -> impl Iterator<Item = i64> {
        (0..=self.steps()).map(move |k| self.low.wrapping_add_unsigned(k * self.stride))
    }

    /// Returns the number, when there is only one.
    pub fn as_constant(self) -> Option<i64> {
        (self.low == self.high).then_some(self.low)
    }

    /// Returns all numbers, so much higher; nothing where one leaves 64 bits.
    pub fn shifted(self, distance: i64) -> Option<Range> {
        Some(Range {
            low: self.low.checked_add(distance)?,
            high: self.high.checked_add(distance)?,
            ..self
        })
    }

    /// Returns whether the number is in it.
    pub fn contains(self, number: i64) -> bool {
        let inside = self.low <= number && number <= self.high;
        inside && (self.stride <= 1 || number.abs_diff(self.low).is_multiple_of(self.stride))
    }

    /// Returns whether every number of `other` is one of these.
    pub fn includes(self, other: Range) -> bool {
        // A single number has stride 0, which is a multiple of any.
        let steps_fit = self.stride <= 1 || other.stride.is_multiple_of(self.stride);
        self.contains(other.low) && self.contains(other.high) && steps_fit
    }

    /// Returns the smallest strided interval that includes both.
    #[must_use]
    pub fn join(self, other: Range) -> Range {
        // The distance of the two beginnings must be kept as well, or numbers of
        // one side would be left out.
        let stride = common_divisor(self.common_stride(other), self.low.abs_diff(other.low));
        Range::new(self.low.min(other.low).into(), self.high.max(other.high).into(), stride.into())
    }

    /// Returns the numbers in both, or nothing; may keep some that are only in `self`.
    pub fn meet(self, other: Range) -> Option<Range> {
        // Whether one number is there, strides tell exactly.
        if let Some(number) = other.as_constant() {
            return self.contains(number).then_some(other);
        }
        self.clamp(other.low, other.high)
    }

    /// The numbers of `self` between the bounds, or nothing.
    pub fn clamp(self, low: i64, high: i64) -> Option<Range> {
        let low = low.max(self.low);
        let high = high.min(self.high);
        if low > high {
            return None;
        }
        let stride = self.stride.max(1);
        // The first number that is there at or behind the bound: strides
        // count from the old beginning.
        let up = low.abs_diff(self.low).div_ceil(stride).checked_mul(stride)?;
        let first = i128::from(self.low) + i128::from(up);
        if first > i128::from(high) {
            return None;
        }
        Some(Range::new(first, high.into(), stride.into()))
    }

    /// Returns the numbers other than this one, or nothing; exact only at the ends.
    pub fn without(self, number: i64) -> Option<Range> {
        let stride = i128::from(self.stride.max(1));
        let (low, high) = (i128::from(self.low), i128::from(self.high));
        // A hole in the middle cannot be told, and then the number stays, which is sound.
        match (self.low == number, self.high == number) {
            (true, true) => None,
            (true, false) => Some(Range::new(low + stride, high, stride as u128)),
            (false, true) => Some(Range::new(low, high - stride, stride as u128)),
            (false, false) => Some(self),
        }
    }

    /// Returns a range that includes both and does not grow often.
    #[must_use]
    pub fn widen(self, next: Range) -> Range {
        let joined = self.join(next);
        if joined == self {
            return self;
        }
        // An end that moves goes as far as it can, so no end moves twice.
        let low = if joined.low < self.low { i64::MIN } else { self.low };
        let high = if joined.high > self.high { i64::MAX } else { self.high };
        Range::new(low.into(), high.into(), 1)
    }

    /// Returns the range of the low `width` bits, sign-extended.
    #[must_use]
    pub fn truncated(self, width: Width) -> Range {
        let all = Self::of_width(width, true);
        if self.low >= all.low && self.high <= all.high {
            return self;
        }
        if width == Width::Double {
            return self;
        }
        let modulus = 1i128 << width.bits();
        // Where all numbers lie within one turn, they keep their order and their stride.
        let turns = (i128::from(self.low) - i128::from(all.low)).div_euclid(modulus);
        let (low, high) =
            (i128::from(self.low) - turns * modulus, i128::from(self.high) - turns * modulus);
        if high <= i128::from(all.high) {
            return Range::new(low, high, self.stride.into());
        }
        // A power of two that divides the stride survives the reduction.
        let stride = 1u64 << self.stride.trailing_zeros().min(width.bits() - 1);
        let first = i128::from(all.low) + low.rem_euclid(i128::from(stride));
        Range::new(first, all.high.into(), stride.into())
    }

    /// Returns the range of the low `width` bits, zero-extended.
    #[must_use]
    pub fn zero_extended(self, width: Width) -> Range {
        if width == Width::Double {
            return self;
        }
        let mask = (1i64 << width.bits()) - 1;
        if self.low >= 0 && self.high <= mask {
            return self;
        }
        // Numbers below 0 move up by one turn, all together.
        if self.low >= -(1i64 << (width.bits() - 1)) && self.high < 0 {
            let modulus = 1i128 << width.bits();
            return Range::new(
                i128::from(self.low) + modulus,
                i128::from(self.high) + modulus,
                self.stride.into(),
            );
        }
        match self.as_constant() {
            Some(number) => Range::constant(number & mask),
            None => {
                // A power of two that divides the stride survives the reduction.
                let stride = 1i64 << self.stride.trailing_zeros().min(width.bits() - 1);
                let first = self.low.rem_euclid(stride);
                Range::new(first.into(), mask.into(), stride as u128)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(low: i64, high: i64, stride: u64) -> Range {
        Range::new(low.into(), high.into(), stride.into())
    }

    #[test]
    fn lowers_the_end_to_what_is_reached() {
        assert_eq!(range(0, 10, 4), range(0, 8, 4));
        assert_eq!(range(5, 7, 4), Range::constant(5));
    }

    #[test]
    fn joins_keep_the_common_stride() {
        assert_eq!(Range::constant(4).join(Range::constant(12)), range(4, 12, 8));
        assert_eq!(range(0, 8, 4).join(Range::constant(6)), range(0, 8, 2));
    }

    #[test]
    fn what_wraps_around_keeps_powers_of_two() {
        assert_eq!(Range::congruent(0, 3), Range::ALL);
        let wrapped = Range::new(-5, i128::from(u64::MAX), 24);
        assert_eq!(
            (wrapped.low(), wrapped.high(), wrapped.stride()),
            (i64::MIN + 3, i64::MAX - 4, 8)
        );
        assert!(wrapped.contains(-5) && wrapped.contains(3) && !wrapped.contains(4));
    }

    #[test]
    fn clamps_to_numbers_of_the_stride() {
        assert_eq!(range(0, 100, 7).clamp(10, 30), Some(range(14, 28, 7)));
        assert_eq!(range(0, 100, 50).clamp(10, 30), None);
        assert_eq!(range(0, 10, 5).without(10), Some(range(0, 5, 5)));
        assert_eq!(Range::constant(3).without(3), None);
    }

    #[test]
    fn truncation_keeps_every_number() {
        for r in [
            range(0x7fff_fff0, 0x8000_0010, 16),
            range(-5, 0x1_0000_0003, 2),
            range(1 << 40, (1 << 40) + 64, 8),
        ] {
            let short = r.truncated(Width::Word);
            let long = r.zero_extended(Width::Word);
            for number in r.numbers().take(1000) {
                assert!(short.contains(i64::from(number as i32)), "{r:?} {number}");
                assert!(long.contains(number & 0xffff_ffff), "{r:?} {number}");
            }
        }
    }
}
