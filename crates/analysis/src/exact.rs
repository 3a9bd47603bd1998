//! Exact comparison of products and fractions.
//!
//! Utilization bounds compare products of fractions with 2. In floats such a
//! comparison is wrong near the bound, and near the bound is where it matters.
//! What the tests need of big numbers is little: multiply, add, compare. So here
//! is a natural number of any size and nothing more; no crate is worth its
//! weight for that.

use crate::effort;
use std::cmp::Ordering;

/// A natural number of any size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Natural {
    /// Little-endian digits in base 2^32 without leading zeros.
    digits: Vec<u32>,
}

impl From<u128> for Natural {
    fn from(mut value: u128) -> Self {
        let mut digits = Vec::new();
        while value > 0 {
            digits.push(value as u32);
            value >>= 32;
        }
        Self { digits }
    }
}

impl From<u64> for Natural {
    fn from(value: u64) -> Self {
        u128::from(value).into()
    }
}

impl Natural {
    /// Returns the product of both.
    #[must_use]
    pub fn times(&self, other: &Natural) -> Natural {
        // Whoever has set a limit is told that it was reached, and sees no product.
        if !effort::spend((self.digits.len() * other.digits.len()) as u64) {
            return Natural { digits: Vec::new() };
        }
        let mut digits = vec![0_u32; self.digits.len() + other.digits.len()];
        for (i, &a) in self.digits.iter().enumerate() {
            let mut carry = 0_u64;
            for (j, &b) in other.digits.iter().enumerate() {
                let sum = u64::from(a) * u64::from(b) + u64::from(digits[i + j]) + carry;
                digits[i + j] = sum as u32;
                carry = sum >> 32;
            }
            digits[i + other.digits.len()] = carry as u32;
        }
        Natural { digits }.trimmed()
    }

    /// Returns the sum of both.
    #[must_use]
    pub fn plus(&self, other: &Natural) -> Natural {
        let mut digits = Vec::with_capacity(self.digits.len().max(other.digits.len()) + 1);
        let mut carry = 0_u64;
        for i in 0..self.digits.len().max(other.digits.len()) {
            let digit = |n: &Natural| u64::from(n.digits.get(i).copied().unwrap_or(0));
            let sum = digit(self) + digit(other) + carry;
            digits.push(sum as u32);
            carry = sum >> 32;
        }
        digits.push(carry as u32);
        Natural { digits }.trimmed()
    }

    /// Returns the power with this exponent.
    #[must_use]
    pub fn power(&self, mut exponent: u64) -> Natural {
        let mut result = Natural::from(1_u64);
        let mut base = self.clone();
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = result.times(&base);
            }
            exponent >>= 1;
            if exponent > 0 {
                base = base.times(&base);
            }
        }
        result
    }

    fn trimmed(mut self) -> Self {
        while self.digits.last() == Some(&0) {
            self.digits.pop();
        }
        self
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Natural {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.digits.len().cmp(&other.digits.len()))
            .then_with(|| self.digits.iter().rev().cmp(other.digits.iter().rev()))
    }
}

/// A fraction of natural numbers; not reduced.
#[derive(Debug, Clone)]
pub struct Fraction {
    /// Above the line.
    pub numerator: Natural,
    /// Below the line; never 0.
    pub denominator: Natural,
}

impl Fraction {
    /// The fraction of two numbers; the denominator must not be 0.
    pub fn new(numerator: u64, denominator: u64) -> Self {
        Self { numerator: numerator.into(), denominator: denominator.into() }
    }

    /// The sum of fractions; equal denominators are merged, so few periods stay small.
    pub fn sum(terms: impl IntoIterator<Item = (u64, u64)>) -> Self {
        let mut by_denominator: std::collections::BTreeMap<u64, u128> =
            std::collections::BTreeMap::new();
        let mut overflow = Fraction::new(0, 1);
        for (numerator, denominator) in terms {
            let slot = by_denominator.entry(denominator).or_default();
            match slot.checked_add(u128::from(numerator)) {
                Some(sum) => *slot = sum,
                None => overflow = overflow.plus(&Fraction::new(numerator, denominator)),
            }
        }
        by_denominator.into_iter().fold(overflow, |sum, (denominator, numerator)| {
            sum.plus(&Fraction { numerator: numerator.into(), denominator: denominator.into() })
        })
    }

