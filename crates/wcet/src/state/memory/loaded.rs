//! Memory that holds what the file loads there until something is stored.
//!
//! A program that starts finds its variables as its file has them. They are kept
//! as pages of which nothing is copied; the first store into such a page makes
//! cells of it, and from then on it is a page like any other.

use std::ops::Range as Span;
use std::rc::Rc;

use super::{Cell, Memory, PAGE};
use crate::program::Program;
use crate::setting::Setting;
use crate::value::{Base, Range, Value};
use fusee_isa::language::Width;

/// Pages of plain addresses that are as they were loaded: disjoint, not empty, by rising number.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Loaded(Rc<Vec<Span<i64>>>);

impl Loaded {
    /// Returns all that a program can change.
    fn all(program: &Program) -> Self {
        let mut spans: Vec<Span<i64>> = Vec::new();
        for span in program.variables() {
            // Addresses are kept as signed numbers here. What lies beyond these is
            // not known, which is sound.
            let (Ok(start), Ok(end)) = (i64::try_from(span.start), i64::try_from(span.end)) else {
                continue;
            };
            let pages = start.div_euclid(PAGE)..(end - 1).div_euclid(PAGE) + 1;
            // Segments may share a page, and a page must be listed once.
            match spans.last_mut().filter(|last| pages.start <= last.end) {
                Some(last) => last.end = last.end.max(pages.end),
                None => spans.push(pages),
            }
        }
        Self(Rc::new(spans))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn is_same(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    fn has(&self, page: i64) -> bool {
        let before = self.0.partition_point(|span| span.start <= page);
        before > 0 && page < self.0[before - 1].end
    }

    fn remove(&mut self, pages: &Span<i64>) {
        let first = self.0.partition_point(|span| span.end <= pages.start);
        // Mostly nothing is there to be removed, and then the list stays shared.
        if self.0.get(first).is_none_or(|span| pages.end <= span.start) {
            return;
        }
        let spans = Rc::make_mut(&mut self.0);
        let behind = spans.partition_point(|span| span.start < pages.end);
        let rest = [
            spans[first].start..pages.start.max(spans[first].start),
            pages.end.min(spans[behind - 1].end)..spans[behind - 1].end,
        ];
        spans.splice(first..behind, rest.into_iter().filter(|span| !span.is_empty()));
    }

    /// Those that are not among the others.
    fn without(&self, others: &Self) -> Self {
        let mut rest = self.clone();
        others.0.iter().for_each(|span| rest.remove(span));
        rest
    }

    fn pages(&self) -> impl Iterator<Item = i64> {
        self.0.iter().cloned().flatten()
    }
}

/// Returns what the file loads into a page.
fn cells_of(page: i64, setting: Setting<'_>) -> Vec<Cell> {
    let cell = |offset: i64, width: Width| {
        initial(offset, width, setting).map(|value| Cell { offset, width, value })
    };
    // Cells as wide as registers: most variables are read so, and narrower
    // parts are cut out of them.
    let width = setting.register_width();
    let mut cells = Vec::new();
    for offset in (page * PAGE..(page + 1) * PAGE).step_by(width.bytes() as usize) {
        match cell(offset, width) {
            Some(cell) => cells.push(cell),
            // The ends of what is loaded.
            None => {
                let bytes = offset..offset + width.bytes() as i64;
                cells.extend(bytes.filter_map(|at| cell(at, Width::Byte)));
            }
        }
    }
    cells
}

/// Returns what the file loads at a plain address.
fn initial(at: i64, width: Width, setting: Setting<'_>) -> Option<Value> {
    let number = setting.initial(setting.wrap(at as u64), width)?;
    Some(Value::number(Range::constant(number.cast_signed()).truncated(width)))
}

impl Memory {
    /// Says that memory is as the file loads it.
    pub(in crate::state) fn load_file(&mut self, program: &Program) {
        self.loaded = Loaded::all(program);
    }

    /// Returns what is in a place of which no part was stored on the way, if that is as it was
    /// loaded.
    pub(super) fn as_loaded(&self, at: i64, width: Width, setting: Setting<'_>) -> Option<Value> {
        let ends = [at, at.checked_add(width.bytes() as i64 - 1)?];
        // A number has eight bytes at most, so no page lies between its ends.
        let is_loaded = ends.into_iter().all(|end| self.loaded.has(end.div_euclid(PAGE)));
        is_loaded.then(|| initial(at, width, setting)).flatten()
    }

    /// Returns whether a place that is as it was loaded holds this already: a start clears what is
    /// clear.
    pub(super) fn is_already_loaded(
        &self,
        base: Base,
        at: i64,
        (value, width): (Value, Width),
        setting: Setting<'_>,
    ) -> bool {
        let same = || {
            let stored = Value::number(value.range.truncated(width));
            self.as_loaded(at, width, setting) == Some(stored)
        };
        // Without this a start that clears its variables would make cells of all pages.
        base == Base::None && value.as_constant().is_some() && same()
    }

    /// Something is stored at one of these places: of pages that all lie in between nothing is
    /// known any more, the first and the last become cells.
    pub(super) fn unfold_around(
        &mut self,
        base: Base,
        places: Span<i64>,
        width: Width,
        setting: Setting<'_>,
    ) {
        if self.loaded.is_empty() || base != Base::None {
            return;
        }
        let last = places.end.saturating_add(width.bytes() as i64 - 1);
        let ends = [places.start.div_euclid(PAGE), last.div_euclid(PAGE)];
        // In these two pages some numbers stay as they were, and so they must become cells.
        ends.into_iter().for_each(|page| self.unfold(page, setting));
        self.loaded.remove(&(ends[0]..ends[1]));
    }

    fn unfold(&mut self, page: i64, setting: Setting<'_>) {
        if self.loaded.has(page) {
            self.loaded.remove(&(page..page + 1));
            let cells = Rc::new(cells_of(page, setting));
            Rc::make_mut(&mut self.pages).insert((Base::None, page), cells);
        }
    }

    /// Forgets what was loaded.
    pub(super) fn forget_loaded(&mut self) {
        self.loaded = Loaded::default();
    }

    /// Makes cells of what is no longer as it was loaded in the other memory.
    pub(super) fn unfold_as(&mut self, other: &Memory, setting: Setting<'_>) {
        if self.loaded.is_empty() || self.loaded.is_same(&other.loaded) {
            return;
        }
        // Of what the other memory keeps no cells, nothing is known there, and so nothing here.
        for span in self.loaded.without(&other.loaded).0.iter() {
            let pages = (Base::None, span.start)..(Base::None, span.end);
            for (&(_, page), _) in other.pages.range(pages) {
                self.unfold(page, setting);
            }
            self.loaded.remove(span);
        }
    }

    /// Returns whether what is as it was loaded here holds the same in the other memory.
    pub(super) fn loaded_includes(&self, other: &Memory, setting: Setting<'_>) -> bool {
        let same = |cell: Cell| {
            other.read(Base::None, cell.offset, cell.width, setting) == Some(cell.value)
        };
        self.loaded.is_same(&other.loaded)
            || self
                .loaded
                .without(&other.loaded)
                .pages()
                .all(|page| cells_of(page, setting).into_iter().all(same))
    }
}
