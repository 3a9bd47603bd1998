//! Words that were cut out of sums.
//!
//! Where registers are wider than `int`, a compiler computes with their low words.
//! `n - 1` may wrap around there, so it is no distance from `n`; but asked whether it
//! is below 100 (which is how `n < 1 || n > 100` is asked), it tells that `n` is
//! between 1 and 100. So the word of a sum remembers of which.

use super::induction::is_induction;
use super::{State, remember};
use crate::value::{Base, Range, Value};
use fusee_isa::language::Width;

/// The most that are remembered; forgetting is sound.
const KEPT: usize = 16;

/// One symbol's number is the low word, with its sign, of another's and a distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Word {
    pub(super) word: u32,
    pub(super) of: u32,
    pub(super) distance: i64,
}

/// The numbers that are known to be words.
#[derive(Debug, Clone, Default)]
pub(super) struct Words {
    entries: Vec<Word>,
}

impl Words {
    pub(super) fn of_word(&self, symbol: u32) -> Option<Word> {
        self.entries.iter().copied().find(|word| word.word == symbol)
    }

    /// Forgets what is not known on the other side as well.
    pub(super) fn meet(&mut self, other: &Words) {
        self.entries.retain(|word| other.entries.contains(word));
    }

    /// Forgets what is known of a number.
    pub(super) fn forget(&mut self, name: u32) {
        self.entries.retain(|word| word.word != name && word.of != name);
    }

    /// Returns all that is known.
    pub(super) fn entries(&self) -> &[Word] {
        &self.entries
    }
}

impl State {
    /// The word of a sum that may not fit it, with a name by which the sum is known.
    pub(super) fn word_of(&mut self, (base, by): (Base, Range), width: Width) -> Option<Value> {
        let (Base::Symbol(of), Some(distance)) = (base, by.as_constant()) else {
            return None;
        };
        // Only where registers are wider than the operation something is cut off.
        if width != Width::Word || self.is_full(width) || is_induction(of) {
            return None;
        }
        let word = Range::of_width(width, true);
        // Of what is cut off from a pointer nobody makes a pointer again, nor a count.
        let Base::Symbol(name) = self.named(Value::number(word)).base else { return None };
        remember(&mut self.words.entries, Word { word: name, of, distance }, KEPT);
        Some(Value::based(Base::Symbol(name)))
    }

    /// Tells what is known of a number to its words, and to that of which it is one; false if that
    /// is impossible.
    pub(super) fn tell_words(&mut self, symbol: u32) -> bool {
        let fits = Range::of_width(Width::Word, true);
        let mut told = true;
        if let Some(Word { of, distance, .. }) = self.words.of_word(symbol) {
            let (word, whole) = (self.symbol(symbol), self.symbol(of));
            // A number of one word is told by the word of a sum, unless some of these sums wrapped
            // around and some did not.
            let back = distance.checked_neg().and_then(|back| word.shifted(back));
            if let Some(back) = back.filter(|&back| fits.includes(whole) && fits.includes(back)) {
                let less = whole.clamp(back.low(), back.high());
                told &= less.map(|range| self.set_symbol(of, range)).is_some();
            }
        }
        let whole = self.symbol(symbol);
        let words: Vec<Word> =
            self.words.entries.iter().copied().filter(|word| word.of == symbol).collect();
        told && words.into_iter().all(|Word { word, distance, .. }| {
            // Only where no sum leaves the word, the word is the sum itself.
            let sum = whole.shifted(distance).filter(|&sum| fits.includes(sum));
            let Some(sum) = sum else { return true };
            let less = self.symbol(word).clamp(sum.low(), sum.high());
            less.map(|range| self.set_symbol(word, range)).is_some()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::invariant::{Bytes, Elsewhere, Invariant};
    use crate::program::tests::empty;
    use crate::setting::Setting;
    use fusee_isa::language::{Binary, Comparison, Effect, Operand, Register};

    const NUMBER: Register = Register::new(10);
    const SUM: Register = Register::new(11);

    /// Returns a state with a number, and the word of the sum of it and a distance.
    fn summed(numbers: Range, distance: i64) -> State {
        let invariant = Invariant::new(Bytes::default(), Elsewhere::default(), 0..0);
        let program = empty();
        let setting = Setting::with(&program, &invariant);
        let mut state = State::at_entry(setting);
        state.set(NUMBER, Value::number(numbers));
        let (left, right) = (Operand::Register(NUMBER), Operand::Constant(distance as u64));
        let width = Width::Word;
        let effect = Effect::Compute { target: SUM, operation: Binary::Add, left, right, width };
        state.apply(&effect, setting);
        state
    }

    fn known(state: &State, register: Register) -> Range {
        state.numbers(state.get(register))
    }

    #[test]
    fn what_is_learnt_of_a_word_is_learnt_of_its_number() {
        let mut state = summed(Range::of_width(Width::Word, true), -1);
        let limit = Operand::Constant(100);
        assert!(state.assume(Comparison::LessUnsigned, Operand::Register(SUM), limit));
        assert_eq!(known(&state, NUMBER), Range::new(1, 100, 1));
    }

    #[test]
    fn what_is_learnt_of_a_number_is_learnt_of_its_word() {
        let mut state = summed(Range::ALL, 0);
        let limit = Operand::Constant(100);
        assert!(state.assume(Comparison::LessUnsigned, Operand::Register(NUMBER), limit));
        assert_eq!(known(&state, SUM), Range::new(0, 99, 1));
    }

    /// A word tells nothing of wider numbers, nor does one that may have wrapped around.
    #[test]
    fn no_number_is_lost() {
        let word = Range::of_width(Width::Word, true);
        let ends = [i64::from(i32::MIN), i64::from(i32::MAX)];
        let numbers = [-2, -1, 0, 1, 99, 100, 101, 1 << 32, (1 << 32) + 5].into_iter().chain(ends);
        let numbers: Vec<i64> = numbers.collect();
        for (numbers_known, distance, limit) in [Range::ALL, word]
            .into_iter()
            .flat_map(|known| [-1, 1, 100, i64::from(i32::MIN)].map(|by| (known, by)))
            .flat_map(|(known, by)| [1, 100, 1 << 31].map(|limit| (known, by, limit)))
        {
            let before = summed(numbers_known, distance);
            for comparison in Comparison::ALL {
                let mut state = before.clone();
                let (word, limit) = (Operand::Register(SUM), Operand::Constant(limit));
                let possible = state.assume(comparison, word, limit);
                let Operand::Constant(limit) = limit else { continue };
                for &number in numbers.iter().filter(|&&number| numbers_known.contains(number)) {
                    let sum = i64::from(number.wrapping_add(distance) as i32);
                    if comparison.holds(sum, limit as i64) {
                        assert!(possible, "{number} {distance} {comparison:?} {limit}");
                        assert!(known(&state, NUMBER).contains(number));
                        assert!(known(&state, SUM).contains(sum));
                    }
                }
            }
        }
    }
}
