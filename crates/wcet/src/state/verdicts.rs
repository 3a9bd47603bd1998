//! Bits that say how comparisons came out.
//!
//! A compiler joins conditions: it compares twice, takes both bits together and
//! branches once. What the branch tells is how each of the comparisons came out,
//! and that tells of the numbers that were compared. So a bit remembers what it
//! says if it is set, and what if it is not.

use super::{State, remember};
use crate::value::{Base, Range, Value};
use fusee_isa::language::{Binary, Comparison, Operand, Width};

/// How many are remembered; forgetting is sound.
const KEPT: usize = 16;

/// That a comparison holds if a symbol's number is not 0, or if it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Verdict {
    pub(super) bit: u32,
    pub(super) is_set: bool,
    pub(super) comparison: Comparison,
    pub(super) sides: (Value, Value),
}

/// What is known to say how comparisons came out.
#[derive(Debug, Clone, Default)]
pub(super) struct Verdicts {
    entries: Vec<Verdict>,
}

impl Verdicts {
    /// What a symbol's number says if it is not 0, or if it is.
    fn of(&self, bit: u32, is_set: bool) -> impl Iterator<Item = Verdict> {
        let own = move |verdict: &&Verdict| verdict.bit == bit && verdict.is_set == is_set;
        self.entries.iter().filter(own).copied()
    }

    /// Forgets what is not known on the other side as well.
    pub(super) fn meet(&mut self, other: &Verdicts) {
        self.entries.retain(|verdict| other.entries.contains(verdict));
    }

    /// Forgets what is known of a number.
    pub(super) fn forget(&mut self, name: u32) {
        let of = |value: Value| value.base == Base::Symbol(name);
        self.entries.retain(|one| one.bit != name && !of(one.sides.0) && !of(one.sides.1));
    }

    /// All that is known.
    pub(super) fn entries(&self) -> &[Verdict] {
        &self.entries
    }
}

impl State {
    /// The bit that a comparison gives which may come out either way, with a name by which it is
    /// known how it did.
    pub(super) fn verdict(
        &mut self,
        operation: Binary,
        (left, right): (Operand, Operand),
    ) -> Option<Value> {
        // A kernel's tables need the names.
        let comparison = match operation {
            _ if self.has_invariant => return None,
            Binary::LessSigned => Comparison::LessSigned,
            Binary::LessUnsigned => Comparison::LessUnsigned,
            _ => return None,
        };
        for operand in [left, right] {
            if let Operand::Register(register) = operand {
                self.name_register(register);
            }
        }
        let sides = (self.operand(left), self.operand(right));
        let stays = |value: Value| value.base != Base::Stack && value.range.as_constant().is_some();
        let either = self.bit(comparison, sides.0, sides.1) == Range::BIT;
        if !(either && stays(sides.0) && stays(sides.1)) {
            return None;
        }
        let value = self.named(Value::number(Range::BIT));
        let bit = value.symbol()?;
        for (is_set, comparison) in [(true, comparison), (false, comparison.negated())] {
            remember(&mut self.verdicts.entries, Verdict { bit, is_set, comparison, sides }, KEPT);
        }
        Some(value)
    }

    /// Two numbers bit by bit, with a name by which it is known what they say.
    pub(super) fn joined(
        &mut self,
        operation: Binary,
        (l, r): (Value, Value),
        width: Width,
    ) -> Option<Value> {
        let bit = |value: Value| value.symbol().filter(|_| value.range.as_constant() == Some(0));
        let says = |value: Value, is_set: bool| -> Vec<Verdict> {
            bit(value).into_iter().flat_map(|bit| self.verdicts.of(bit, is_set)).collect()
        };
        let all = match operation {
            // If one bit of both is set, both are something; if none of either is, neither is.
            Binary::And => [says(l, true), says(r, true)].concat(),
            Binary::Or => [says(l, false), says(r, false)].concat(),
            Binary::Xor if r.as_constant() == Some(1) && self.numbers(l) == Range::BIT => {
                let turned = |one: Verdict| Verdict { is_set: !one.is_set, ..one };
                [says(l, true), says(l, false)].concat().into_iter().map(turned).collect()
            }
            _ => return None,
        };
        if all.is_empty() || !self.is_full(width) {
            return None;
        }
        let range = Range::compute(operation, self.numbers(l), self.numbers(r), width);
        let value = self.named(Value::number(range));
        let bit = value.symbol()?;
        for verdict in all {
            remember(&mut self.verdicts.entries, Verdict { bit, ..verdict }, KEPT);
        }
        Some(value)
    }

