//! Counting jobs in windows, and the least windows, without overflow.
//!
//! All sums here saturate: what a test adds up only ever grows, so a saturated
//! sum stands for something at least as large as the largest number, and
//! [`least`] refuses windows of that size whatever the limit. So a number that
//! does not fit means "no bound", and no inner loop needs to ask.

use crate::effort;

/// The most jobs with one of their `reach + window` instants in a window: ceil((w + reach) / T).
///
/// With the release jitter as reach: jobs released in the window. With the response time:
/// jobs pending in it.
#[inline]
pub(crate) fn jobs(window: u64, reach: u64, period: u64) -> u64 {
    match window.checked_add(reach) {
        None => u64::MAX,
        Some(0) => 0,
        Some(span) if span <= period => 1,
        Some(span) => span.div_ceil(period),
    }
}

/// a * b, saturated.
#[inline]
pub(crate) fn times(a: u64, b: u64) -> u64 {
    a.saturating_mul(b)
}

/// After so many steps a search for a window ends without one.
pub(crate) const MOST_STEPS: usize = 100_000;

/// The least window w in `start` ..= `limit` with `demand(w)` <= w.
///
/// `demand` must not fall as w grows. `None`: there is none, it does not fit, or it is
/// approached in more than [`MOST_STEPS`] steps, as happens where a core is all but full.
#[inline]
pub(crate) fn least(start: u64, limit: u64, mut demand: impl FnMut(u64) -> u64) -> Option<u64> {
    let limit = limit.min(u64::MAX - 1);
    let mut window = start;
    for _ in 0..MOST_STEPS {
        if window > limit || !effort::step() {
            return None;
        }
        let needed = demand(window);
        if needed <= window {
            return Some(window);
        }
        window = needed;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_jobs() {
        assert_eq!([jobs(0, 0, 5), jobs(5, 0, 5), jobs(6, 0, 5), jobs(5, 6, 5)], [0, 1, 2, 3]);
        assert_eq!(jobs(u64::MAX, 1, 5), u64::MAX);
    }

    #[test]
    fn finds_the_least_window_or_none() {
        assert_eq!(least(1, 100, |w| 3 + 2 * w.div_ceil(10)), Some(5));
        assert_eq!(least(1, 4, |w| 3 + 2 * w.div_ceil(10)), None);
        assert_eq!(least(1, u64::MAX, |_| u64::MAX), None);
    }
}
