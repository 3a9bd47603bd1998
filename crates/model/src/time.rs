//! Time in whole nanoseconds.

mod shown;

use serde::{Deserialize, Serialize};

pub use shown::TimeColumn;

/// A length of time in nanoseconds.
///
/// One type serves all of Fusee: verdicts are integer arithmetic, so there is
/// nothing to round. Sums in analyses are checked; a sum that overflows is "not
/// schedulable", never a wrapped number.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Duration(pub u64);

impl Duration {
    /// No time at all.
    pub const ZERO: Duration = Duration(0);

    /// Returns the length in nanoseconds.
    pub const fn ns(self) -> u64 {
        self.0
    }

    /// Returns the sum, or nothing when it does not fit.
    pub fn checked_add(self, other: Duration) -> Option<Duration> {
        self.0.checked_add(other.0).map(Duration)
    }
}

/// The reason for which a text is no duration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseDurationError {
    /// No number stands where one should.
    #[error("`{0}` does not start with a number")]
    NoNumber(String),
    /// The unit is missing or unknown.
    #[error("`{0}` has no known unit; write one of ns, us, ms, s, ticks")]
    Unit(String),
    /// The number has more decimals than the unit has nanoseconds.
    #[error("`{0}` is finer than one nanosecond")]
    TooFine(String),
    /// The number does not fit.
    #[error("`{0}` is longer than 2^64 nanoseconds (584 years)")]
    TooLong(String),
}

impl Duration {
    /// Reads `10 ms`, `0.5s`, `250 us`, `300 ticks`; a tick lasts `tick`.
    ///
    /// # Errors
    /// A [`ParseDurationError`] that quotes the text.
    pub fn parse(text: &str, tick: Duration) -> Result<Duration, ParseDurationError> {
        let text = text.trim();
        let split = text
            .find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '_'))
            .unwrap_or(text.len());
        let (number, unit) = text.split_at(split);
        let number: String = number.chars().filter(|&c| c != '_').collect();
        let (whole, decimals) = number.split_once('.').unwrap_or((&number, ""));
        let is_number = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
        if whole.is_empty() || !is_number(whole) || !is_number(decimals) {
            return Err(ParseDurationError::NoNumber(text.into()));
        }
        let scale = match unit.trim() {
            "ns" => 1,
            "us" | "µs" | "μs" => 1_000,
            "ms" => 1_000_000,
            "s" => 1_000_000_000,
            "tick" | "ticks" => tick.0,
            _ => return Err(ParseDurationError::Unit(text.into())),
        };
        let decimals = decimals.trim_end_matches('0');
        let too_long = || ParseDurationError::TooLong(text.into());
        let too_fine = || ParseDurationError::TooFine(text.into());
        let power = 10u128.checked_pow(decimals.len() as u32).ok_or_else(too_fine)?;
        let whole: u128 = whole.parse().map_err(|_| too_long())?;
        let fraction: u128 =
            if decimals.is_empty() { 0 } else { decimals.parse().map_err(|_| too_fine())? };
        let fraction = fraction.checked_mul(u128::from(scale)).ok_or_else(too_fine)?;
        if !fraction.is_multiple_of(power) {
            return Err(too_fine());
        }
        let total =
            whole.checked_mul(u128::from(scale)).and_then(|w| w.checked_add(fraction / power));
        total.and_then(|t| u64::try_from(t).ok()).map(Duration).ok_or_else(too_long)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_shows() {
        let tick = Duration(1);
        for (text, ns) in [
            ("10 ms", 10_000_000),
            ("0.5s", 500_000_000),
            ("1.25 us", 1250),
            ("7 ns", 7),
            ("3 ticks", 3),
        ] {
            assert_eq!(Duration::parse(text, tick), Ok(Duration(ns)));
            assert_eq!(Duration::parse(&Duration(ns).to_string(), tick), Ok(Duration(ns)));
        }
    }

    #[test]
    fn refuses_what_is_no_duration() {
        let tick = Duration(1);
        for text in ["", "ms", "-1 ms", "10", "10 m", "1.2.3 s", "0.1 ns", "99999999999 s", "1e3 s"]
        {
            assert!(Duration::parse(text, tick).is_err(), "{text}");
        }
    }
}
