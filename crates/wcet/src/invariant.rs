//! The invariant of the memory of code that runs again and again.
//!
//! A kernel is entered thousands of times on the memory that it left behind the
//! last time. Of that memory an analysis of one entry would know nothing. What
//! is known of it are the contents after the start, and what the entries can
//! store: a place that none of them ever stores to keeps its first number for
//! ever, and any other holds one of the numbers that were there or are stored.
//! An [`Invariant`] is such a claim. Executing every entry on top of it shows
//! all stores ([`Learned`]); once they add nothing new the claim is proved by
//! induction over the entries.
//!
//! The claim is kept small by taking the numbers of one place as an interval,
//! whatever the order in which they come. To end early, intervals that grow
//! jump to the next power of two, and then to anything.

mod asked;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range as Span;
use std::sync::Arc;

use crate::program::Program;
use crate::value::pieces::{half, piece, whole};
use crate::value::{Base, LONGEST_BUFFER, Range, Value};
use fusee_isa::language::Width;

use asked::Asked;

pub use asked::{Answers, Together};

/// Bytes of memory that are kept together.
const PAGE: u64 = 4096;
/// A store with more possible places than this makes the whole range unknown.
const PLACES: u64 = 1024;
/// The number of times that the numbers of a place grow by no more than what is stored.
const EXACT: u8 = 1;

/// Bytes as they are after the start; those that no one can know are absent.
#[derive(Debug, Clone, Default)]
pub struct Bytes {
    pages: BTreeMap<u64, Vec<Option<u8>>>,
}

impl Bytes {
    /// Returns a byte that was written; `None`: none was, `Some(None)`: an unknown one.
    fn get(&self, address: u64) -> Option<Option<u8>> {
        // The program's own bytes stand where no page was written.
        self.pages.get(&(address / PAGE)).map(|page| page[(address % PAGE) as usize])
    }

    /// Writes bytes of a number; without a number, unknown bytes.
    pub fn write(&mut self, address: u64, width: Width, number: Option<u64>, program: &Program) {
        for i in 0..width.bytes() {
            let at = address.wrapping_add(i);
            let first = at / PAGE * PAGE;
            // A page is copied from the file when the first of its bytes is
            // written; most never are.
            let page = self.pages.entry(at / PAGE).or_insert_with(|| {
                let byte =
                    |offset| program.initial(first + offset, Width::Byte).map(|byte| byte as u8);
                (0..PAGE).map(byte).collect()
            });
            page[(at % PAGE) as usize] = number.map(|number| (number >> (8 * i)) as u8);
        }
    }

    /// Returns the number at an address, if all of its bytes are known.
    pub fn read(&self, address: u64, width: Width, program: &Program) -> Option<u64> {
        // One unknown byte makes the number unknown.
        (0..width.bytes()).try_fold(0, |number, i| {
            let at = address.wrapping_add(i);
            let loaded = || program.initial(at, Width::Byte).map(|byte| byte as u8);
            let byte = self.get(at).unwrap_or_else(loaded)?;
            Some(number | u64::from(byte) << (8 * i))
        })
    }
}

/// The range that is kept for an old one that was joined with another.
type Kept = fn(Range, Range, Width, u8) -> Range;

#[derive(Debug, Clone, Copy, PartialEq)]
struct Cell {
    width: Width,
    range: Range,
    /// The number of times that it has grown.
    growths: u8,
}

/// Places of one width, at one of which something was stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Places {
    low: i64,
    high: i64,
    stride: u64,
    width: Width,
}

impl Places {
    fn of(range: Range, width: Width) -> Self {
        Self { low: range.low(), high: range.high(), stride: range.stride(), width }
    }

    fn addresses(self) -> impl Iterator<Item = u64> {
        let range = Range::new(self.low.into(), self.high.into(), self.stride.into());
        range.numbers().map(|address| address as u64)
    }
}

/// Numbers that were stored, by place.
#[derive(Debug, Clone, Default)]
pub struct Learned {
    /// Numbers that were stored at one of several places.
    cells: BTreeMap<Places, Range>,
    regions: BTreeSet<(u64, u64)>,
    /// Addresses of instructions whose stores may go anywhere.
    pub anywhere: BTreeSet<u64>,
    last: BTreeMap<u64, (Value, Width, Range)>,
}

