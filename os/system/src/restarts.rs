//! Restarts, piece by piece.
//!
//! The time to put a component's initial data back depends on their length, and no other thread
//! shall wait for it. So they come in pieces of a fixed length, each a trap of its own, with
//! interrupts in between. The progress of a component's restart is kept here: the next thread that
//! goes on in it continues there.

use fusee_image_format::CopyRange;
use fusee_kernel::ComponentIndex;

/// Most words of 8 bytes in a piece: with them it takes less time than the kernel's other long
/// paths, and what else there is to such a trap is as little as half of it.
const PIECE_WORDS: u16 = 128;

/// Words to write in one go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// The physical address to which it is copied.
    pub to: u64,
    /// Physical address of the initial data; 0: the words become zero.
    pub from: u64,
    /// Words of 8 bytes.
    pub words: u16,
}

/// One component's restart: its ranges, and what is next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Restart {
    first: u16,
    end: u16,
    next: u16,
    done: u16,
    bytes: u32,
}

impl Restart {
    /// Returns a restart that writes the ranges from `first` to before `end`: none, where there are
    /// too many, or one is too long.
    pub(crate) fn of(ranges: &[CopyRange], first: u32, count: u32) -> Option<Restart> {
        let own = ranges.get(first as usize..first.checked_add(count)? as usize)?;
        if own.iter().any(|range| range.bytes / 8 > u64::from(u16::MAX)) {
            return None;
        }
        let bytes = own.iter().map(|range| range.bytes as u32).sum();
        let (first, end) = (u16::try_from(first).ok()?, u16::try_from(first + count).ok()?);
        Some(Restart { first, end, next: first, done: 0, bytes })
    }
}

/// The state that cores share of a component that several enter and that a fault ends or restarts.
#[cfg(feature = "cores")]
#[derive(Debug)]
pub struct SharedRestart {
    /// The kernel's part.
    pub(crate) restart: fusee_kernel::cores::Restart,
    /// The number of ranges that have been written, and of words of the next one.
    pub(crate) progress: (u16, u16),
}

#[cfg(feature = "cores")]
impl SharedRestart {
    /// Nothing has happened.
    pub const EMPTY: SharedRestart =
        SharedRestart { restart: fusee_kernel::cores::Restart::EMPTY, progress: (0, 0) };
}

/// The data that restarts write, and their progress.
#[derive(Debug)]
pub(crate) struct Restarts {
    pub(crate) ranges: &'static [CopyRange],
    pub(crate) components: &'static mut [Restart],
}

impl Restarts {
    /// The next piece of the component's restart; none: it is done, and the next restart begins at
    /// its start.
    pub(crate) fn piece(&mut self, component: ComponentIndex) -> Option<Piece> {
        let state = self.components.get_mut(component.at())?;
        let Some(range) = self.ranges.get(state.next as usize).filter(|_| state.next < state.end)
        else {
            (state.next, state.done) = (state.first, 0);
            return None;
        };
        let (whole, skipped) = ((range.bytes / 8) as u16, u64::from(state.done) * 8);
        let words = whole.saturating_sub(state.done).min(PIECE_WORDS);
        let from = if range.from == 0 { 0 } else { range.from + skipped };
        let piece = Piece { to: range.to + skipped, from, words };
        state.done += words;
        if state.done >= whole {
            (state.next, state.done) = (state.next + 1, 0);
        }
        Some(piece)
    }

    /// As [`piece`](Self::piece), of a restart with which several cores go on.
    #[cfg(feature = "cores")]
    pub(crate) fn next_piece(
        &mut self,
        component: ComponentIndex,
        progress: &mut (u16, u16),
    ) -> Option<Piece> {
        let state = self.components.get_mut(component.at())?;
        (state.next, state.done) = (state.first + progress.0, progress.1);
        let piece = self.piece(component);
        let state = self.components.get(component.at())?;
        *progress = (state.next - state.first, state.done);
        piece
    }

    /// Bytes that a restart of the component writes.
    pub(crate) fn bytes(&self, component: ComponentIndex) -> u64 {
        self.components.get(component.at()).map_or(0, |restart| u64::from(restart.bytes))
    }
}
