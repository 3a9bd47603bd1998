//! The known content of memory.
//!
//! Memory is kept by base: the stack at entry, what an argument points to, and
//! plain addresses. Within a base, cells never overlap. A cell that is absent
//! holds what the file loads there if it is read-only, or in a page that is
//! still as it was loaded (`loaded`), else anything.
//!
//! What may a store change besides its own cell? Under the assumptions that
//! every result lists: a pointer that existed at entry does not point into a
//! frame made after entry, and no store reaches the stack through a pointer that
//! the stack's address never flowed into. So a store through an argument leaves
//! the stack alone and forgets all else, and a store to an unknown place, or to
//! one that was loaded, forgets the stack too once an address in it is lost sight
//! of: put where it is not found again, computed with, copied in parts.

mod cells;
mod hidden;
mod loaded;
mod stores;

use hidden::Hidden;
use loaded::Loaded;
pub(crate) use stores::Stored;

use std::collections::BTreeMap;
use std::ops::Range as Span;
use std::rc::Rc;

use crate::invariant::Invariant;
use crate::setting::Setting;
use crate::value::pieces::{half, piece, whole};
use crate::value::{Base, Range, Value};
use fusee_isa::language::Width;

/// Bytes that share a page; pages are what copies of a memory share.
const PAGE: i64 = 64;
/// A store or load with more possible places than this is treated as a region.
const PLACES: u64 = 512;
/// The number of places from which on the content of one of them for the moment does not matter.
const FEW: u64 = 8;

#[derive(Debug, Clone, Copy, PartialEq)]
struct Cell {
    offset: i64,
    width: Width,
    value: Value,
}

impl Cell {
    fn end(&self) -> i64 {
        self.offset.saturating_add(self.width.bytes() as i64)
    }

    fn span(&self) -> Span<i64> {
        self.offset..self.end()
    }

    fn overlaps(&self, place: &Span<i64>) -> bool {
        self.offset < place.end && place.start < self.end()
    }

    /// Returns the number in a part of it, if it is known.
    fn part(&self, place: &Span<i64>) -> Option<Value> {
        let inside = self.offset < place.start || place.end < self.end();
        let number = self
            .value
            .as_constant()
            .filter(|_| inside && self.offset <= place.start && place.end <= self.end())?;
        let bits = 8 * (place.end - place.start);
        Some(Value::constant(number >> (8 * (place.start - self.offset)) & ((1 << bits) - 1)))
    }

    /// Returns its bytes one by one, where they are known.
    fn bytes(&self) -> impl Iterator<Item = Cell> {
        let number = self.value.as_constant();
        let bytes =
            number.into_iter().flat_map(|number| number.to_le_bytes().into_iter().enumerate());
        let one = |(at, byte): (usize, u8)| {
            let value = Value::constant(i64::from(byte.cast_signed()).cast_unsigned());
            Cell { offset: self.offset.saturating_add(at as i64), width: Width::Byte, value }
        };
        bytes.take(self.width.bytes() as usize).map(one)
    }
}

/// One of two values: a number, or an address in the stack.
fn either(one: Value, other: Value) -> Option<Value> {
    let same = one.base == other.base && matches!(one.base, Base::None | Base::Stack);
    same.then(|| Value { base: one.base, range: one.range.join(other.range) })
}

type Pages = BTreeMap<(Base, i64), Rc<Vec<Cell>>>;

/// The contents of memory, as far as they are known.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Memory {
    pages: Rc<Pages>,
    /// Plain addresses that are in none of these pages, and hold what the file loads there.
    loaded: Loaded,
    stack_escaped: bool,
    /// The places in the stack with addresses of it that are lost sight of, and were not loaded
    /// since.
    hidden: Hidden,
}

impl Memory {
    /// From now on a pointer of unknown origin may point into the stack.
    pub(crate) fn let_stack_escape(&mut self) {
        self.stack_escaped = true;
    }

    /// Returns whether it may.
    pub(super) fn has_stack_escaped(&self) -> bool {
        self.stack_escaped
    }

