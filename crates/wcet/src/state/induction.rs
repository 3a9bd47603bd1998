//! Numbers that move from iteration to iteration of a loop, under a name.
//!
//! To see by how much a counter grows in an iteration, the iteration is
//! executed with a name for what the counter holds where it begins. If the
//! counter is that name and a distance where the iteration ends, that distance
//! is what it grew by, through whatever registers and memory the number went.
//! Such names are told from others, because a join keeps them: a counter that
//! grew by one here and by two there has grown by one or two.

use super::State;
use crate::value::{Base, Range, Value};
use fusee_isa::language::{Register, Width};

/// Names from here on are those of what moves.
const FIRST: u32 = 1 << 31;

/// A place whose number may move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Variable {
    /// It is in a register.
    Register(Register),
    /// A cell of memory, as it was stored.
    Cell(Base, i64, Width),
}

/// Returns whether a name is of something that moves.
pub(crate) fn is_induction(symbol: u32) -> bool {
    symbol >= FIRST
}

impl State {
    /// Returns all places of which something is known.
    pub(crate) fn variables(&self) -> Vec<Variable> {
        let registers =
            (0..self.kept as u8).map(|number| Variable::Register(Register::new(number)));
        let cells = self.memory.cells().map(|(base, at, width)| Variable::Cell(base, at, width));
        registers.chain(cells).collect()
    }

    /// Returns what a place holds, if that is known.
    pub(crate) fn look(&self, variable: Variable) -> Option<Value> {
        match variable {
            Variable::Register(register) => Some(self.get(register)),
            Variable::Cell(base, at, width) => self.memory.own(base, at, width),
        }
    }

    /// Says what a place holds of which something is known.
    pub(crate) fn put(&mut self, variable: Variable, value: Value) {
        match variable {
            Variable::Register(register) => self.set(register, value),
            Variable::Cell(base, at, width) => self.memory.replace((base, at, width), value),
        }
    }

    /// Returns all numbers that a place can hold.
    pub(crate) fn room(&self, variable: Variable) -> Range {
        match variable {
            Variable::Register(_) => self.all,
            Variable::Cell(_, _, width) => {
                // A narrow cell wraps around earlier than a register.
                Range::of_width(width, true).meet(self.all).unwrap_or(self.all)
            }
        }
    }

    /// Gives what is not known names as far as there is room for them, so that it is seen to stay
    /// what it is.
    pub(crate) fn name_all(&mut self) {
        let open = |value: Value| value.base == Base::None && value.range.as_constant().is_none();
        let unnamed = |state: &Self| -> Vec<Variable> {
            // What is elsewhere may be a device's, and change by itself.
            let own = |variable: &Variable| match variable {
                Variable::Cell(base, ..) => *base == Base::Stack,
                _ => true,
            };
            let all = state.variables().into_iter().filter(own);
            all.filter(|&variable| state.look(variable).is_some_and(open)).collect()
        };
        let all = unnamed(self);
        // Half of the room is left for what the iterations themselves find out.
        if self.ranges.len() + all.len() > self.room / 2 {
            return;
        }
        for variable in all {
            if let Some(value) = self.look(variable) {
                let named = self.named(value);
                self.put(variable, named);
            }
        }
    }

    /// A new name for a number that moves.
    pub(crate) fn name_moving(&mut self, range: Range) -> u32 {
        let name = FIRST | self.fresh;
        self.fresh = self.fresh.wrapping_add(1) % FIRST;
        self.set_symbol(name, range);
        name
    }

    /// Says what a name stands for.
    pub(crate) fn set_induction_range(&mut self, name: u32, range: Range) {
        self.set_symbol(name, range);
    }

    /// Returns the numbers of a name.
    pub(crate) fn induction_range(&self, name: u32) -> Range {
        self.symbol(name)
    }

    /// From now on a name stands for what it was and this; nothing is known of it but its range.
    pub(crate) fn shift_moving(&mut self, name: u32, distance: i64, range: Range) {
        // What was the name and some distance is now the new name and what is left of the distance.
        let shifted = |value: Value| match value.range.shifted(distance.wrapping_neg()) {
            // The least number has no opposite.
            Some(range) if distance != i64::MIN => Value { range, ..value },
            _ => Value::ANY,
        };
        self.replace_moving(name, &shifted);
        self.set_symbol(name, range);
    }

    /// Puts something else in the place of a name, wherever it occurs.
    pub(crate) fn replace_moving(&mut self, name: u32, other: &dyn Fn(Value) -> Value) {
        let base = Base::Symbol(name);
        let changed = |value: Value| if value.base == base { other(value) } else { value };
        self.registers.iter_mut().for_each(|value| *value = changed(*value));
        self.memory.rename(base, &changed);
        // All of these speak of the old number, and the name is another one's now.
        self.remembered.forget(name);
        self.multiples.forget(name);
        self.words.forget(name);
        self.parts.forget(name);
        self.pieces.forget(name);
    }
}
