//! Numbers that are several fields at once.
//!
//! A compiler copies a structure with the widest loads and stores there are,
//! across its fields. The number in between is of no use to anybody, but the
//! fields are what the code behind the copy decides by. So a number that was
//! loaded across fields remembers them, and where it is stored it becomes
//! fields again.

use std::rc::Rc;

use super::{State, remember};
use crate::setting::Setting;
use crate::value::pieces::half;
use crate::value::{Base, Range, Value};
use fusee_isa::language::{Operand, Width};

/// A load from more places than this gives a number without fields.
const PLACES: u64 = 1024;
/// Numbers whose fields are remembered; forgetting is sound.
const KEPT: usize = 24;

/// A field of a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Part {
    /// Its beginning, in bytes.
    pub(super) at: u64,
    pub(super) width: Width,
    pub(super) range: Range,
}

/// Fields of numbers, by symbol.
#[derive(Debug, Clone, Default)]
pub(super) struct Parts {
    entries: Vec<(u32, Rc<Vec<Part>>)>,
}

impl Parts {
    fn of(&self, symbol: u32) -> Option<&Rc<Vec<Part>>> {
        self.entries.iter().find(|(name, _)| *name == symbol).map(|(_, parts)| parts)
    }

    fn keep(&mut self, symbol: u32, parts: Vec<Part>) {
        remember(&mut self.entries, (symbol, Rc::new(parts)), KEPT);
    }

    /// Forgets the fields of a number.
    pub(super) fn forget(&mut self, name: u32) {
        self.entries.retain(|(known, _)| *known != name);
    }

    /// Keeps what is known on both sides.
    pub(super) fn join(&mut self, other: &Parts, combine: fn(Range, Range) -> Range) {
        self.entries.retain_mut(|(name, mine)| {
            let Some(theirs) = other.of(*name) else { return false };
            // Mostly both sides have the fields from where they were one.
            if Rc::ptr_eq(mine, theirs) {
                return true;
            }
            let alike =
                |(mine, theirs): (&Part, &Part)| mine.at == theirs.at && mine.width == theirs.width;
            // Fields that are cut otherwise have no common numbers.
            if mine.len() != theirs.len() || !mine.iter().zip(theirs.iter()).all(alike) {
                return false;
            }
            let joined = |(mine, theirs): (&Part, &Part)| Part {
                range: combine(mine.range, theirs.range),
                ..*mine
            };
            *mine = Rc::new(mine.iter().zip(theirs.iter()).map(joined).collect());
            true
        });
    }

    /// Returns whether each number here is known to consist of no less there, where `theirs` says
    /// which it is.
    pub(super) fn tell_no_more(&self, other: &Parts, theirs: impl Fn(u32) -> Option<u32>) -> bool {
        self.entries.iter().all(|(name, mine)| {
            // A number that the other state has no name for is held nowhere there.
            let Some(symbol) = theirs(*name) else { return true };
            let Some(parts) = other.of(symbol) else { return false };
            let within = |(mine, theirs): (&Part, &Part)| {
                mine.at == theirs.at
                    && mine.width == theirs.width
                    && mine.range.includes(theirs.range)
            };
            mine.len() == parts.len() && mine.iter().zip(parts.iter()).all(within)
        })
    }
}

impl State {
    /// Returns the fields that a load reads, without their contents; at most one: it reads no more
    /// than a field.
    pub(super) fn layout(
        &self,
        address: Value,
        width: Width,
        setting: Setting<'_>,
    ) -> Vec<(u64, Width)> {
        let mut found = Vec::new();
        if self.has_invariant
            && address.base == Base::None
            && address.range.steps() < PLACES
            && width != Width::Byte
        {
            self.lay_out(address.range, (0, width), setting, &mut found);
        }
        found
    }

