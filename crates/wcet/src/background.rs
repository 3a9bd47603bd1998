//! What always holds of the memory of code that runs again and again.
//!
//! A kernel is entered thousands of times on the memory that it left behind the
//! last time. Of that memory an analysis of one entry would know nothing. What
//! is known of it are the contents after the start, and what the entries can
//! store: a place that none of them ever stores to keeps its first number for
//! ever, and any other holds one of the numbers that were there or are stored.
//! A [`Background`] is such a claim. Executing every entry on top of it shows
//! all stores ([`Learned`]); once they add nothing new the claim is proved by
//! induction over the entries.
//!
//! The claim is kept small by taking the numbers of one place as an interval,
//! whatever the order in which they come. To end early, intervals that grow
//! jump to the next of a few powers of two.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range as Span;
use std::sync::Arc;

use crate::language::Width;
use crate::program::Program;
use crate::value::{Base, Range, Value};

/// Bytes of memory that are kept together.
const PAGE: u64 = 4096;
/// A store with more possible places than this makes the whole range unknown.
const PLACES: u64 = 1024;
/// No table is as long as this: a store to such a range may go anywhere.
const ANYWHERE: u64 = 1 << 32;

/// Bytes as they are after the start; those that no one can know are absent.
#[derive(Debug, Clone, Default)]
pub struct Bytes {
    pages: BTreeMap<u64, Vec<Option<u8>>>,
}

impl Bytes {
    /// A byte that was written; `None`: none was, `Some(None)`: one that nobody can know.
    fn get(&self, address: u64) -> Option<Option<u8>> {
        // The program's own bytes stand where no page was written.
        self.pages.get(&(address / PAGE)).map(|page| page[(address % PAGE) as usize])
    }

    /// Writes bytes of a number; without a number, bytes that nobody can know.
    pub fn write(&mut self, address: u64, width: Width, number: Option<u64>, program: &Program) {
        for i in 0..width.bytes() {
            let at = address.wrapping_add(i);
            let first = at / PAGE * PAGE;
            let page = self.pages.entry(at / PAGE).or_insert_with(|| {
                let byte = |offset| program.initial(first + offset, Width::Byte).map(|byte| byte as u8);
                (0..PAGE).map(byte).collect()
            });
            page[(at % PAGE) as usize] = number.map(|number| (number >> (8 * i)) as u8);
        }
    }

