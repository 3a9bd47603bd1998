//! The effect of a store: its own cell and those it may have hit besides.

use std::ops::{Bound, Range as Span};
use std::rc::Rc;

use super::{Cell, Hidden, Memory, PAGE, PLACES, either};
use crate::setting::Setting;
use crate::value::{Base, LONGEST_BUFFER, LONGEST_OBJECT, Range, Value};
use fusee_isa::language::{REGISTERS, Width};

/// A place in the stack where a function has stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Stored {
    pub(crate) at: i64,
    pub(crate) width: Width,
    /// True if it surely has.
    pub(crate) surely: bool,
}

impl Memory {
    /// Records a store; `numbers` tells those of a value.
    pub(crate) fn store(
        &mut self,
        address: Value,
        value: Value,
        width: Width,
        setting: Setting<'_>,
        numbers: &dyn Fn(Value) -> Range,
    ) {
        // Addresses further apart are no sign of a large object, but of an
        // index that nothing bounds.
        let limit = if setting.invariant().is_some() { LONGEST_BUFFER } else { LONGEST_OBJECT };
        let anywhere = address.base == Base::None
            && address.range.high().abs_diff(address.range.low()) >= limit;
        self.forget_aliases(address.base, anywhere, setting.invariant().is_some());
        // An address in the stack is followed only as long as it is kept in the stack.
        let mut found_again = address.base == Base::Stack && !anywhere;
        match address.range.as_constant() {
            _ if anywhere => {}
            Some(offset)
                if self.is_already_loaded(address.base, offset, (value, width), setting) => {}
            Some(offset) => {
                self.unfold_around(address.base, offset..offset, width, setting);
                self.write(address.base, offset, value, width);
            }
            // What may be stored there is in what always holds.
            None if address.range.steps() < PLACES && setting.invariant().is_none() => {
                // One of two values has no single name.
                let plain = |value: Value| match value.base {
                    Base::Symbol(_) => Value::number(numbers(value)),
                    _ => value,
                };
                for offset in address.range.numbers() {
                    self.unfold_around(address.base, offset..offset, width, setting);
                    let old = self.read(address.base, offset, width, setting).map(plain);
                    found_again &=
                        self.write_maybe((address.base, offset), old, plain(value), width);
                }
            }
            None => {
                found_again = false;
                // Which of so many places was written nobody can say later, so
                // all of them are forgotten.
                let (low, high) = (address.range.low(), address.range.high());
                self.unfold_around(address.base, low..high, width, setting);
                self.forget(address.base, low..high.saturating_add(width.bytes() as i64));
            }
        }
        self.stack_escaped |= value.base == Base::Stack && !found_again;
    }

    /// Forgets all but what lies at these addresses.
    pub(crate) fn keep_only(&mut self, addresses: Span<u64>) {
        self.forget_loaded();
        let inside = |cell: &Cell| {
            addresses.contains(&(cell.offset as u64)) && cell.end() as u64 <= addresses.end
        };
        Rc::make_mut(&mut self.pages).retain(|&(base, _), cells| {
            if base == Base::None && !cells.iter().all(inside) {
                Rc::make_mut(cells).retain(inside);
            }
            base == Base::None && !cells.is_empty()
        });
    }

    /// Forgets all but numbers at plain addresses.
    pub(crate) fn keep_plain(&mut self) {
        // No address in the stack is left, so none can be lost sight of.
        (self.stack_escaped, self.hidden) = (false, Hidden::default());
        let is_plain = |cell: &Cell| cell.value.base == Base::None;
        Rc::make_mut(&mut self.pages).retain(|&(base, _), cells| {
            if base == Base::None && !cells.iter().all(is_plain) {
                Rc::make_mut(cells).retain(is_plain);
            }
            base == Base::None && !cells.is_empty()
        });
    }

    /// Records a store that reaches no plain address of which anything is known.
    pub(crate) fn store_elsewhere(&mut self, address: Value, value: Value, width: Width) {
        // Two unknown pointers may point to one place. The stack and plain addresses are out of
        // reach, as is said of such stores.
        let survives = |base: Base| !matches!(base, Base::Symbol(_)) || base == address.base;
        if self.pages.keys().any(|&(base, _)| !survives(base)) {
            Rc::make_mut(&mut self.pages).retain(|&(base, _), _| survives(base));
        }
        match (address.base, address.range.as_constant()) {
            (Base::Symbol(_), Some(offset)) => self.write(address.base, offset, value, width),
            (Base::Symbol(_), None) => {
                let end = address.range.high().saturating_add(width.bytes() as i64);
                self.forget(address.base, address.range.low()..end);
            }
            _ => {}
        }
    }

