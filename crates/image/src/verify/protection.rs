//! Physical memory protection as the processor applies it.
//!
//! The first range that an access touches decides; what none of them covers does not
//! exist below machine mode.

use super::ranges::{PAGE, Rights};
use fusee_image_format::Opening;

/// The ranges in the order of their registers.
#[derive(Debug, Clone)]
pub(crate) struct Protection {
    ranges: Vec<(u64, u64, Rights)>,
}

impl Protection {
    pub(crate) fn of(openings: &[Opening]) -> Protection {
        let range = |opening: &Opening| {
            let bits = opening.permissions.bits();
            let rights =
                Rights { read: bits & 1 != 0, write: bits & 2 != 0, execute: bits & 4 != 0 };
            (opening.base, opening.base.saturating_add(opening.bytes), rights)
        };
        Protection { ranges: openings.iter().map(range).collect() }
    }

    /// Returns the rights in the whole of a range.
    pub(crate) fn rights(&self, start: u64, bytes: u64) -> Rights {
        let end = start.saturating_add(bytes);
        match self.ranges.iter().find(|range| start < range.1 && range.0 < end) {
            Some(&(first, last, rights)) if first <= start && end <= last => rights,
            // An access that is only partly within the range fails.
            _ => Rights::NONE,
        }
    }

    /// Returns the ranges, by address: (start, end, rights).
    pub(crate) fn ranges(&self) -> &[(u64, u64, Rights)] {
        &self.ranges
    }

    /// Returns all open pages; `None`: a range does not consist of pages, or there are more than a
    /// machine can hold.
    pub(crate) fn pages(&self, limit: u64) -> Option<Vec<u64>> {
        let mut pages = Vec::new();
        for &(start, end, _) in &self.ranges {
            if !start.is_multiple_of(PAGE)
                || !end.is_multiple_of(PAGE)
                || end.saturating_sub(start) > limit
            {
                return None;
            }
            pages.extend((start..end).step_by(PAGE as usize));
        }
        pages.sort_unstable();
        Some(pages)
    }
}
