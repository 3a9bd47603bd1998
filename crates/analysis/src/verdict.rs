//! The verdict of a test, and its meaning.

/// A test's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Every deadline is met in every legal run.
    Schedulable,
    /// Not shown to be schedulable; a miss is certain only if the test is exact.
    NotShown,
}

impl Verdict {
    /// The verdict of a condition.
    pub fn from_condition(holds: bool) -> Self {
        if holds { Verdict::Schedulable } else { Verdict::NotShown }
    }

    /// Returns the verdict of bounds on response times, none of which is beyond its deadline: it is
    /// `Schedulable` if each task has one.
    pub(crate) fn of_bounds(bounds: &[Option<u64>]) -> Self {
        Self::from_condition(bounds.iter().all(Option::is_some))
    }

    /// Returns `true` if every deadline is met.
    pub fn is_schedulable(self) -> bool {
        self == Verdict::Schedulable
    }
}

/// The meaning of a "no".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Exactness {
    /// A set without a "yes" does miss a deadline in some legal run.
    Exact,
    /// A set without a "yes" may still be schedulable.
    Sufficient,
}

impl std::fmt::Display for Exactness {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Exactness::Exact => "exact",
            Exactness::Sufficient => "sufficient",
        })
    }
}
