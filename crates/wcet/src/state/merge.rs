//! Joining states, and comparing what they allow.

use super::State;
use super::copied::Piece;
use super::words::Word;
use crate::setting::Setting;
use crate::value::{Base, Range, Value};
use fusee_isa::language::REGISTERS;

type Combine = fn(Range, Range) -> Range;

/// Symbols, each with the symbol of the other state that it stands for.
#[derive(Default)]
struct Names(Vec<(u32, u32)>);

impl Names {
    fn place(&self, mine: u32) -> Result<usize, usize> {
        self.0.binary_search_by_key(&mine, |&(name, _)| name)
    }

    fn of(&self, mine: u32) -> Option<u32> {
        self.place(mine).ok().map(|place| self.0[place].1)
    }
}

impl State {
    /// Returns whether all that `other` allows is allowed here.
    pub(crate) fn includes(&self, other: &State, setting: Setting<'_>) -> bool {
        let mut names = Names::default();
        // A name of this state stands for one name of the other, the same in all places.
        let mut covers = |mine: Value, theirs: Value| self.covers(mine, other, theirs, &mut names);
        // The other registers keep nothing from one instruction to the next.
        let mut pairs = self.registers[..self.kept].iter().zip(other.registers.iter());
        let covered = pairs.all(|(&mine, &theirs)| covers(mine, theirs))
            && self.memory.includes(&other.memory, setting, &mut covers);
        covered
            && self.remembers_no_more(other, &names)
            && self.multiplies_no_more(other, &mut names)
            && self.cuts_no_more(other, &mut names)
            && self.parts.tell_no_more(&other.parts, |mine| names.of(mine))
            && self.pieces_no_more(other, &mut names)
            && self.same.tells_no_more(&other.same)
    }

    /// Returns whether every comparison that is remembered here holds there, under the other's
    /// names.
    fn remembers_no_more(&self, other: &State, names: &Names) -> bool {
        // What has no counterpart occurs nowhere else, so nothing depends on it.
        let theirs = |value: Value| match value.base {
            Base::Symbol(my) => Some(Value { base: Base::Symbol(names.of(my)?), ..value }),
            _ => Some(value),
        };
        self.remembered.entries().iter().all(|&(comparison, left, right)| {
            let (Some(left), Some(right)) = (theirs(left), theirs(right)) else { return true };
            // It may have been remembered there, or follow from what is known there.
            other.decide(comparison, left, right) == Some(true)
        })
    }

    /// Returns whether every piece of an address that is known here is one there, under the other's
    /// names.
    fn pieces_no_more(&self, other: &State, names: &mut Names) -> bool {
        self.pieces.entries().iter().all(|&(name, mine)| {
            let Some(symbol) = names.of(name) else { return true };
            let alike = |theirs: &Piece| (theirs.at, theirs.width) == (mine.at, mine.width);
            let theirs = other.pieces.of_symbol(symbol).filter(alike);
            theirs.is_some_and(|theirs| self.covers(mine.address, other, theirs.address, names))
        })
    }

    /// Returns whether every multiple that is known here is one there, under the other's names: of
    /// a factor that may be in use no more, but by which its products know of each other.
    fn multiplies_no_more(&self, other: &State, names: &mut Names) -> bool {
        let factor = |symbol| Value::based(Base::Symbol(symbol));
        self.multiples.entries().iter().all(|mine| {
            let Some(product) = names.of(mine.product) else { return true };
            let theirs =
                other.multiples.of_product(product).filter(|theirs| theirs.times == mine.times);
            theirs.is_some_and(|theirs| {
                self.covers(factor(mine.factor), other, factor(theirs.factor), names)
            })
        })
    }

    /// The same for words that were cut out of sums.
    fn cuts_no_more(&self, other: &State, names: &mut Names) -> bool {
        let whole = |symbol| Value::based(Base::Symbol(symbol));
        self.words.entries().iter().all(|mine| {
            let Some(word) = names.of(mine.word) else { return true };
            let alike = |theirs: &Word| theirs.distance == mine.distance;
            let theirs = other.words.of_word(word).filter(alike);
            theirs.is_some_and(|theirs| self.covers(whole(mine.of), other, whole(theirs.of), names))
        })
    }

