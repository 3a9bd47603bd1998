//! What schedulers that are components take to decide.

use serde::{Deserialize, Serialize};

use crate::Duration;

/// What grows with the number of a scheduler's threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slope {
    /// However many there are.
    pub once: Duration,
    /// For each of them.
    pub thread: Duration,
}

impl Slope {
    /// With so many threads; `None`: too much for the clock.
    pub fn of(&self, threads: usize) -> Option<Duration> {
        let threads = self.thread.ns().checked_mul(u64::try_from(threads).ok()?)?;
        threads.checked_add(self.once.ns()).map(Duration)
    }

    fn each(self, of: impl Fn(Duration) -> Duration) -> Self {
        Self { once: of(self.once), thread: of(self.thread) }
    }

    fn larger(self, other: Self) -> Self {
        Self { once: self.once.max(other.once), thread: self.thread.max(other.thread) }
    }
}

/// What the schedulers that come with Fusee take, with the kernel's paths: from the end of who ran,
/// or from what made them look, until the next one's first instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SchedulerCosts {
    /// A decision of one that chooses among its threads, with the event that it is about.
    pub choose: Slope,
    /// Added for each further event that it hears of.
    pub hear: Slope,
    /// A decision of a table of slots; none of a scheduler's calls takes longer.
    pub slot: Duration,
    /// Added for each event that the table has still to receive.
    pub note: Duration,
}

impl SchedulerCosts {
    /// Whether nothing costs anything.
    pub(super) fn is_zero(&self) -> bool {
        *self == Self::default()
    }

    /// The larger one of each number.
    pub(super) fn larger(self, other: Self) -> Self {
        Self {
            choose: self.choose.larger(other.choose),
            hear: self.hear.larger(other.hear),
            slot: self.slot.max(other.slot),
            note: self.note.max(other.note),
        }
    }

    /// The same with something done to each number.
    pub(super) fn each(self, of: impl Fn(Duration) -> Duration + Copy) -> Self {
        Self {
            choose: self.choose.each(of),
            hear: self.hear.each(of),
            slot: of(self.slot),
            note: of(self.note),
        }
    }
}
