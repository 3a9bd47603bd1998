//! Times in recipes: a number and a unit, as in `"10 ms"`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A length of time in whole nanoseconds.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(try_from = "String", into = "String")]
pub struct Span {
    /// The length in nanoseconds.
    pub nanoseconds: u64,
}

/// A text is no length of time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no time; write a number and ns, us, ms or s, as in \"10 ms\"")]
pub struct InvalidSpan {
    /// The text that was read.
    pub text: String,
}

const UNITS: [(&str, u64); 4] = [("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000), ("ns", 1)];

impl Span {
    /// Returns the number of spans of this length that fit into a time, but at least 1.
    pub(super) fn count_in(self, nanoseconds: u64) -> u64 {
        (nanoseconds / self.nanoseconds).max(1)
    }

    /// So many milliseconds; at most the largest span.
    pub fn milliseconds(count: u64) -> Self {
        Self { nanoseconds: count.saturating_mul(1_000_000) }
    }

    /// So many microseconds; at most the largest span.
    pub fn microseconds(count: u64) -> Self {
        Self { nanoseconds: count.saturating_mul(1_000) }
    }
}

impl FromStr for Span {
    type Err = InvalidSpan;

    fn from_str(text: &str) -> Result<Self, InvalidSpan> {
        let error = || InvalidSpan { text: text.to_owned() };
        let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let (number, unit) = text.split_at(digits);
        let (_, size) =
            UNITS.into_iter().find(|(name, _)| *name == unit.trim()).ok_or_else(error)?;
        let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
        let nanoseconds = scaled(whole, fraction, size).ok_or_else(error)?;
        Ok(Self { nanoseconds })
    }
}

/// `whole.fraction` times `size`, if that is a whole number that fits.
fn scaled(whole: &str, fraction: &str, size: u64) -> Option<u64> {
    let whole: u64 = whole.parse().ok()?;
    let ten_to = 10_u64.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    let part = u128::from(fraction.parse::<u64>().ok()?) * u128::from(size);
    if part % u128::from(ten_to) != 0 {
        return None;
    }
    whole.checked_mul(size)?.checked_add(u64::try_from(part / u128::from(ten_to)).ok()?)
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fits = |size: &u64| self.nanoseconds.is_multiple_of(*size);
        let (unit, size) = UNITS.into_iter().find(|(_, size)| fits(size)).unwrap_or(("ns", 1));
        write!(f, "{} {unit}", self.nanoseconds / size)
    }
}

impl TryFrom<String> for Span {
    type Error = InvalidSpan;

    fn try_from(text: String) -> Result<Self, InvalidSpan> {
        text.parse()
    }
}

impl From<Span> for String {
    fn from(span: Span) -> String {
        span.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes() {
        for (text, nanoseconds) in
            [("10 ms", 10_000_000), ("0.3 us", 300), ("1.5s", 1_500_000_000), ("7 ns", 7)]
        {
            let span: Span = text.parse().unwrap();
            assert_eq!(span, Span { nanoseconds });
            assert_eq!(span.to_string().parse(), Ok(span));
        }
        for bad in [
            "",
            "10",
            "ms",
            "1.5 ns",
            "-1 ms",
            "1e3 ms",
            "99999999999999999999 ns",
            "18446744074 s",
            "1.2.3 s",
        ] {
            assert!(bad.parse::<Span>().is_err(), "{bad}");
        }
    }
}