    /// Tells what a number says of others; false if that is impossible.
    pub(super) fn tell_verdicts(&mut self, symbol: u32) -> bool {
        let numbers = self.symbol(symbol);
        let is_set = match numbers.as_constant() {
            Some(0) => false,
            _ if !numbers.contains(0) => true,
            _ => return true,
        };
        let told: Vec<Verdict> = self.verdicts.of(symbol, is_set).collect();
        told.into_iter().all(|verdict| {
            let (left, right) = verdict.sides;
            self.assume_of_values(verdict.comparison, left, right)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::tests::empty;
    use crate::setting::Setting;
    use fusee_isa::language::{Effect, Register};

    const ONE: Register = Register::new(10);
    const OTHER: Register = Register::new(11);
    const FIRST: Register = Register::new(12);
    const SECOND: Register = Register::new(13);
    const BOTH: Register = Register::new(14);

    fn known(state: &State, register: Register) -> Range {
        state.numbers(state.get(register))
    }

    /// A state with two numbers below 100, the bits of two comparisons, and those taken together.
    fn compared(comparisons: [(Binary, u64); 2], together: Binary) -> State {
        let program = empty();
        let setting = Setting::new(&program);
        let mut state = State::at_entry(setting);
        let mut compute = |target, operation, left, right| {
            let width = setting.register_width();
            state.apply(&Effect::Compute { target, operation, left, right, width }, setting);
        };
        let register = Operand::Register;
        for number in [ONE, OTHER] {
            compute(number, Binary::And, register(number), Operand::Constant(63));
        }
        let [(first, limit), (second, other)] = comparisons;
        compute(FIRST, first, register(ONE), Operand::Constant(limit));
        compute(SECOND, second, register(OTHER), Operand::Constant(other));
        compute(BOTH, together, register(FIRST), register(SECOND));
        state
    }

    #[test]
    fn a_bit_tells_both_numbers() {
        let limits = [(Binary::LessSigned, 10), (Binary::LessUnsigned, 20)];
        let mut state = compared(limits, Binary::And);
        let (bit, zero) = (Operand::Register(BOTH), Operand::Constant(0));
        assert!(state.assume(Comparison::NotEqual, bit, zero));
        assert_eq!([ONE, OTHER].map(|one| known(&state, one).high()), [9, 19]);
        let mut state = compared(limits, Binary::Or);
        assert!(state.assume(Comparison::Equal, bit, zero));
        assert_eq!([ONE, OTHER].map(|one| known(&state, one).low()), [10, 20]);
    }

    #[test]
    fn a_bit_that_is_turned_over_tells_the_other_way() {
        let mut state =
            compared([(Binary::LessSigned, 10), (Binary::LessUnsigned, 20)], Binary::Or);
        let program = empty();
        let (left, right) = (Operand::Register(FIRST), Operand::Constant(1));
        let (operation, width) = (Binary::Xor, Setting::new(&program).register_width());
        let effect = Effect::Compute { target: BOTH, operation, left, right, width };
        state.apply(&effect, Setting::new(&program));
        let mut other = state.clone();
        let (bit, zero) = (Operand::Register(BOTH), Operand::Constant(0));
        assert!(state.assume(Comparison::Equal, bit, zero));
        assert_eq!(known(&state, ONE), Range::new(0, 9, 1));
        assert!(other.assume(Comparison::NotEqual, bit, zero));
        assert_eq!(known(&other, ONE), Range::new(10, 63, 1));
    }

    /// Whatever a branch asks of the bits, every pair of numbers that goes its way is still there.
    #[test]
    fn no_pair_of_numbers_is_lost() {
        let less = [Binary::LessSigned, Binary::LessUnsigned];
        let limits = [0, 1, 10, 63, 64, u64::MAX];
        let all: Vec<(Binary, u64)> =
            less.into_iter().flat_map(|less| limits.map(|limit| (less, limit))).collect();
        let holds = |(less, limit): (Binary, u64), number: i64| match less {
            Binary::LessSigned => number < limit.cast_signed(),
            _ => number.cast_unsigned() < limit,
        };
        for (&first, &second) in all.iter().flat_map(|one| all.iter().map(move |two| (one, two))) {
            for together in [Binary::And, Binary::Or, Binary::Xor, Binary::Add] {
                let before = compared([first, second], together);
                for comparison in [Comparison::Equal, Comparison::NotEqual] {
                    for asked in [FIRST, SECOND, BOTH] {
                        let mut state = before.clone();
                        let zero = Operand::Constant(0);
                        let possible = state.assume(comparison, Operand::Register(asked), zero);
                        for (one, other) in [0, 1, 9, 10, 62, 63]
                            .into_iter()
                            .flat_map(|a| [0, 9, 63].map(|b| (a, b)))
                        {
                            let bits = (holds(first, one), holds(second, other));
                            let bit = match (asked, together) {
                                (FIRST, _) => bits.0,
                                (SECOND, _) => bits.1,
                                (_, Binary::And) => bits.0 && bits.1,
                                (_, Binary::Xor) => bits.0 != bits.1,
                                _ => bits.0 || bits.1,
                            };
                            if bit == (comparison == Comparison::NotEqual) {
                                assert!(possible, "{first:?} {second:?} {together:?}");
                                assert!(known(&state, ONE).contains(one));
                                assert!(known(&state, OTHER).contains(other));
                            }
                        }
                    }
                }
            }
        }
    }
}
