//! The reasons for which nothing can be drawn.

use crate::InvalidTaskSet;

/// A recipe that nothing can be drawn from.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {problem}")]
pub struct InvalidRecipe {
    /// Path of the field, as in `utilizations.total`.
    pub field: &'static str,
    /// The error, and the right form.
    pub problem: &'static str,
}

/// A set that could not be drawn: every attempt broke a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no set within the limits in {attempts} attempts")]
pub struct Discarded {
    /// The number of attempts.
    pub attempts: u64,
}

impl From<InvalidTaskSet> for Discarded {
    fn from(_: InvalidTaskSet) -> Self {
        Discarded { attempts: 1 }
    }
}

pub(super) fn check(
    field: &'static str,
    holds: bool,
    problem: &'static str,
) -> Result<(), InvalidRecipe> {
    if holds { Ok(()) } else { Err(InvalidRecipe { field, problem }) }
}

pub(super) fn finite(x: f64) -> bool {
    x.is_finite()
}
