//! The part of the ready queue that a core has at hand, and its comparisons.

use crate::urgency::{FixedPriority, Urgencies};

/// The part of the ready queue that a core keeps at hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ready<P: Urgencies = FixedPriority> {
    pub(crate) words: P::Words,
    /// The least bound above all ready threads.
    pub(crate) top: P::Bound,
}

impl<P: Urgencies> Ready<P> {
    /// A queue without ready threads.
    pub const EMPTY: Self = Ready { words: P::NO_WORDS, top: P::NOTHING };

    /// Returns the urgency of the first ready thread.
    #[inline]
    pub fn top(&self) -> Option<P::Urgency> {
        P::below(self.top)
    }

    /// Returns `true` if a ready thread is more urgent than this.
    #[inline]
    pub(crate) fn beats(&self, urgency: P::Urgency) -> bool {
        // `top` is one more than an urgency, so "no thread is ready" is a number as well: one
        // comparison answers, without a test for an empty queue.
        P::beats(self.top, urgency)
    }

    /// Returns `true` if all ready threads are less urgent than this.
    #[inline]
    pub(crate) fn is_below(&self, urgency: P::Urgency) -> bool {
        P::is_below(self.top, urgency)
    }
}