    fn covers(&self, mine: Value, other: &State, theirs: Value, names: &mut Names) -> bool {
        match (mine.base, theirs.base) {
            // Among numbers an address in the stack is not found again, and a store through it
            // would go elsewhere.
            (Base::None, Base::Stack) => {
                self.memory.has_stack_escaped() && mine.range.includes(self.all)
            }
            (Base::None, _) => {
                mine.range.includes(self.all) || mine.range.includes(other.numbers(theirs))
            }
            (Base::Stack, Base::Stack) => mine.range.includes(theirs.range),
            // What was known at entry is not another thing.
            (Base::Symbol(my), Base::Symbol(their))
                if my < REGISTERS as u32 && REGISTERS as u32 <= their =>
            {
                false
            }
            (Base::Symbol(my), Base::Symbol(their)) if mine.range.includes(theirs.range) => {
                match names.place(my) {
                    // A second meaning of one name would tie two different numbers together.
                    Ok(place) => names.0[place].1 == their,
                    Err(place) => {
                        names.0.insert(place, (my, their));
                        self.symbol(my).includes(other.symbol(their))
                    }
                }
            }
            _ => false,
        }
    }

    /// Makes this allow all that `other` allows.
    pub(crate) fn join(&mut self, other: &State, setting: Setting<'_>) {
        self.merge(other, setting, Range::join);
    }

    /// Like `join`, but so coarse that repeating it ends soon.
    pub(crate) fn widen(&mut self, next: &State, setting: Setting<'_>) {
        self.merge(next, setting, Range::widen);
    }

    fn merge(&mut self, other: &State, setting: Setting<'_>, combine: Combine) {
        let before = self.clone();
        let merged = |mine: Value, theirs: Value| before.merged(mine, other, theirs, combine);
        let mut escaped = false;
        for (mine, &theirs) in self.registers[..before.kept].iter_mut().zip(other.registers.iter())
        {
            let value = merged(*mine, theirs);
            // An address that is a mere number from now on is followed no further.
            escaped |= value.base != Base::Stack
                && (mine.base == Base::Stack || theirs.base == Base::Stack);
            *mine = value;
        }
        self.memory.merge(&other.memory, setting, &merged);
        if escaped {
            self.memory.let_stack_escape();
        }
        // A name that either side has given must not be given again.
        self.fresh = self.fresh.max(other.fresh);
        self.remembered.meet(&other.remembered);
        self.multiples.meet(&other.multiples);
        self.words.meet(&other.words);
        self.pieces.meet(&other.pieces);
        self.same.meet(&other.same);
        self.parts.join(&other.parts, combine);
        let theirs = |symbol| other.symbol(symbol);
        // A symbol that only the other side has a range of is any number here,
        // so it stays without one.
        self.ranges = before
            .ranges
            .iter()
            .map(|&(name, range)| (name, combine(range, theirs(name))))
            .collect();
        let all = self.all;
        self.ranges.retain(|(_, range)| !range.includes(all));
    }

    fn merged(&self, mine: Value, other: &State, theirs: Value, combine: Combine) -> Value {
        if mine.base == theirs.base && mine.base != Base::None {
            // A changing distance from a symbol is coarser than its numbers; keep what is one
            // thing.
            let moves = mine.symbol().is_some_and(super::induction::is_induction);
            if moves
                || mine.range == theirs.range
                || mine.base == Base::Stack
                || self.is_pointer(mine.base)
            {
                return Value { base: mine.base, range: combine(mine.range, theirs.range) };
            }
        }
        if mine.base == Base::Stack || theirs.base == Base::Stack {
            return Value::number(self.all);
        }
        Value::number(combine(self.numbers(mine), other.numbers(theirs)))
    }

    /// Returns whether nothing is known of a symbol's number, as of a pointer.
    pub(super) fn is_pointer(&self, base: Base) -> bool {
        matches!(base, Base::Symbol(symbol) if self.symbol(symbol) == self.all)
    }
}
