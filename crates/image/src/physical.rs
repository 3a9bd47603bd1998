//! Hands out physical memory from low to high.

/// The physical memory that is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Physical {
    next: u64,
}

impl Physical {
    pub(crate) fn from(next: u64) -> Self {
        Physical { next }
    }

    /// The next bytes with that alignment.
    pub(crate) fn take(&mut self, bytes: u64, align: u64) -> u64 {
        let place = self.next.next_multiple_of(align);
        self.next = place.saturating_add(bytes);
        place
    }

    /// Returns the first byte that is left.
    pub(crate) fn next(&self) -> u64 {
        self.next
    }
}
