//! The costs of letting threads sleep on each other's account.

use serde::{Deserialize, Serialize};

use crate::Duration;

/// The costs of components that make locks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DependencyCosts {
    /// To sleep on another thread's account, until that one goes on.
    pub depend: Duration,
    /// To wake a thread, until it goes on.
    pub wake: Duration,
}

impl DependencyCosts {
    /// Each of them.
    pub(super) fn each(self, of: impl Fn(Duration) -> Duration) -> Self {
        Self { depend: of(self.depend), wake: of(self.wake) }
    }

    /// Returns `true` if they are nothing.
    pub(super) fn is_zero(&self) -> bool {
        *self == Self::default()
    }

    pub(super) fn larger(self, other: Self) -> Self {
        Self { depend: self.depend.max(other.depend), wake: self.wake.max(other.wake) }
    }
}
