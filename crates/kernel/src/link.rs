//! A thread's place in a queue of threads.

use crate::ThreadIndex;

/// A thread's neighbors in its queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Link {
    pub(crate) next: ThreadIndex,
    pub(crate) previous: ThreadIndex,
}

impl Link {
    pub(crate) const NONE: Link = Link { next: ThreadIndex::NONE, previous: ThreadIndex::NONE };

    /// Returns the thread behind this one.
    pub fn next(self) -> ThreadIndex {
        self.next
    }
}