    /// A load that gives less than what is kept of these places: a stack address among it is lost
    /// sight of.
    pub(super) fn escape_from(&mut self, places: Value, width: Width) {
        if self.stack_escaped || places.base != Base::Stack {
            return;
        }
        let span = places.range.low()..places.range.high().saturating_add(width.bytes() as i64);
        // A cell may begin in the page before and reach into this one.
        let (first, last) =
            (span.start.div_euclid(PAGE).saturating_sub(1), span.end.div_euclid(PAGE));
        let mut pages = self.pages.range((Base::Stack, first)..=(Base::Stack, last));
        let is_address = |cell: &Cell| cell.value.base == Base::Stack && cell.overlaps(&span);
        self.stack_escaped = pages.any(|(_, cells)| cells.iter().any(is_address))
            || self.hidden.overlaps(&span) && !self.is_stored(places, width);
    }

    /// Returns whether what lies at a place is what was stored there.
    fn is_stored(&self, place: Value, width: Width) -> bool {
        place.range.as_constant().is_some_and(|at| self.is_whole(place.base, at, width))
    }

    /// Loses sight of the addresses that a function leaves in the stack that has ended with this
    /// memory.
    pub(super) fn hide_what_is_left(&mut self, end: &Memory) {
        let left = end.pages.range((Base::Stack, i64::MIN)..=(Base::Stack, i64::MAX));
        let cells = left.flat_map(|(_, cells)| cells.iter());
        cells
            .filter(|cell| cell.value.base == Base::Stack)
            .for_each(|cell| self.hidden.add(cell.span()));
        self.hidden.add_all(&end.hidden);
    }

    /// Returns how many pages are kept.
    pub(super) fn pieces(&self) -> usize {
        self.pages.len()
    }

    /// Returns what the cells hold.
    pub(crate) fn values(&self) -> impl Iterator<Item = Value> {
        self.pages.values().flat_map(|cells| cells.iter().map(|cell| cell.value))
    }

    /// Returns what a load can give, as `seen` shows each possible cell.
    pub(crate) fn load(
        &self,
        address: Value,
        width: Width,
        setting: Setting<'_>,
        seen: &dyn Fn(Option<Value>) -> Value,
    ) -> Value {
        if let Some(offset) = address.range.as_constant() {
            return seen(self.read(address.base, offset, width, setting));
        }
        let unknown = seen(None);
        // Reading so many places one by one would cost more than it tells.
        if address.range.steps() >= PLACES {
            return unknown;
        }
        let mut result: Option<Value> = None;
        for offset in address.range.numbers() {
            let value = seen(self.read(address.base, offset, width, setting));
            let all = result.map_or(Some(value), |before| either(before, value));
            // A name stands for one number, and of several places nobody knows which it is.
            match all.filter(|all| !matches!(all.base, Base::Symbol(_)) && value != unknown) {
                Some(all) => result = Some(all),
                None => return unknown,
            }
        }
        result.unwrap_or(unknown)
    }

    /// Returns the value of exactly this place, if it was stored on the way.
    pub(super) fn own(&self, base: Base, offset: i64, width: Width) -> Option<Value> {
        let cells = self.pages.get(&(base, offset.div_euclid(PAGE)))?;
        cells
            .iter()
            .find(|cell| cell.offset == offset && cell.width == width)
            .map(|cell| cell.value)
    }

    /// Returns whether all of a place was stored on the way.
    pub(super) fn is_whole(&self, base: Base, at: i64, width: Width) -> bool {
        (at..at.saturating_add(width.bytes() as i64))
            .all(|at| self.overlapping(base, at, Width::Byte).next().is_some())
    }

    /// Returns what was stored on the way at a place, with whatever width.
    pub(super) fn cell_at(&self, base: Base, offset: i64) -> Option<Value> {
        let cells = self.pages.get(&(base, offset.div_euclid(PAGE)))?;
        cells.iter().find(|cell| cell.offset == offset).map(|cell| cell.value)
    }