impl Learned {
    /// A store of one of the numbers to one of the places, by the instruction at `by`.
    pub fn store(&mut self, by: u64, place: Value, width: Width, numbers: Range) {
        // Loops store the same again and again, so the last store of each
        // instruction is looked at first.
        let seen = |(old, wide, range): &(Value, Width, Range)| {
            *wide == width
                && old.base == place.base
                && old.range.includes(place.range)
                && range.includes(numbers)
        };
        if self.last.get(&by).is_some_and(seen) {
            return;
        }
        self.last.insert(by, (place, width, numbers));
        let (low, high) = (place.range.low(), place.range.high());
        // Later entries cannot tell a place that depends on an unknown number.
        let end = (high as u64).checked_add(width.bytes()).filter(|&end| low as u64 <= end);
        if place.base != Base::None || high.abs_diff(low) >= LONGEST_BUFFER {
            self.anywhere.insert(by);
        } else if place.range.steps() >= PLACES {
            // A row of places across address 0 is no region: it has no first and no last one.
            match end {
                Some(end) => self.regions.insert((low as u64, end)),
                None => self.anywhere.insert(by),
            };
        } else {
            self.join(Places::of(place.range, width), numbers);
        }
    }

    fn join(&mut self, places: Places, numbers: Range) {
        let cell = self.cells.entry(places).or_insert(numbers);
        *cell = cell.join(numbers);
    }

    /// Adds what was stored in another execution.
    pub fn merge(&mut self, other: &Learned) {
        other.cells.iter().for_each(|(&places, &numbers)| self.join(places, numbers));
        self.regions.extend(&other.regions);
        self.anywhere.extend(&other.anywhere);
    }
}

/// Data that a kernel does not decide by: registers of threads, memory of components, devices.
#[derive(Debug, Clone, Default)]
pub struct Elsewhere {
    /// Instructions that store nothing but that.
    pub stores: BTreeSet<u64>,
    /// The kernel's own memory with such data: whatever is loaded from there is unknown.
    pub memory: Vec<Span<u64>>,
}

/// A statement about memory that always holds.
#[derive(Debug, Clone, Default)]
pub struct Invariant {
    first: Arc<Bytes>,
    cells: BTreeMap<u64, Cell>,
    /// Ranges of which nothing is known, apart from each other.
    regions: BTreeMap<u64, u64>,
    /// Data that the kernel does not decide by.
    elsewhere: Arc<Elsewhere>,
    /// The stack of the code, from its lowest address to behind its highest.
    pub stack: Span<u64>,
    /// The stores for which there is room already.
    absorbed: BTreeMap<Places, Range>,
    asked: Asked,
}

impl Invariant {
    /// Nothing has been stored since the start.
    pub fn new(first: Bytes, elsewhere: Elsewhere, stack: Span<u64>) -> Self {
        Self::begin(Arc::new(first), Arc::new(elsewhere), stack)
    }

    fn begin(first: Arc<Bytes>, elsewhere: Arc<Elsewhere>, stack: Span<u64>) -> Self {
        let mut begun =
            Self { first, elsewhere: elsewhere.clone(), stack: stack.clone(), ..Self::default() };
        // Nothing on the stack outlives the path that put it there.
        for unknown in elsewhere.memory.iter().chain([&stack]) {
            begun.forget(unknown.start, unknown.end);
        }
        begun
    }

    /// The same where other bytes were there first. `None`: one of them is stored to.
    #[must_use]
    pub fn where_first(&self, bytes: &[(u64, u8)], program: &Program) -> Option<Self> {
        let mut first = Bytes::clone(&self.first);
        for &(at, byte) in bytes {
            let end = at.checked_add(1)?;
            // What an entry stores is joined with the first number, so another first
            // number would be another claim.
            if self.overlapping(at, end).next().is_some() || self.is_unknown(at, end) {
                return None;
            }
            first.write(at, Width::Byte, Some(byte.into()), program);
        }
        Some(Self { first: Arc::new(first), ..self.clone() })
    }

    /// Returns whether the stores of an instruction reach nothing of which anything is known.
    pub fn stores_elsewhere(&self, instruction: u64) -> bool {
        self.elsewhere.stores.contains(&instruction)
    }

    /// Returns the numbers that a place can hold, if anything is known of them.
    pub fn read(&self, address: u64, width: Width, program: &Program) -> Option<Range> {
        let range = self.together(Range::constant(address as i64), width, program).numbers;
        (range != Range::of_width(width, true)).then_some(range)
    }

    /// Returns the numbers that a place can hold, put together from what is known of its parts.
    fn number(&self, address: u64, width: Width, program: &Program) -> Range {
        let unknown = Range::of_width(width, true);
        let Some(end) =
            address.checked_add(width.bytes()).filter(|&end| !self.is_unknown(address, end))
        else {
            return unknown;
        };
        // Cells may have any width inside the place: it is taken apart until each part is
        // in one cell, or in none.
        if let Some(half) = half(width).filter(|_| self.is_split(address, width)) {
            let (lower, upper) = (
                self.number(address, half, program),
                self.number(address + half.bytes(), half, program),
            );
            return whole(lower, upper, half);
        }
        match self.overlapping(address, end).next() {
            Some((at, cell)) => piece(cell.range, address - at, width),
            None => self
                .first
                .read(address, width, program)
                .map_or(unknown, |n| Range::constant(n as i64).truncated(width)),
        }
    }

