//! The results of comparisons, and the facts once they hold.

use super::State;
use crate::value::{Base, Range, Value, decide, refine};
use fusee_isa::language::{Comparison, Operand, REGISTERS};

impl State {
    pub(super) fn bit(&self, comparison: Comparison, left: Value, right: Value) -> Range {
        self.decide(comparison, left, right).map_or(Range::BIT, |held| Range::constant(held.into()))
    }

    /// Returns whether a comparison certainly holds or certainly fails.
    ///
    /// Two distances from one thing are equal exactly if they are equal; their
    /// order is that of the distances only where no sum wraps around.
    pub(crate) fn decide(&self, comparison: Comparison, left: Value, right: Value) -> Option<bool> {
        let same = left.base == right.base && left.base != Base::None;
        let equality = matches!(comparison, Comparison::Equal | Comparison::NotEqual);
        // What both sides have in common is the same number in both, whatever it is, so
        // only distances are compared.
        if same
            && (equality
                || left.base == Base::Stack
                || (self.is_exact(left) && self.is_exact(right)))
        {
            let signed = match comparison {
                Comparison::LessUnsigned if self.one_sign(left, right) => Comparison::LessSigned,
                Comparison::NotLessUnsigned if self.one_sign(left, right) => {
                    Comparison::NotLessSigned
                }
                other => other,
            };
            let unsigned = matches!(signed, Comparison::LessUnsigned | Comparison::NotLessUnsigned);
            if !unsigned && let Some(decided) = decide(signed, left.range, right.range) {
                return Some(decided);
            }
        }
        // Ranges do not tell how two unknown numbers compare; an earlier comparison may.
        if let Some(decided) = self.remembered.decide(comparison, left, right) {
            return Some(decided);
        }
        // Of the stack's place only the alignment is known, which no order follows from.
        if left.base == Base::Stack || right.base == Base::Stack {
            return against_null(comparison, left, right);
        }
        decide(comparison, self.numbers(left), self.numbers(right))
    }

    /// Returns whether one value may be the other, because its origin was lost sight of.
    pub(crate) fn could_be(&self, value: Value, other: Value) -> bool {
        // Behind the names of registers are the names of what was found in memory.
        let loaded = matches!(value.base, Base::Symbol(name) if name >= REGISTERS as u32);
        let found = loaded && self.is_pointer(value.base);
        let exact = value.base == Base::None || found && value.range.as_constant().is_some();
        exact && self.numbers(value).includes(self.numbers(other))
    }

    /// Returns whether the sums that a value stands for do not wrap around.
    fn is_exact(&self, value: Value) -> bool {
        matches!(
            value.base,
            Base::Symbol(symbol) if self.sum(self.symbol(symbol), value.range).is_some(),
        )
    }

    /// Returns whether the order as signed numbers is the order as unsigned ones.
    fn one_sign(&self, left: Value, right: Value) -> bool {
        let (l, r) = (self.numbers(left), self.numbers(right));
        left.base == Base::Stack || (l.low() >= 0 && r.low() >= 0) || (l.high() < 0 && r.high() < 0)
    }

    /// Keeps only what is possible when the comparison holds; false when nothing is.
    pub(crate) fn assume(&mut self, comparison: Comparison, left: Operand, right: Operand) -> bool {
        let (l, r) = (self.operand(left), self.operand(right));
        match self.decide(comparison, l, r) {
            Some(false) => return false,
            Some(true) => {}
            // What ranges keep need not be remembered, and there is little room.
            None if !self.tells_at_end(comparison, l, r) => {
                self.remembered.add(comparison, l, r, self.has_invariant)
            }
            None => {}
        }
        // Both sides are made from one number, so their numbers depend on each other, and
        // only distances are compared.
        if let Some(comparison) = self.of_distances(comparison, l, r) {
            return self.assume_of_distances(comparison, (left, l), (right, r));
        }
        if !self.tell_apart(comparison, (left, l), (right, r)) {
            return false;
        }
        // Telling them apart may have changed the registers, so they are read again.
        let (l, r) = (self.operand(left), self.operand(right));
        // Numbers of addresses in the stack are not known, so none can be excluded.
        if l.base == Base::Stack || r.base == Base::Stack {
            return true;
        }
        let Some((l, r)) = refine(comparison, self.numbers(l), self.numbers(r)) else {
            return false;
        };
        self.learn(left, l) && self.learn(right, r)
    }

    /// Keeps only distances for which the comparison holds; false when there are none.
    fn assume_of_distances(
        &mut self,
        comparison: Comparison,
        (left, l): (Operand, Value),
        (right, r): (Operand, Value),
    ) -> bool {
        let Some((l_range, r_range)) = refine(comparison, l.range, r.range) else {
            return false;
        };
        for (operand, value, range) in [(left, l, l_range), (right, r, r_range)] {
            if let Operand::Register(register) = operand {
                self.narrow(register, Value { base: value.base, range });
            }
        }
        true
    }

