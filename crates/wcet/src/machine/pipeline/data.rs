//! Loads and stores: the data cache, the bus, and stores right before loads.

use super::again::Why;
use super::ahead::Ahead;
use super::near::Beside;
use super::{Pipeline, Timing};
use crate::machine::cache::{Found, Shape};
use crate::state::Access;
use crate::value::{Base, Range};
use fusee_isa::language::Instruction;

/// An access to more places than this can be anywhere.
const PLACES: u64 = 4096;

/// The cost of a load's line.
struct Loading {
    cycles: u32,
    /// Those of them that may be spent later.
    owed: u32,
    /// True if the line was there for sure.
    there: bool,
}

/// The place to which an access goes.
enum Place {
    /// To one of these addresses, so many bytes each.
    Some(Range, u64),
    /// No one knows.
    Anywhere,
}

impl Place {
    /// Returns the first and the last byte that it can touch.
    fn span(&self) -> (u64, u64) {
        match self {
            Place::Some(range, bytes) => {
                (range.low() as u64, (range.high() as u64).saturating_add(bytes - 1))
            }
            Place::Anywhere => (0, u64::MAX),
        }
    }

    /// Returns the lines that it can touch, one each time; nothing where no one knows.
    fn lines(&self, shape: &Shape) -> Option<Vec<u64>> {
        let Place::Some(range, bytes) = self else { return None };
        // Across the end of a line an access needs two lines, and then it
        // counts as one to anywhere.
        let aligned = range.numbers().all(|number| (number as u64).is_multiple_of(*bytes));
        let mut lines: Vec<u64> =
            range.numbers().map(|number| shape.line_of(number as u64)).collect();
        lines.sort_unstable();
        lines.dedup();
        aligned.then_some(lines)
    }
}

