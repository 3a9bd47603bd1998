//! Liu and Layland's bound with blocking, without a float in sight.
//!
//! sum of C/T + max of B/T <= n (2^(1/n) - 1) is the same as (U/n + 1)^n <= 2.
//! Powers of exact fractions grow quickly, so the power is first enclosed
//! between two fixed-point numbers; only when 2 lies between them is it computed
//! in full.

use std::cmp::Ordering;

use super::RATE_MONOTONIC;
use crate::exact::{Fraction, Natural};
use crate::{Exactness, Family, Metadata, SchedulabilityTest, Task, TaskSet, Verdict};

/// sum of C_i / T_i + max of B_i / T_i <= n (2^(1/n) - 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LiuLayland;

/// Fractional bits of the enclosure.
const BITS: u32 = 60;
const ONE: u64 = 1 << BITS;

/// Both ends of an interval of fixed-point numbers below 4.
#[derive(Clone, Copy)]
struct Interval {
    low: u64,
    high: u64,
}

impl Interval {
    /// The product; `None` once it is certainly 4 or more.
    fn times(self, other: Interval) -> Option<Interval> {
        let low = (u128::from(self.low) * u128::from(other.low)) >> BITS;
        let high = (u128::from(self.high) * u128::from(other.high)).div_ceil(u128::from(ONE));
        let cap = u128::from(ONE) * 4;
        (low < cap).then_some(Interval { low: low as u64, high: high.min(cap) as u64 })
    }
}

/// Compares (1 + x)^n with 2, where x is enclosed; `None`: too close to call.
fn enclosed(x: Interval, mut n: u64) -> Option<Ordering> {
    let mut base = Some(Interval { low: ONE + x.low, high: ONE + x.high });
    let mut power = Interval { low: ONE, high: ONE };
    while n > 0 {
        let Some(factor) = base else { return Some(Ordering::Greater) };
        if n & 1 == 1 {
            match power.times(factor) {
                Some(product) => power = product,
                None => return Some(Ordering::Greater),
            }
        }
        n >>= 1;
        base = if n > 0 { factor.times(factor) } else { base };
    }
    match (power.low > 2 * ONE, power.high <= 2 * ONE) {
        (true, _) => Some(Ordering::Greater),
        (_, true) => Some(Ordering::Less),
        _ => None,
    }
}

/// Encloses the sum of `numerator / denominator / n`; `None` when it is above 1.
fn enclose(terms: &[(u64, u64)], n: u64) -> Option<Interval> {
    let (mut low, mut high) = (0_u128, 0_u128);
    for &(numerator, denominator) in terms {
        let (scaled, divisor) = (u128::from(numerator) << BITS, u128::from(denominator));
        low = low.checked_add(scaled / divisor)?;
        high = high.checked_add(scaled.div_ceil(divisor))?;
    }
    let (low, high) = (low / u128::from(n), high.div_ceil(u128::from(n)));
    (high <= u128::from(ONE)).then_some(Interval { low: low as u64, high: high as u64 })
}

/// The condition in full: (N + nD)^n <= 2 (nD)^n for U = N / D.
fn exactly(terms: &[(u64, u64)], n: u64) -> bool {
    let sum = Fraction::sum(terms.iter().copied());
    let scaled = sum.denominator.times(&Natural::from(n));
    sum.numerator.plus(&scaled).power(n) <= scaled.power(n).times(&Natural::from(2_u64))
}

impl SchedulabilityTest for LiuLayland {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "fp-liu-layland",
            title: "Liu-Layland bound with blocking",
            source: "Liu and Layland 1973; Sha, Rajkumar and Lehoczky 1990, corollary 17 (Sudvarg \
                     et al. 2024, equation 3)",
            family: Family::FixedPriority,
            assumptions: RATE_MONOTONIC,
            exactness: Exactness::Sufficient,
        }
    }

    fn decide(&self, set: &TaskSet) -> Verdict {
        let of_core = |core| set.on_core(core).map(|(_, t)| *t).collect::<Vec<_>>();
        Verdict::from_condition((0..set.cores()).all(|core| holds(&of_core(core))))
    }
}

/// The bound for the tasks of one core.
fn holds(tasks: &[Task]) -> bool {
    let by_blocking =
        |a: &(u64, u64), b: &(u64, u64)| Fraction::new(a.0, a.1).compare(&Fraction::new(b.0, b.1));
    let Some(blocking) = tasks.iter().map(|t| (t.blocking, t.period)).max_by(by_blocking) else {
        return true;
    };
    let terms: Vec<(u64, u64)> =
        tasks.iter().map(|t| (t.wcet, t.period)).chain([blocking]).collect();
    let n = tasks.len() as u64;
    let decided = enclose(&terms, n).and_then(|enclosure| enclosed(enclosure, n));
    decided.map_or_else(|| exactly(&terms, n), Ordering::is_le)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn enclosure_agrees_with_the_full_power(
            terms in proptest::collection::vec((0_u64..200, 100_u64..900), 1..8),
        ) {
            let n = terms.len() as u64;
            let full = exactly(&terms, n);
            if let Some(quick) = enclose(&terms, n).and_then(|x| enclosed(x, n)) {
                prop_assert_eq!(quick.is_le(), full);
            }
        }
    }

    #[test]
    fn the_bound_of_one_task_is_1() {
        assert!(exactly(&[(5, 5)], 1));
        assert!(!exactly(&[(5, 5), (1, u64::MAX)], 1));
    }
}
