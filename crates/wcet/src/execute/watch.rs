//! The view of an execution from outside, and its end.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::{Effort, Obstacle};

/// The progress of an analysis as other threads see it.
#[derive(Debug, Default)]
pub struct Watch {
    blocks: AtomicU64,
    is_stopped: AtomicBool,
    found: Mutex<BTreeSet<Obstacle>>,
}

impl Watch {
    /// Ends the analysis soon; what stood in the way until then is its result.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Blocks that were executed so far, for all entries.
    pub fn blocks(&self) -> u64 {
        self.blocks.load(Ordering::Relaxed)
    }

    /// Returns what was found to stand in the way so far; more effort may remove some of it yet.
    pub fn found(&self) -> BTreeSet<Obstacle> {
        // A thread that panicked while it held the lock has left the set as a whole.
        self.found.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns whether it was told to end.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// One more block was executed; says whether there may be another one.
    pub(super) fn goes_on(&self) -> bool {
        // The number is only shown, and nothing else depends on its order.
        self.blocks.fetch_add(1, Ordering::Relaxed);
        !self.is_stopped()
    }

    pub(super) fn note(&self, obstacle: &Obstacle) {
        self.found.lock().unwrap_or_else(PoisonError::into_inner).insert(obstacle.clone());
    }
}

/// The effort of an analysis, with its watcher.
#[derive(Debug, Clone, Copy)]
pub struct Trying<'w> {
    /// The effort that is allowed.
    pub effort: Effort,
    /// The watch that sees it from outside, if there is one.
    pub watch: Option<&'w Watch>,
}

impl From<Effort> for Trying<'_> {
    fn from(effort: Effort) -> Self {
        Self { effort, watch: None }
    }
}