impl Pipeline<'_> {
    /// Cycles that an access adds.
    pub(super) fn access(
        &self,
        timing: &mut Timing,
        instruction: &Instruction,
        access: &Access,
    ) -> u32 {
        let place = self.place(access);
        let reads = !access.write || access.atomic;
        let mut cycles = 0;
        // A store that loads its line behaves like a load.
        if reads || self.writes_back() {
            let before = self.load_after_store(timing, &place);
            let Loading { cycles: loading, owed, there } =
                self.load(timing, instruction, access, &place);
            cycles += before.saturating_add(loading);
            // Cycles that are owed may be spent at another time, so nothing else may go on in them.
            timing.hold(cycles - owed.min(cycles));
            if before > 0 {
                self.again(timing, instruction, Why::Store);
            } else if !there {
                self.again(timing, instruction, Why::Line);
            }
        }
        if access.write {
            let wait = self.store(timing, &place);
            timing.hold(wait);
            cycles = cycles.saturating_add(wait);
            let (first, last) = place.span();
            // One more than the distance: the end of this instruction takes one off.
            timing.stores.push((
                first,
                last,
                self.description.result.store_distance.saturating_add(1),
            ));
            // Written back, stores go to memory only with a line, and that is counted
            // where the line makes room.
            if !self.writes_back() {
                let memory = &self.description.memory;
                // Writes follow each other on the bus: a new one begins behind all that wait.
                timing.writing =
                    timing.writing.max(memory.write_start).saturating_add(memory.write);
            }
        }
        cycles
    }

    fn place(&self, access: &Access) -> Place {
        let range = access.address.range;
        let range = match (access.address.base, self.stack) {
            (Base::None, _) => range,
            (Base::Stack, Some(stack)) => {
                let at = |distance: i64| i128::from(stack) + i128::from(distance);
                Range::new(at(range.low()), at(range.high()), range.stride().into())
            }
            _ => return Place::Anywhere,
        };
        // Of very many places looking up each line takes longer than it helps.
        let known = range.low() >= 0 && range.steps() < PLACES;
        if known { Place::Some(range, access.width.bytes()) } else { Place::Anywhere }
    }

    /// Returns the wait of a load for a store right before it.
    fn load_after_store(&self, timing: &Timing, place: &Place) -> u32 {
        // Whole words are compared.
        let (first, last) = place.span();
        let meets =
            |&(from, to, _): &(u64, u64, u32)| first & !3 <= to | 3 && from & !3 <= last | 3;
        if timing.stores.iter().any(meets) { self.description.result.load_after_store } else { 0 }
    }

    /// Returns the line of a load, and the wait for the bus.
    fn load(
        &self,
        timing: &mut Timing,
        instruction: &Instruction,
        access: &Access,
        place: &Place,
    ) -> Loading {
        let memory = &self.description.memory;
        // A read gets the bus only when all that waits is written.
        let around = memory.read.saturating_add(timing.writing);
        let (kept, uncached) = self.kept(place);
        let Some(shape) = self.loads.as_ref().filter(|_| kept) else {
            return Loading { cycles: around, owed: 0, there: false };
        };
        let found = if self.is_near(timing, instruction, access) {
            Found::Hit
        } else if uncached {
            // What can also go around the cache must not count as loaded.
            self.note_near(timing, instruction, access);
            timing.data.access_somewhere(shape)
        } else {
            self.find(timing, instruction, access, place.lines(shape).as_deref())
        };
        timing.misses.data += u32::from(found.costs());
        let cycles = match found {
            Found::Hit => 0,
            // The wait for the bus was not paid with the miss.
            Found::Paid => timing.writing,
            Found::Miss => {
                timing.ahead = Ahead::behind(memory);
                self.data_miss().saturating_add(timing.writing)
            }
            Found::Owed => self.data_miss().saturating_add(timing.writing),
        };
        let owed = if found == Found::Owed { self.data_miss() } else { 0 };
        Loading {
            // Either way is possible, and the longer one counts.
            cycles: if uncached { cycles.max(around) } else { cycles },
            owed,
            there: found == Found::Hit && !uncached,
        }
    }

    /// Returns where a load finds its line that is in one of these; nothing: no one knows.
    fn find(
        &self,
        timing: &mut Timing,
        instruction: &Instruction,
        access: &Access,
        lines: Option<&[u64]>,
    ) -> Found {
        let Some(shape) = &self.loads else { return Found::Miss };
        // A single line the cache knows better.
        let beside = lines.is_none_or(|lines| lines.len() > 1);
        if let Some(beside) = beside.then(|| self.beside(timing, instruction, access)).flatten() {
            timing.data.load_any(shape, lines);
            return match beside {
                Beside::There => Found::Hit,
                Beside::Counted => Found::Paid,
                Beside::Missing => Found::Owed,
            };
        }
        let found = match lines {
            Some(lines) => timing.data.access_any(shape, lines),
            None => timing.data.access_somewhere(shape),
        };
        // What is there for sure evicts nothing.
        if found != Found::Hit || timing.near.is_none() {
            self.note_near(timing, instruction, access);
        }
        found
    }

    /// Returns whether an access can go to memory that caches keep, and to memory that they don't.
    fn kept(&self, place: &Place) -> (bool, bool) {
        let (first, last) = place.span();
        let regions = &self.description.memory.uncached;
        let inside = regions.iter().any(|&[from, to]| from <= first && last < to);
        let touched = regions.iter().any(|&[from, to]| from <= last && first < to);
        (!inside, touched)
    }

    /// Returns a store that goes around the cache: the wait for a place in the buffer.
    fn store(&self, timing: &mut Timing, place: &Place) -> u32 {
        if self.writes_back() {
            return 0;
        }
        if let Some(shape) = &self.loads {
            timing.data.write_around(shape, place.lines(shape).as_deref());
        }
        let memory = &self.description.memory;
        // As much as fits the buffer need not be written before this store gets its place.
        timing.writing.saturating_sub(memory.write.saturating_mul(memory.pending_writes))
    }
}
