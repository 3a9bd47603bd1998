//! Nanoseconds that remember an overflow.
//!
//! Demands are long chains of sums and products. Each of them may leave 64 bits,
//! and then the answer must be "no bound", not a wrapped number. An amount that
//! has overflowed stays so and is larger than every other.

/// Nanoseconds; `None`: more than a `u64` holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Amount(pub(crate) Option<u64>);

impl Amount {
    pub(crate) const ZERO: Amount = Amount(Some(0));

    pub(crate) fn plus(self, other: Amount) -> Amount {
        Amount(self.0.zip(other.0).and_then(|(a, b)| a.checked_add(b)))
    }

    pub(crate) fn times(self, count: u64) -> Amount {
        // What does not happen takes nothing, even where nobody knows how long it would take.
        if count == 0 {
            return Amount::ZERO;
        }
        Amount(self.0.and_then(|a| a.checked_mul(count)))
    }
}

impl PartialOrd for Amount {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Amount {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        match (self.0, other.0) {
            (None, None) => std::cmp::Ordering::Equal,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (Some(_), None) => std::cmp::Ordering::Less,
            (Some(a), Some(b)) => a.cmp(&b),
        }
    }
}
