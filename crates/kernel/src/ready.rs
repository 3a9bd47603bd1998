//! What a core has at hand of its ready queue, and how that compares.

use crate::urgency::{FixedPriority, Urgencies};

/// What a core has at hand of its ready queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ready<P: Urgencies = FixedPriority> {
    pub(crate) words: P::Words,
    /// The least bound above all ready threads.
    pub(crate) top: P::Bound,
}

impl<P: Urgencies> Ready<P> {
    /// Nobody is ready.
    pub const EMPTY: Self = Ready { words: P::NO_WORDS, top: P::NOTHING };

    /// How urgent the first is.
    #[inline]
    pub fn top(&self) -> Option<P::Urgency> {
        P::below(self.top)
    }

    /// Whether a ready thread is more urgent than this.
    #[inline]
    pub(crate) fn beats(&self, urgency: P::Urgency) -> bool {
        P::beats(self.top, urgency)
    }

    /// Whether all ready threads are less urgent than this.
    #[inline]
    pub(crate) fn is_below(&self, urgency: P::Urgency) -> bool {
        P::is_below(self.top, urgency)
    }
}