    /// Returns what is known of several places of one width, which are asked for again and again.
    pub fn together(&self, places: Range, width: Width, program: &Program) -> Together {
        self.asked.answer((places, width), || self.look_up(places, width, program))
    }

    fn look_up(&self, places: Range, width: Width, program: &Program) -> Together {
        let at = |place: i64| program.wrap(place as u64);
        let numbers = places
            .numbers()
            .map(|place| self.number(at(place), width, program))
            .reduce(Range::join);
        let split = places.numbers().any(|place| self.is_split(at(place), width));
        Together { numbers: numbers.unwrap_or(Range::of_width(width, true)), split }
    }

    /// From now on another entry asks.
    pub fn listen(&self) {
        self.asked.listen();
    }

    /// Returns what was asked since then, with the answers.
    pub fn heard(&self) -> Answers {
        self.asked.heard()
    }

    /// Returns whether all these answers would be given again.
    pub fn agrees(&self, answers: &Answers, program: &Program) -> bool {
        answers
            .iter()
            .all(|((places, width), answer)| self.together(places, width, program) == answer)
    }

    /// Returns whether something is stored in a part of the place only.
    fn is_split(&self, address: u64, width: Width) -> bool {
        let end = address.saturating_add(width.bytes());
        self.overlapping(address, end)
            .any(|(at, cell)| at > address || at + cell.width.bytes() < end)
    }

    fn overlapping(&self, address: u64, end: u64) -> impl Iterator<Item = (u64, Cell)> {
        // The widest cell has eight bytes, so one that reaches here begins at most seven before.
        let near = self.cells.range(address.saturating_sub(7)..end).map(|(&at, &cell)| (at, cell));
        near.filter(move |(at, cell)| at + cell.width.bytes() > address)
    }

    fn is_unknown(&self, address: u64, end: u64) -> bool {
        // Regions are apart from each other, so only the last one that begins
        // before the end can reach in.
        self.regions.range(..end).next_back().is_some_and(|(_, &last)| last > address)
    }

    /// Returns whether both say the same.
    pub fn is_same(&self, other: &Self) -> bool {
        // How often a cell has grown says nothing of what it holds.
        let ranges = |invariant: &Self| -> Vec<_> {
            invariant.cells.iter().map(|(&at, cell)| (at, cell.width, cell.range)).collect()
        };
        ranges(self) == ranges(other) && self.regions == other.regions
    }

    /// Makes room for what was stored; says whether anything of it is new.
    pub fn absorb(&mut self, learned: &Learned, program: &Program) -> bool {
        self.absorb_all(learned, program, grown)
    }

    /// No more than what was there first, and what was stored in an iteration that has stored
    /// nothing new.
    ///
    /// What the entries store on top of a claim that holds makes a claim that holds as well, as
    /// long as they store no more when less is there. Whoever uses this one executes them again to
    /// see that.
    #[must_use]
    pub fn narrowed(&self, learned: &Learned, program: &Program) -> Self {
        let mut less = Self::begin(self.first.clone(), self.elsewhere.clone(), self.stack.clone());
        less.absorb_all(learned, program, |_, joined, _, _| joined);
        less
    }

    fn absorb_all(&mut self, learned: &Learned, program: &Program, kept: Kept) -> bool {
        let mut grown = false;
        // Regions go first: what lies in them needs no cells.
        for &(low, high) in &learned.regions {
            grown |= self.forget(low, high);
        }
        // Many stores reach the same place. Joined first, they make it grow
        // once, and not once each.
        let mut cells: BTreeMap<(u64, Width), Range> = BTreeMap::new();
        for (&places, &numbers) in &learned.cells {
            let before = self.absorbed.get(&places).copied();
            // The claim has room for this store already, whatever has been added since.
            if before.is_some_and(|before| before.includes(numbers)) {
                continue;
            }
            self.absorbed.insert(places, before.map_or(numbers, |before| before.join(numbers)));
            for address in places.addresses() {
                let cell = cells.entry((address, places.width)).or_insert(numbers);
                *cell = cell.join(numbers);
            }
        }
        for ((address, width), numbers) in cells {
            grown |= self.absorb_one((address, width), numbers.truncated(width), program, kept);
        }
        if grown {
            // Answers that were given before may be too narrow now.
            self.asked = Asked::default();
        }
        grown
    }

