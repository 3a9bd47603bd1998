//! Values along an axis: whole numbers, short decimals, words.
//!
//! Decimals are kept in millionths, so that 0.05 + 0.05 is 0.1 and equal values
//! are equal on every machine.

use std::fmt;

/// Millionths in one.
pub(crate) const MILLION: u64 = 1_000_000;

/// A value along an axis, as results and legends show it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// A whole number.
    Integer(u64),
    /// A decimal, in millionths.
    Real(u64),
    /// A name without quotes.
    Word(String),
}

impl Value {
    /// Returns the number as a float, for drawing; `None` for a word.
    pub fn number(&self) -> Option<f64> {
        match self {
            Value::Integer(value) => Some(*value as f64),
            Value::Real(millionths) => Some(*millionths as f64 / MILLION as f64),
            Value::Word(_) => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Integer(value) => write!(f, "{value}"),
            Value::Word(word) => f.write_str(word),
            Value::Real(millionths) => {
                let text = format!("{}.{:06}", millionths / MILLION, millionths % MILLION);
                f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_written_short() {
        let texts = [50_000, 1_000_000, 7_950_000, 1, 0].map(|m| Value::Real(m).to_string());
        assert_eq!(texts, ["0.05", "1", "7.95", "0.000001", "0"]);
    }
}