    fn lay_out(
        &self,
        places: Range,
        (at, width): (u64, Width),
        setting: Setting<'_>,
        found: &mut Vec<(u64, Width)>,
    ) {
        let split = |places| self.memory.is_any_split(places, width, setting);
        // Down to the widest pieces that are stored as one: these are the fields.
        match half(width).filter(|_| places.shifted(at as i64).is_some_and(split)) {
            Some(half) => {
                self.lay_out(places, (at, half), setting, found);
                self.lay_out(places, (at + half.bytes(), half), setting, found);
            }
            None => found.push((at, width)),
        }
    }

    /// Returns the fields of one place that were stored on the way, if some of them are known;
    /// elsewhere there may be more.
    pub(super) fn own_parts(&self, address: Value, value: Value, width: Width) -> Vec<Part> {
        let mut found = Vec::new();
        // The fields of such a place come from `layout`, which knows what always holds as well.
        let plain = self.has_invariant && address.base == Base::None;
        if value.base != Base::None || value.as_constant().is_some() || plain {
            return found;
        }
        if let Some(at) = address.range.as_constant() {
            self.cut((address.base, at), (0, width), &mut found);
        }
        // Fields of which nothing is known are not worth a place among the few.
        let tells = |part: &Part| part.range != Range::of_width(part.width, true);
        // A single field is the number itself.
        if found.len() < 2 || !found.iter().any(tells) {
            found.clear();
        }
        found
    }

    fn cut(&self, (base, place): (Base, i64), (at, width): (u64, Width), found: &mut Vec<Part>) {
        let Some(start) = place.checked_add(at as i64) else { return };
        match half(width).filter(|_| self.memory.is_cut(base, start, width)) {
            Some(half) => {
                self.cut((base, place), (at, half), found);
                self.cut((base, place), (at + half.bytes(), half), found);
            }
            None => {
                let range = self.memory.field((base, start), width, &|value| self.numbers(value));
                found.push(Part { at, width, range });
            }
        }
    }

    /// Remembers of which fields a number consists.
    pub(super) fn hold_parts(&mut self, value: Value, parts: Vec<Part>) {
        if let Base::Symbol(symbol) = value.base {
            self.parts.keep(symbol, parts);
        }
    }

    /// Remembers of which fields a number consists that was loaded from these places.
    pub(super) fn keep_parts(
        &mut self,
        value: Value,
        layout: Vec<(u64, Width)>,
        places: Value,
        setting: Setting<'_>,
    ) {
        let part = |(at, width): (u64, Width)| {
            let all =
                |places| self.memory.numbers(places, width, setting, &|value| self.numbers(value));
            Part {
                at,
                width,
                range: places.range.shifted(at as i64).map_or(Range::of_width(width, true), all),
            }
        };
        let parts = layout.into_iter().map(part).collect();
        self.hold_parts(value, parts);
    }

    /// Returns the fields that a store writes, with their contents; none: it writes a number that
    /// is one.
    pub(crate) fn fields(&self, operand: Operand, width: Width) -> Vec<(u64, Width, Range)> {
        self.parts_of(operand, width).iter().map(|part| (part.at, part.width, part.range)).collect()
    }

    /// Returns the fields of which a register's number consists, all of them together of this
    /// width.
    pub(super) fn parts_of(&self, operand: Operand, width: Width) -> Rc<Vec<Part>> {
        let none = || Rc::new(Vec::new());
        let Operand::Register(register) = operand else { return none() };
        let value = self.get(register);
        // With something added it is another number, of other fields.
        let (Base::Symbol(symbol), Some(0)) = (value.base, value.range.as_constant()) else {
            return none();
        };
        let bytes =
            |parts: &Rc<Vec<Part>>| parts.iter().map(|part| part.width.bytes()).sum::<u64>();
        self.parts
            .of(symbol)
            // Only a store of all of the number stores all of its fields.
            .filter(|parts| bytes(parts) == width.bytes())
            .cloned()
            .unwrap_or_else(none)
    }
}
