//! The costs of messages that do not travel in registers.

use serde::{Deserialize, Serialize};

use crate::Duration;

/// Added to an invocation whose arguments or results are packed, copied and unpacked, both sides'
/// stubs included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MessageCosts {
    /// For each such invocation.
    pub invocation: Duration,
    /// For each word, both ways together.
    pub word: Duration,
}

impl MessageCosts {
    /// Returns the cost of an invocation with so many words besides the passage; `None`: too much
    /// for the clock.
    pub fn of(&self, words: u32) -> Option<Duration> {
        let words = self.word.ns().checked_mul(u64::from(words))?;
        words.checked_add(self.invocation.ns()).map(Duration)
    }
}