    /// Returns the sum of both.
    #[must_use]
    pub fn plus(&self, other: &Fraction) -> Fraction {
        if self.denominator == other.denominator {
            return Fraction {
                numerator: self.numerator.plus(&other.numerator),
                denominator: self.denominator.clone(),
            };
        }
        let left = self.numerator.times(&other.denominator);
        let right = other.numerator.times(&self.denominator);
        Fraction {
            numerator: left.plus(&right),
            denominator: self.denominator.times(&other.denominator),
        }
    }

    /// Compares the values.
    pub fn compare(&self, other: &Fraction) -> Ordering {
        self.numerator.times(&other.denominator).cmp(&other.numerator.times(&self.denominator))
    }
}

/// Compares the sum of numerator / denominator with a whole number, exactly.
///
/// Floats decide when the sum is clearly on one side: each term and each addition is off by at most
/// 2^-52 of its value. Near the limit the fractions are added in full. No denominator may be 0.
pub fn compare_sum(terms: impl Iterator<Item = (u64, u64)> + Clone, limit: u32) -> Ordering {
    let limit_in_floats = f64::from(limit);
    let (mut sum, mut count) = (0.0_f64, 0.0_f64);
    for (numerator, denominator) in terms.clone() {
        sum += numerator as f64 / denominator as f64;
        count += 1.0;
    }
    let error = sum * (count + 4.0) * f64::EPSILON;
    if sum + error < limit_in_floats {
        Ordering::Less
    } else if sum - error > limit_in_floats {
        Ordering::Greater
    } else {
        Fraction::sum(terms).compare(&Fraction::new(u64::from(limit), 1))
    }
}

/// The time after which all periods, none of them 0, repeat together; `None`: it does not fit.
pub fn hyperperiod(mut periods: impl Iterator<Item = u64>) -> Option<u128> {
    periods.try_fold(1_u128, |multiple, period| {
        let period = u128::from(period);
        multiple.checked_mul(period / common_divisor(multiple, period))
    })
}

fn common_divisor(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn value(n: &Natural) -> u128 {
        n.digits.iter().rev().fold(0, |sum, &d| (sum << 32) | u128::from(d))
    }

    proptest! {
        #[test]
        fn agrees_with_machine_numbers(a: u64, b: u64) {
            let (x, y) = (Natural::from(a), Natural::from(b));
            prop_assert_eq!(value(&x.times(&y)), u128::from(a) * u128::from(b));
            prop_assert_eq!(value(&x.plus(&y)), u128::from(a) + u128::from(b));
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        }

        #[test]
        fn fractions_agree_with_machine_numbers(a: u32, b in 1_u32.., c: u32, d in 1_u32..) {
            let (a, b, c, d) = (u64::from(a), u64::from(b), u64::from(c), u64::from(d));
            let expected = (u128::from(a) * u128::from(d)).cmp(&(u128::from(c) * u128::from(b)));
            prop_assert_eq!(Fraction::new(a, b).compare(&Fraction::new(c, d)), expected);
        }
    }

    proptest! {
        #[test]
        fn sums_are_compared_exactly(
            raw in proptest::collection::vec((0_u64..50, 1_u64..50), 0..8),
            limit in 0_u32..4,
        ) {
            let exact =
                Fraction::sum(raw.iter().copied()).compare(&Fraction::new(u64::from(limit), 1));
            prop_assert_eq!(compare_sum(raw.iter().copied(), limit), exact);
        }
    }

    #[test]
    fn sums_at_the_limit_are_equal() {
        let tenths = [(1, 10); 10];
        assert_eq!(compare_sum(tenths.into_iter(), 1), Ordering::Equal);
        let above = [(u64::MAX - 1, u64::MAX), (1, u64::MAX), (1, u64::MAX)];
        assert_eq!(compare_sum(above.into_iter(), 1), Ordering::Greater);
        assert_eq!(compare_sum(above.into_iter().take(2), 1), Ordering::Equal);
    }

    #[test]
    fn powers_of_two_have_one_bit() {
        let power = Natural::from(2_u64).power(1000);
        assert_eq!(power.digits.len(), 32);
        assert_eq!(power.digits[31], 1 << 8);
        assert_eq!(Natural::from(0_u64).power(0), Natural::from(1_u64));
    }
}