    /// Returns what was stored on the way with this width where a part of it is, and where that
    /// begins.
    pub(super) fn cell_around(
        &self,
        base: Base,
        offset: i64,
        part: Width,
        width: Width,
    ) -> Option<(i64, Value)> {
        let end = offset.checked_add(part.bytes() as i64)?;
        let cell = self.overlapping(base, offset, part).next()?;
        let around =
            cell.width == width && part != width && cell.offset <= offset && end <= cell.end();
        around.then_some((cell.offset, cell.value))
    }

    /// Returns the value of exactly this place, as it was stored.
    fn read(&self, base: Base, offset: i64, width: Width, setting: Setting<'_>) -> Option<Value> {
        let place = offset..offset.checked_add(width.bytes() as i64)?;
        for page in [
            place.start.div_euclid(PAGE),
            (place.end - 1).div_euclid(PAGE),
            place.start.div_euclid(PAGE) - 1,
        ] {
            let cells = self.pages.get(&(base, page)).map_or(&[][..], |cells| cells);
            if let Some(cell) = cells.iter().find(|c| c.overlaps(&place)) {
                let whole = cell.offset == offset && cell.width == width;
                return match whole {
                    true => Some(cell.value),
                    false => cell.part(&place).or_else(|| self.assembled(base, place, setting)),
                };
            }
        }
        let address = setting.wrap(offset as u64);
        if let Some(invariant) = setting.invariant().filter(|_| base == Base::None) {
            return invariant.read(address, width, &setting).map(Value::number);
        }
        if base != Base::None {
            return None;
        }
        if setting.is_writable(address) {
            return self.as_loaded(offset, width, setting);
        }
        setting.initial(address, width).map(Value::constant)
    }

    /// Returns the numbers at a plain address, put together from what is known of their parts;
    /// `numbers` tells those of a cell.
    pub(super) fn number(
        &self,
        at: i64,
        width: Width,
        setting: Setting<'_>,
        numbers: &dyn Fn(Value) -> Range,
    ) -> Range {
        if let Some(half) = half(width).filter(|_| self.is_split(at, width, setting)) {
            let part = |at| self.number(at, half, setting, numbers);
            return whole(part(at), part(at.wrapping_add(half.bytes() as i64)), half);
        }
        if let Some(cell) = self.overlapping(Base::None, at, width).next() {
            return piece(numbers(cell.value), at.abs_diff(cell.offset), width);
        }
        let unknown = Range::of_width(width, true);
        let invariant = setting.invariant();
        invariant.and_then(|b| b.read(setting.wrap(at as u64), width, &setting)).unwrap_or(unknown)
    }

    /// Returns whether a plain address is kept in parts that are narrower.
    pub(super) fn is_split(&self, at: i64, width: Width, setting: Setting<'_>) -> bool {
        let end = at.saturating_add(width.bytes() as i64);
        let mut own = self.overlapping(Base::None, at, width).peekable();
        if own.peek().is_some() {
            return own.any(|cell| cell.offset > at || cell.end() < end);
        }
        let place = Range::constant(setting.wrap(at as u64) as i64);
        setting.invariant().is_some_and(|b| b.together(place, width, &setting).split)
    }

    /// Returns the numbers at one of several plain addresses; `numbers` tells those of a cell.
    pub(super) fn numbers(
        &self,
        places: Range,
        width: Width,
        setting: Setting<'_>,
        numbers: &dyn Fn(Value) -> Range,
    ) -> Range {
        if let Some(invariant) = self.invariant_of(places, width, setting) {
            return invariant.together(places, width, &setting).numbers;
        }
        let all =
            places.numbers().map(|at| self.number(at, width, setting, numbers)).reduce(Range::join);
        all.unwrap_or(Range::of_width(width, true))
    }

