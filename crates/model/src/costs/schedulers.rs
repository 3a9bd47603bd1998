//! The times of decisions by schedulers that are components.

use serde::{Deserialize, Serialize};

use crate::Duration;

/// A cost that grows with the number of a scheduler's threads.
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

/// The costs of the schedulers that come with Fusee, with the kernel's paths: from the end of the
/// last thread's run, or from the event that made them look, until the next one's first
/// instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SchedulerCosts {
    /// A decision of one that chooses among its threads, with the event that it is about.
    pub choose: Slope,
    /// Added for each further event that it hears of.
    pub hear: Slope,
    /// A decision of a scheduler that keeps its threads within a capacity, or has a share of time
    /// for each.
    pub serve: Slope,
    /// Added where it gives its threads what they have of their own again.
    pub fill: Slope,
    /// A decision of a table of slots; none of a scheduler's calls takes longer.
    pub slot: Duration,
    /// Added for each event that the table has still to receive.
    pub note: Duration,
    /// Added to each of these, and to each path of the kernel, where threads that are dispatched
    /// may lend to each other at gates.
    pub lend: Duration,
}

impl SchedulerCosts {
    /// The same where threads that are dispatched may lend at gates.
    pub(super) fn lending(self) -> Self {
        let with = |path: Duration| Duration(path.ns().saturating_add(self.lend.ns()));
        let each = |slope: Slope| Slope { once: with(slope.once), ..slope };
        Self {
            choose: each(self.choose),
            hear: each(self.hear),
            serve: each(self.serve),
            fill: each(self.fill),
            slot: with(self.slot),
            note: with(self.note),
            lend: self.lend,
        }
    }

    /// Returns `true` if nothing costs anything.
    pub(super) fn is_zero(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the larger one of each number.
    pub(super) fn larger(self, other: Self) -> Self {
        Self {
            choose: self.choose.larger(other.choose),
            hear: self.hear.larger(other.hear),
            serve: self.serve.larger(other.serve),
            fill: self.fill.larger(other.fill),
            slot: self.slot.max(other.slot),
            note: self.note.max(other.note),
            lend: self.lend.max(other.lend),
        }
    }

    /// The same with something done to each number.
    pub(super) fn each(self, of: impl Fn(Duration) -> Duration + Copy) -> Self {
        Self {
            choose: self.choose.each(of),
            hear: self.hear.each(of),
            serve: self.serve.each(of),
            fill: self.fill.each(of),
            slot: of(self.slot),
            note: of(self.note),
            lend: of(self.lend),
        }
    }
}
