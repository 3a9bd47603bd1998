//! The costs of kernels of several cores for gates between them.

use serde::{Deserialize, Serialize};

use super::both::both;
use crate::Duration;

/// The further costs of kernels of several cores, for gates between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoreCosts {
    /// The longest for which one core holds a gate's lock.
    pub lock: Duration,
    /// A look at a gate, on the core that was told to.
    pub look: Duration,
    /// Added to a path after which a thread no longer runs that has asked at a gate: it is not
    /// present there any more, and a section that it executed is laid down.
    pub lose: Duration,
    /// Added to a path after which such a thread runs again: it is present, and may take a section
    /// up.
    pub gain: Duration,
    /// Passing a gate within a section between cores, and as much for coming back.
    pub pass: Duration,
    /// Locking a mutex that tasks of several cores lock. `None`: unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mutex_lock: Option<Duration>,
    /// Unlocking it. `None`: unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mutex_unlock: Option<Duration>,
}

impl CoreCosts {
    /// None of it costs anything.
    pub(super) fn zero() -> Self {
        let free = Some(Duration::ZERO);
        Self { mutex_lock: free, mutex_unlock: free, ..Self::default() }
    }

    /// Returns `true` if nothing that is known costs anything.
    pub(super) fn is_zero(&self) -> bool {
        self.each(|_| Duration::ZERO) == *self
    }

    /// Returns the larger one of each number.
    pub(super) fn larger(self, other: Self) -> Self {
        Self {
            lock: self.lock.max(other.lock),
            look: self.look.max(other.look),
            lose: self.lose.max(other.lose),
            gain: self.gain.max(other.gain),
            pass: self.pass.max(other.pass),
            mutex_lock: both(self.mutex_lock, other.mutex_lock, Duration::max),
            mutex_unlock: both(self.mutex_unlock, other.mutex_unlock, Duration::max),
        }
    }

    /// The same with something done to each number.
    pub(super) fn each(self, of: impl Fn(Duration) -> Duration) -> Self {
        Self {
            lock: of(self.lock),
            look: of(self.look),
            lose: of(self.lose),
            gain: of(self.gain),
            pass: of(self.pass),
            mutex_lock: self.mutex_lock.map(&of),
            mutex_unlock: self.mutex_unlock.map(&of),
        }
    }
}