    /// The number at an address, if all of its bytes are known.
    pub fn read(&self, address: u64, width: Width, program: &Program) -> Option<u64> {
        (0..width.bytes()).try_fold(0, |number, i| {
            let at = address.wrapping_add(i);
            let loaded = || program.initial(at, Width::Byte).map(|byte| byte as u8);
            let byte = self.get(at).unwrap_or_else(loaded)?;
            Some(number | u64::from(byte) << (8 * i))
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Cell {
    width: Width,
    range: Range,
}

/// Numbers that were stored, by place.
#[derive(Debug, Clone, Default)]
pub struct Learned {
    cells: BTreeMap<(u64, Width), Range>,
    regions: BTreeSet<(u64, u64)>,
    /// Addresses of instructions whose stores may go anywhere.
    pub anywhere: BTreeSet<u64>,
    last: BTreeMap<u64, (Value, Width, Range)>,
}

impl Learned {
    /// A store of one of the numbers to one of the places, by the instruction at `by`.
    pub fn store(&mut self, by: u64, place: Value, width: Width, numbers: Range) {
        let seen = |(old, wide, range): &(Value, Width, Range)| {
            *wide == width && old.base == place.base && old.range.includes(place.range) && range.includes(numbers)
        };
        if self.last.get(&by).is_some_and(seen) {
            return;
        }
        self.last.insert(by, (place, width, numbers));
        let (low, high) = (place.range.low(), place.range.high());
        if place.base != Base::None || high.abs_diff(low) >= ANYWHERE {
            self.anywhere.insert(by);
        } else if place.range.steps() >= PLACES {
            self.regions.insert((low as u64, high as u64 + width.bytes()));
        } else {
            for address in place.range.numbers() {
                let cell = self.cells.entry((address as u64, width)).or_insert(numbers);
                *cell = cell.join(numbers);
            }
        }
    }

    /// Adds what was stored in another execution.
    pub fn merge(&mut self, other: &Learned) {
        for (&place, &numbers) in &other.cells {
            let cell = self.cells.entry(place).or_insert(numbers);
            *cell = cell.join(numbers);
        }
        self.regions.extend(&other.regions);
        self.anywhere.extend(&other.anywhere);
    }
}

/// What always holds of memory.
#[derive(Debug, Clone, Default)]
pub struct Background {
    first: Arc<Bytes>,
    cells: BTreeMap<u64, Cell>,
    /// Ranges of which nothing is known, apart from each other.
    regions: BTreeMap<u64, u64>,
    /// Instructions whose stores reach nothing of which anything is known.
    pub elsewhere: Arc<BTreeSet<u64>>,
    /// The stack of the code, from its lowest address to behind its highest.
    pub stack: Span<u64>,
}

impl Background {
    /// Nothing has been stored since the start.
    pub fn new(first: Bytes, elsewhere: BTreeSet<u64>, stack: Span<u64>) -> Self {
        let (first, elsewhere) = (Arc::new(first), Arc::new(elsewhere));
        Self { first, cells: BTreeMap::new(), regions: BTreeMap::new(), elsewhere, stack }
    }

    /// The numbers that a place can hold, if anything is known of them.
    pub fn read(&self, address: u64, width: Width, program: &Program) -> Option<Range> {
        let end = address.checked_add(width.bytes())?;
        if self.is_unknown(address, end) {
            return None;
        }
        let mut overlapping =
            self.cells.range(address.saturating_sub(7)..end).filter(|&(&a, c)| a + c.width.bytes() > address);
        match overlapping.next() {
            Some((&at, cell)) if at == address && cell.width == width => Some(cell.range),
            Some(_) => None,
            None => self.first.read(address, width, program).map(|n| Range::constant(n as i64).truncated(width)),
        }
    }

    fn is_unknown(&self, address: u64, end: u64) -> bool {
        self.regions.range(..end).next_back().is_some_and(|(_, &last)| last > address)
    }

    /// Makes room for what was stored; says whether anything of it is new.
    pub fn absorb(&mut self, learned: &Learned, program: &Program) -> bool {
        let mut grown = false;
        for &(low, high) in &learned.regions {
            grown |= self.forget(low, high);
        }
        for (&(address, width), &numbers) in &learned.cells {
            grown |= self.absorb_one(address, width, numbers.truncated(width), program);
        }
        grown
    }

    fn absorb_one(&mut self, address: u64, width: Width, numbers: Range, program: &Program) -> bool {
        let end = address + width.bytes();
        let inside = self.regions.range(..=address).next_back().is_some_and(|(_, &last)| last >= end);
        if inside {
            return false;
        }
        let Some(old) = self.read(address, width, program) else { return self.forget(address, end) };
        if old.includes(numbers) {
            return false;
        }
        let range = grown(old, old.join(numbers), width);
        self.cells.insert(address, Cell { width, range });
        true
    }

    /// From now on nothing is known of a range, nor of cells that reach into it.
    fn forget(&mut self, low: u64, high: u64) -> bool {
        let inside = self.regions.range(..=low).next_back().is_some_and(|(_, &last)| last >= high);
        if inside {
            return false;
        }
        let (mut low, mut high) = (low, high);
        let reached = self.cells.range(low.saturating_sub(7)..high).filter(|&(&a, c)| a + c.width.bytes() > low);
        let reached: Vec<(u64, u64)> = reached.map(|(&a, c)| (a, a + c.width.bytes())).collect();
        for (first, end) in reached {
            self.cells.remove(&first);
            (low, high) = (low.min(first), high.max(end));
        }
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

/// The range that is kept for one that grows.
fn grown(old: Range, joined: Range, width: Width) -> Range {
    let all = Range::of_width(width, true);
    let up =
        |high: i64| (high as u64).checked_next_power_of_two().map_or(all.high(), |n| n.min(all.high() as u64) as i64);
    let low = match joined.low() {
        low if low == old.low() => low,
        low if low >= -1 => low.min(0).max(low),
        _ => all.low(),
    };
    let high = match joined.high() {
        high if high == old.high() => high,
        high if high <= 0 => high,
        high => up(high),
    };
    let stride = if low == joined.low() && high == joined.high() { joined.stride() } else { 1 };
    Range::new(low.into(), high.into(), stride.max(1).into())
}