    /// Returns whether one of several plain addresses is kept in parts that are narrower.
    pub(super) fn is_any_split(&self, places: Range, width: Width, setting: Setting<'_>) -> bool {
        match self.invariant_of(places, width, setting) {
            Some(invariant) => invariant.together(places, width, &setting).split,
            None => places.numbers().any(|at| self.is_split(at, width, setting)),
        }
    }

    /// Returns what always holds of several places, where what was stored on the way is of no
    /// account: because nothing was, or because it is in what always holds and there are many other
    /// places.
    fn invariant_of<'p>(
        &self,
        places: Range,
        width: Width,
        setting: Setting<'p>,
    ) -> Option<&'p Invariant> {
        let invariant = setting.invariant()?;
        // Of the stack an invariant says nothing, so what was stored on the way counts there.
        let in_stack = invariant.stack.contains(&(places.low() as u64))
            || invariant.stack.contains(&(places.high() as u64));
        let many = places.steps() >= FEW && !in_stack;
        (many || !self.has_cells_in(places, width)).then_some(invariant)
    }

    /// Returns whether anything was stored on the way between the first and the last of these
    /// addresses.
    fn has_cells_in(&self, places: Range, width: Width) -> bool {
        let span = places.low()..places.high().saturating_add(width.bytes() as i64);
        let (first, last) =
            (span.start.div_euclid(PAGE).saturating_sub(1), span.end.div_euclid(PAGE));
        let mut pages = self.pages.range((Base::None, first)..=(Base::None, last));
        pages.any(|(_, cells)| cells.iter().any(|cell| cell.overlaps(&span)))
    }

    /// Returns whether some of a place was stored on the way, but not all of it at once.
    pub(super) fn is_cut(&self, base: Base, at: i64, width: Width) -> bool {
        let end = at.saturating_add(width.bytes() as i64);
        self.overlapping(base, at, width).any(|cell| cell.offset > at || cell.end() < end)
    }

    /// Returns what is known of a place that is not cut; `numbers` tells those of a cell.
    pub(super) fn field(
        &self,
        (base, at): (Base, i64),
        width: Width,
        numbers: &dyn Fn(Value) -> Range,
    ) -> Range {
        let cell = self.overlapping(base, at, width).next();
        cell.map_or(Range::of_width(width, true), |cell| {
            piece(numbers(cell.value), at.abs_diff(cell.offset), width)
        })
    }

    fn overlapping(&self, base: Base, at: i64, width: Width) -> impl Iterator<Item = &Cell> {
        let place = at..at.saturating_add(width.bytes() as i64);
        let page = place.start.div_euclid(PAGE);
        let last = (place.end - 1).div_euclid(PAGE);
        let pages = [Some(page - 1), Some(page), Some(last).filter(|&last| last != page)];
        let cells =
            pages.into_iter().flatten().filter_map(move |page| self.pages.get(&(base, page)));
        cells.flat_map(|cells| cells.iter()).filter(move |cell| cell.overlaps(&place))
    }

    /// Returns a number put together from bytes that were stored with other widths, where all are
    /// known.
    fn assembled(&self, base: Base, place: Span<i64>, setting: Setting<'_>) -> Option<Value> {
        let start = place.start;
        let bytes = place.map(|at| Some(self.byte(base, at, setting)? << (8 * (at - start))));
        bytes.sum::<Option<u64>>().map(Value::constant)
    }

    pub(super) fn byte(&self, base: Base, at: i64, setting: Setting<'_>) -> Option<u64> {
        let (place, page) = (at..at.checked_add(1)?, at.div_euclid(PAGE));
        let cells = [page, page - 1].into_iter().filter_map(|page| self.pages.get(&(base, page)));
        if let Some(cell) = cells.flat_map(|cells| cells.iter()).find(|cell| cell.overlaps(&place))
        {
            return cell
                .value
                .as_constant()
                .map(|number| number >> (8 * (at - cell.offset)) & 0xff);
        }
        match self.read(base, at, Width::Byte, setting) {
            Some(value) => value.as_constant().map(|number| number & 0xff),
            None => None,
        }
    }

    /// Returns whether all that `other` allows is allowed here; `covers` compares cells.
    pub(crate) fn includes(
        &self,
        other: &Memory,
        setting: Setting<'_>,
        covers: &mut dyn FnMut(Value, Value) -> bool,
    ) -> bool {
        let is_hidden =
            |(base, place): (Base, Span<i64>)| base == Base::Stack && self.hidden.contains(&place);
        let loses = || {
            other.stack_escaped
                || !self.hidden.includes(&other.hidden)
                || !other.stack_values_outside(self).into_iter().all(is_hidden)
        };
        if !self.stack_escaped && loses() || !self.loaded_includes(other, setting) {
            return false;
        }
        // What is not kept here allows anything there, so only these cells are compared.
        self.pages.iter().all(|(&(base, _), cells)| {
            cells.iter().all(|cell| {
                let theirs = other.read(base, cell.offset, cell.width, setting);
                theirs.is_some_and(|theirs| covers(cell.value, theirs))
            })
        })
    }

    /// Makes this allow all that `other` allows; `merged` joins cells.
    pub(crate) fn merge(
        &mut self,
        other: &Memory,
        setting: Setting<'_>,
        merged: &dyn Fn(Value, Value) -> Value,
    ) {
        self.stack_escaped |= other.stack_escaped;
        self.unfold_as(other, setting);
        // Once the stack has escaped it is nothing new that an address is lost sight of.
        let mut lost =
            if self.stack_escaped { Vec::new() } else { other.stack_values_outside(self) };
        let mut changed = Vec::new();
        for (&key, cells) in self.pages.iter() {
            if other.pages.get(&key).is_some_and(|theirs| Rc::ptr_eq(cells, theirs)) {
                continue;
            }
            let kept: Vec<Cell> = cells
                .iter()
                .filter_map(|cell| {
                    // With an invariant a cell of one side only is dropped: what always
                    // holds has both numbers in it.
                    let theirs = match setting.invariant() {
                        Some(_) => other.own(key.0, cell.offset, cell.width),
                        None => other.read(key.0, cell.offset, cell.width, setting),
                    };
                    let value = theirs.map(|theirs| merged(cell.value, theirs));
                    let was_stack = [Some(cell.value), theirs]
                        .into_iter()
                        .flatten()
                        .any(|v| v.base == Base::Stack);
                    if was_stack && value.is_none_or(|v| v.base != Base::Stack) {
                        lost.push((key.0, cell.span()));
                        return None;
                    }
                    value.map(|value| Cell { value, ..*cell })
                })
                .collect();
            if kept != **cells {
                changed.push((key, kept));
            }
        }
        self.hidden.add_all(&other.hidden);
        for (base, place) in lost {
            match base {
                Base::Stack => self.hidden.add(place),
                _ => self.stack_escaped = true,
            }
        }
        if !changed.is_empty() {
            let pages = Rc::make_mut(&mut self.pages);
            for (key, cells) in changed {
                match cells.is_empty() {
                    true => pages.remove(&key),
                    false => pages.insert(key, Rc::new(cells)),
                };
            }
        }
    }

    /// Returns the cells that hold stack addresses and have no counterpart in `kept`.
    fn stack_values_outside(&self, kept: &Memory) -> Vec<(Base, Span<i64>)> {
        let mut outside = Vec::new();
        if Rc::ptr_eq(&self.pages, &kept.pages) {
            return outside;
        }
        for (key, cells) in self.pages.iter() {
            let theirs = kept.pages.get(key);
            if theirs.is_some_and(|theirs| Rc::ptr_eq(theirs, cells)) {
                continue;
            }
            let is_kept = |c: &Cell| {
                let mut same = theirs.into_iter().flat_map(|theirs| theirs.iter());
                same.any(|k| k.offset == c.offset && k.width == c.width)
            };
            let lost = cells.iter().filter(|c| c.value.base == Base::Stack && !is_kept(c));
            outside.extend(lost.map(|cell| (key.0, cell.span())));
        }
        outside
    }
}
