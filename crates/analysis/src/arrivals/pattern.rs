//! One way of looking at a stream: distances that repeat.

use std::sync::Arc;

/// Distances in ticks; nothing in it is 0 where that would let infinitely many events into a
/// window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Pattern {
    /// Each event at least this far behind the one before.
    Even { distance: u64 },
    /// Bursts that begin at least a period apart.
    Bursts { count: u64, distance: u64, period: u64 },
    /// The distances of 2, 3, ... events; more events are parts put together.
    Listed { distances: Arc<[u64]> },
}

impl Pattern {
    /// The least distance from the first to the last of so many events; the largest number if it
    /// does not fit.
    pub(super) fn distance(&self, events: u64) -> u64 {
        let gaps = events.saturating_sub(1);
        match self {
            Pattern::Even { distance } => gaps.saturating_mul(*distance),
            Pattern::Bursts { count, distance, period } => {
                let whole = (gaps / count).saturating_mul(*period);
                whole.saturating_add((gaps % count).saturating_mul(*distance))
            }
            Pattern::Listed { distances } => {
                let (block, rest) = (gaps / distances.len() as u64, gaps % distances.len() as u64);
                let whole = block.saturating_mul(distances[distances.len() - 1]);
                let rest = rest.checked_sub(1).map_or(0, |last| distances[last as usize]);
                whole.saturating_add(rest)
            }
        }
    }

    /// The most events in a half-open window that is not empty; `None`: more than fit a number.
    pub(super) fn within(&self, window: u64) -> Option<u64> {
        match self {
            Pattern::Even { distance } => Some(window.div_ceil(*distance)),
            Pattern::Bursts { count, distance, period } => {
                let (bursts, rest) = ((window - 1) / period, (window - 1) % period);
                let last =
                    rest.checked_div(*distance).map_or(*count, |gaps| (gaps + 1).min(*count));
                bursts.checked_mul(*count)?.checked_add(last)
            }
            Pattern::Listed { distances } => {
                let (&last, rest) = distances.split_last()?;
                let (blocks, left) = ((window - 1) / last, (window - 1) % last);
                let inside = 1 + rest.partition_point(|&distance| distance <= left) as u64;
                blocks.checked_mul(distances.len() as u64)?.checked_add(inside)
            }
        }
    }

    /// So many events in so much time, in the long run.
    pub(super) fn rate(&self) -> (u64, u64) {
        match self {
            Pattern::Even { distance } => (1, *distance),
            Pattern::Bursts { count, period, .. } => (*count, *period),
            Pattern::Listed { distances } => {
                (distances.len() as u64, distances[distances.len() - 1])
            }
        }
    }
}