    /// Forgets what a store through this base may change elsewhere.
    fn forget_aliases(&mut self, through: Base, anywhere: bool, apart: bool) {
        let escaped = self.stack_escaped;
        // What an argument points to was there before the stack's addresses were lost sight of.
        let may_be_stack =
            |base: Base| escaped && matches!(base, Base::Symbol(name) if name >= REGISTERS as u32);
        let survives = |base: Base| match base {
            // A store to anywhere spares the stack as long as nobody can have an address in it.
            _ if anywhere => base == Base::Stack && !escaped,
            Base::Stack => !may_be_stack(through),
            Base::Symbol(_) if through == Base::Stack => !may_be_stack(base),
            // Behind symbols is memory of which nothing else is known.
            Base::Symbol(_) if apart && through == Base::None => true,
            // A store to the stack changes nothing elsewhere. One through a pointer may change all
            // that is not behind that pointer.
            base => base == through || through == Base::Stack,
        };
        if !survives(Base::None) {
            self.forget_loaded();
        }
        if self.bases().any(|base| !survives(base)) {
            Rc::make_mut(&mut self.pages).retain(|&(base, _), _| survives(base));
        }
    }

    /// Returns what there are cells behind, each once.
    fn bases(&self) -> impl Iterator<Item = Base> {
        let first = self.pages.keys().next().map(|&(base, _)| base);
        let after = |&base: &Base| {
            let behind = (Bound::Excluded((base, i64::MAX)), Bound::Unbounded);
            self.pages.range(behind).next().map(|(&(base, _), _)| base)
        };
        std::iter::successors(first, after)
    }

    /// Removes what overlaps the place, and puts a cell there.
    fn write(&mut self, base: Base, offset: i64, value: Value, width: Width) {
        let Some(end) = offset.checked_add(width.bytes() as i64) else { return };
        let place = offset..end;
        // An address is gone for good only if all of its bytes are written over.
        self.remove(base, &place, |cell| cell.offset < place.start || place.end < cell.end());
        if base == Base::Stack {
            self.hidden.cut(&place);
        }
        let page =
            Rc::make_mut(&mut self.pages).entry((base, offset.div_euclid(PAGE))).or_default();
        Rc::make_mut(page).push(Cell { offset, width, value });
    }

    /// A function has stored something in its frame, or may have.
    pub(crate) fn overwrite(&mut self, stored: Stored) {
        let place = stored.at..stored.at.saturating_add(stored.width.bytes() as i64);
        self.forget_aliases(Base::Stack, false, false);
        self.remove(Base::Stack, &place, |cell| {
            // What may not have been written may still be there.
            !stored.surely || cell.offset < place.start || place.end < cell.end()
        });
    }

    /// Returns what is there stays, or becomes this; says whether the place tells of both.
    fn write_maybe(
        &mut self,
        (base, offset): (Base, i64),
        old: Option<Value>,
        value: Value,
        width: Width,
    ) -> bool {
        let both = old.and_then(|old| either(old, value));
        match both {
            Some(both) => self.write(base, offset, both, width),
            // Two kinds of values have no common one, so the place may hold anything.
            None => self.forget(base, offset..offset.saturating_add(width.bytes() as i64)),
        }
        both.is_some()
    }

    /// Forgets what is there, which may still be there.
    fn forget(&mut self, base: Base, place: Span<i64>) {
        self.remove(base, &place, |_| true);
    }

    /// Removes what overlaps the place; `is_left` says of a cell whether some of it may still be
    /// there.
    fn remove(&mut self, base: Base, place: &Span<i64>, is_left: impl Fn(&Cell) -> bool) {
        let first = (base, place.start.div_euclid(PAGE).saturating_sub(1));
        let last = (base, (place.end - 1).div_euclid(PAGE));
        let touched = |cells: &Rc<Vec<Cell>>| cells.iter().any(|c| c.overlaps(place));
        // Most stores meet no cell: then the pages stay shared.
        if !self.pages.range(first..=last).any(|(_, cells)| touched(cells)) {
            return;
        }
        let (mut rest, loaded) = (Vec::new(), &self.loaded);
        for (_, cells) in Rc::make_mut(&mut self.pages).range_mut(first..=last) {
            if touched(cells) {
                Rc::make_mut(cells).retain(|cell| {
                    let removed = cell.overlaps(place);
                    self.stack_escaped |=
                        removed && cell.value.base == Base::Stack && is_left(cell);
                    // The rest of a constant is kept byte by byte where programs read such rests:
                    // in frames, and in variables that were loaded.
                    if removed && (base == Base::Stack || !loaded.is_empty()) {
                        rest.extend(cell.bytes().filter(|byte| !byte.overlaps(place)));
                    }
                    !removed
                });
            }
        }
        for byte in rest {
            let page = Rc::make_mut(&mut self.pages)
                .entry((base, byte.offset.div_euclid(PAGE)))
                .or_default();
            Rc::make_mut(page).push(byte);
        }
    }
}
