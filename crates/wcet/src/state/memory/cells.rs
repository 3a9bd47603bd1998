//! The cells of memory as places whose values can be looked at and changed.

use std::rc::Rc;

use super::{Cell, Memory, PAGE};
use crate::value::{Base, Value};
use fusee_isa::language::Width;

impl Memory {
    /// The cells: base, distance, width.
    pub(in crate::state) fn cells(&self) -> impl Iterator<Item = (Base, i64, Width)> {
        let pages = self.pages.iter();
        pages.flat_map(|(&(base, _), cells)| {
            cells.iter().map(move |cell| (base, cell.offset, cell.width))
        })
    }

    /// Says what a cell holds that is there.
    pub(in crate::state) fn replace(
        &mut self,
        (base, offset, width): (Base, i64, Width),
        value: Value,
    ) {
        let Some(page) = Rc::make_mut(&mut self.pages).get_mut(&(base, offset.div_euclid(PAGE)))
        else {
            return;
        };
        let cell =
            Rc::make_mut(page).iter_mut().find(|cell| cell.offset == offset && cell.width == width);
        if let Some(cell) = cell {
            // The old address may still be there, and nothing tells of it any more.
            self.stack_escaped |= cell.value.base == Base::Stack && value.base != Base::Stack;
            cell.value = value;
        }
    }

    /// Changes values; what lies behind a name that is another one's now is forgotten.
    pub(in crate::state) fn rename(&mut self, name: Base, changed: &dyn Fn(Value) -> Value) {
        let touched = |cells: &[Cell]| cells.iter().any(|cell| cell.value != changed(cell.value));
        let behind = |base: Base| base == name;
        if !self.pages.iter().any(|(&(base, _), cells)| behind(base) || touched(cells)) {
            // Pages that nothing changes stay shared with other memories.
            return;
        }
        let escaped = &mut self.stack_escaped;
        Rc::make_mut(&mut self.pages).retain(|&(base, _), cells| {
            if behind(base) {
                // What lies behind the name is forgotten, and an address in it with that.
                *escaped |= cells.iter().any(|cell| cell.value.base == Base::Stack);
                return false;
            }
            if touched(cells) {
                Rc::make_mut(cells).iter_mut().for_each(|cell| cell.value = changed(cell.value));
            }
            true
        });
    }
}