    fn absorb_one(
        &mut self,
        (address, width): (u64, Width),
        numbers: Range,
        program: &Program,
        kept: Kept,
    ) -> bool {
        // A number at the last address reaches across address 0: nothing is kept there.
        let Some(end) = address.checked_add(width.bytes()) else { return false };
        // In a region anything may lie, so there is nothing to add.
        let inside =
            self.regions.range(..=address).next_back().is_some_and(|(_, &last)| last >= end);
        if inside {
            return false;
        }
        let old = self.number(address, width, program);
        let parted = self.is_split(address, width) || self.is_unknown(address, end);
        // A store across cells is cut as they are, so that the fields it
        // misses keep what they have.
        if let Some(half) = half(width).filter(|_| parted) {
            let mut part = |at: u64| {
                self.absorb_one((address + at, half), piece(numbers, at, half), program, kept)
            };
            let (lower, upper) = (part(0), part(half.bytes()));
            return lower | upper;
        }
        if old.includes(numbers) {
            return false;
        }
        self.cut_around(address, width);
        let growths = self.cells.get(&address).map_or(0, |cell| cell.growths);
        let range = kept(old, old.join(numbers), width, growths);
        self.cells.insert(address, Cell { width, range, growths: growths.saturating_add(1) });
        true
    }

    /// Cuts a cell that is wider than this place inside it, so that the place is a cell of its own.
    fn cut_around(&mut self, address: u64, width: Width) {
        loop {
            let wide = self
                .overlapping(address, address + width.bytes())
                .find(|(_, cell)| cell.width != width);
            let Some((at, cell)) = wide else { return };
            let Some(half) = half(cell.width) else { return };
            for offset in [0, half.bytes()] {
                let range = piece(cell.range, offset, half);
                // The parts take over how often the whole has grown, or growing would
                // begin anew with each cut.
                self.cells.insert(at + offset, Cell { width: half, range, growths: cell.growths });
            }
        }
    }

    /// From now on nothing is known of a range, nor of cells that reach into it.
    fn forget(&mut self, low: u64, high: u64) -> bool {
        let inside = self.regions.range(..=low).next_back().is_some_and(|(_, &last)| last >= high);
        if inside {
            return false;
        }
        let (mut low, mut high) = (low, high);
        let reached = self
            .cells
            .range(low.saturating_sub(7)..high)
            .filter(|&(&a, c)| a + c.width.bytes() > low);
        let reached: Vec<(u64, u64)> = reached.map(|(&a, c)| (a, a + c.width.bytes())).collect();
        for (first, end) in reached {
            self.cells.remove(&first);
            // A cell that is left without some of its bytes has no number, so
            // the region takes all of it.
            (low, high) = (low.min(first), high.max(end));
        }
        // Regions that touch become one, which the search for the last one
        // before an address relies on.
        let merged: Vec<(u64, u64)> = self
            .regions
            .range(..=high)
            .filter(|&(_, &last)| last >= low)
            .map(|(&first, &last)| (first, last))
            .collect();
        for (first, last) in merged {
            self.regions.remove(&first);
            (low, high) = (low.min(first), high.max(last));
        }
        self.regions.insert(low, high);
        true
    }
}

/// Returns the range that is kept for one that grows: at first as it is, then up to a power of two,
/// then all there is.
fn grown(old: Range, joined: Range, width: Width, growths: u8) -> Range {
    let all = Range::of_width(width, true);
    // What is as wide as a register counts or is a time: it ends nowhere, and loops over it are to
    // see that at once.
    let wide = width == Width::Double;
    if growths < EXACT && !wide {
        return joined;
    }
    // Growing must end. What has grown twice mostly counts, and goes on to the end of its width.
    if growths > EXACT && !wide {
        return all;
    }
    // Counters and indices are held below a power of two by masks and sizes of tables more often
    // than below other numbers.
    let up = |high: i64| match (high as u64).checked_next_power_of_two() {
        Some(power) if !wide => power.min(all.high() as u64) as i64,
        _ => all.high(),
    };
    let low = match joined.low() {
        // -1 is how code says that there is none, so it is no sign that numbers fall without end.
        low if low == old.low() || low >= -1 => low,
        _ => all.low(),
    };
    let high = match joined.high() {
        high if high == old.high() || high <= 0 => high,
        high => up(high),
    };
    // An end that was moved up need not be a number of the stride.
    let stride = if low == joined.low() && high == joined.high() { joined.stride() } else { 1 };
    Range::new(low.into(), high.into(), stride.max(1).into())
}

#[cfg(test)]
mod tests;