    /// Returns what is less than something is not equal to it, also where sums wrap around and the
    /// order of distances tells nothing: `while (p < end)` ends where `p` comes to `end`.
    fn tell_apart(
        &mut self,
        comparison: Comparison,
        left: (Operand, Value),
        right: (Operand, Value),
    ) -> bool {
        let is_less = matches!(comparison, Comparison::LessSigned | Comparison::LessUnsigned);
        let of_distances = self.of_distances(Comparison::NotEqual, left.1, right.1);
        match of_distances.filter(|_| is_less) {
            Some(differs) => self.assume_of_distances(differs, left, right),
            None => true,
        }
    }

    /// Returns whether a number is excluded that is at an end of the range: then the range tells
    /// it.
    fn tells_at_end(&self, comparison: Comparison, left: Value, right: Value) -> bool {
        let numbers = self.numbers(left);
        let at_end =
            |number: u64| numbers.low() as u64 == number || numbers.high() as u64 == number;
        comparison == Comparison::NotEqual && right.as_constant().is_some_and(at_end)
    }

    /// Returns the comparison of the distances, where both sides are distances from one thing.
    fn of_distances(
        &self,
        comparison: Comparison,
        left: Value,
        right: Value,
    ) -> Option<Comparison> {
        // Distances of less than a whole turn are equal where the sums are.
        let half = self.all.high() / 2;
        let near = |range: Range| range.low() > -half && range.high() < half;
        let same = left.base == right.base && left.base != Base::None;
        // The order of addresses in the stack is that of their distances from its beginning.
        let (signed, ordered) = match comparison {
            Comparison::Equal | Comparison::NotEqual => (comparison, false),
            Comparison::LessSigned | Comparison::LessUnsigned => (Comparison::LessSigned, true),
            Comparison::NotLessSigned | Comparison::NotLessUnsigned => {
                (Comparison::NotLessSigned, true)
            }
        };
        // Elsewhere an object may lie across the end of all numbers, where the order turns around.
        let tells = left.base == Base::Stack || !ordered;
        (same && tells && near(left.range) && near(right.range)).then_some(signed)
    }

    /// Records that an operand is one of these numbers.
    fn learn(&mut self, operand: Operand, numbers: Range) -> bool {
        let Operand::Register(register) = operand else { return true };
        let value = self.get(register);
        match (value.base, value.range.as_constant()) {
            (Base::None, _) => self.set(register, Value::number(numbers)),
            // What is learnt of a sum is learnt of the number by its name, and so of
            // all that is made from it.
            (Base::Symbol(symbol), Some(distance)) if self.tells(value, numbers) => {
                let range = self.symbol(symbol);
                let bound = |end: i64| end.saturating_sub(distance);
                let Some(range) = range.clamp(bound(numbers.low()), bound(numbers.high())) else {
                    return false;
                };
                let range = self.remembered.trimmed(symbol, range);
                self.set_symbol(symbol, range);
                return self.tell_multiples(symbol) && self.tell_words(symbol);
            }
            // Which numbers wrapped around is not known: this register is one of them all the same.
            (Base::Symbol(_), _) if self.is_small(numbers) => {
                self.narrow(register, Value::number(numbers))
            }
            _ => {}
        }
        true
    }

    /// Returns whether a sum that is one of these numbers tells what is added: if the sum does not
    /// wrap around, or if no difference does.
    fn tells(&self, value: Value, numbers: Range) -> bool {
        let difference = || {
            let back = value.range.as_constant()?.checked_neg()?;
            numbers.shifted(back).filter(|&less| self.all.includes(less))
        };
        self.is_exact(value) || self.is_small(numbers) && difference().is_some()
    }

    /// Returns whether the numbers say more than that a pointer is not null.
    fn is_small(&self, numbers: Range) -> bool {
        // A pointer that is not null may still be nearly any number. Its base tells more than that.
        let half = self.all.high() / 2;
        numbers.high().abs_diff(numbers.low()) <= half as u64
    }
}

/// Returns how a comparison comes out that asks whether something in the stack is at address 0,
/// which nothing is.
fn against_null(comparison: Comparison, left: Value, right: Value) -> Option<bool> {
    let is = |value: Value, number: u64| value.as_constant() == Some(number);
    let equality = is(left, 0) || is(right, 0);
    match comparison {
        Comparison::Equal if equality => Some(false),
        Comparison::NotEqual if equality => Some(true),
        Comparison::LessUnsigned if is(left, 0) => Some(true),
        Comparison::NotLessUnsigned if is(left, 0) => Some(false),
        // `p < 1` is how compilers ask whether an address is 0.
        Comparison::LessUnsigned if is(right, 0) || is(right, 1) => Some(false),
        Comparison::NotLessUnsigned if is(right, 0) || is(right, 1) => Some(true),
        _ => None,
    }
}
