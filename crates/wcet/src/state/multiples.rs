//! Numbers that are multiples of other numbers.
//!
//! A compiler computes where an element of a table lies, and only then asks
//! whether the table has that many. What the comparison tells of the index must
//! be told of the place, too: else the element may lie anywhere. So a product
//! of an unknown number and a known one remembers both, as do sums of such
//! products, which is how places of elements of any size are computed.

use super::{State, remember};
use crate::value::{Base, Range, Value};
use fusee_isa::language::{Binary, Width};

/// The most that are remembered; forgetting is sound.
const KEPT: usize = 16;

/// One symbol's number is another's, so many times; no such product wraps around.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Multiple {
    pub(super) product: u32,
    pub(super) factor: u32,
    pub(super) times: i64,
}

/// The numbers that are known to be multiples.
#[derive(Debug, Clone, Default)]
pub(super) struct Multiples {
    entries: Vec<Multiple>,
}

impl Multiples {
    pub(super) fn of_product(&self, symbol: u32) -> Option<Multiple> {
        self.entries.iter().copied().find(|multiple| multiple.product == symbol)
    }

    fn add(&mut self, multiple: Multiple) {
        remember(&mut self.entries, multiple, KEPT);
    }

    /// Forgets what is not known on the other side as well.
    pub(super) fn meet(&mut self, other: &Multiples) {
        self.entries.retain(|multiple| other.entries.contains(multiple));
    }

    /// Forgets what is known of a number.
    pub(super) fn forget(&mut self, name: u32) {
        self.entries.retain(|multiple| multiple.product != name && multiple.factor != name);
    }

    /// Returns all that is known.
    pub(super) fn entries(&self) -> &[Multiple] {
        &self.entries
    }
}

/// A number as so many times a symbol's, and a distance.
#[derive(Debug, Clone, Copy)]
struct Term {
    factor: u32,
    times: i64,
    distance: i64,
}

impl State {
    /// A result as the multiple of a number that it is, if nothing wraps around on the way.
    pub(super) fn multiple(
        &mut self,
        operation: Binary,
        (l, r): (Value, Value),
        width: Width,
    ) -> Option<Value> {
        // A narrow product may be cut off, and then it is no multiple.
        if !self.is_full(width) {
            return None;
        }
        let left = self.term(l)?;
        let Term { factor, times, distance } = match (operation, r.as_constant()) {
            // By 0 bits nothing is scaled, and beyond 31 no element is so large.
            (Binary::ShiftLeft, Some(bits @ 1..=31)) => left.times(1 << bits)?,
            (Binary::Multiply, Some(number)) => left.times(i64::try_from(number).ok()?)?,
            (Binary::Add, None) => left.plus(self.term(r)?)?,
            (Binary::Subtract, None) => left.plus(self.term(r)?.times(-1)?)?,
            _ => return None,
        };
        let range = scaled(self.symbol(factor), times)?;
        // Both the product and the sum must fit a register: what wraps around
        // tells nothing of its factor.
        self.sum(range, Range::constant(0)).and(self.sum(range, Range::constant(distance)))?;
        // A product that is known needs no name.
        let Base::Symbol(product) = self.named(Value::number(range)).base else { return None };
        self.multiples.add(Multiple { product, factor, times });
        Some(Value { base: Base::Symbol(product), range: Range::constant(distance) })
    }

    fn term(&self, value: Value) -> Option<Term> {
        let distance = value.range.as_constant()?;
        let Base::Symbol(symbol) = value.base else { return None };
        // What may have wrapped around is not a multiple and a distance any more.
        self.sum(self.symbol(symbol), value.range)?;
        // A multiple of a multiple is one of the first number, so all products
        // of it know of each other.
        let multiple = self.multiples.of_product(symbol);
        let (factor, times) =
            multiple.map_or((symbol, 1), |multiple| (multiple.factor, multiple.times));
        Some(Term { factor, times, distance })
    }

    /// Tells what is known of a number to its multiples, and to what it is one of; false if that is
    /// impossible.
    pub(super) fn tell_multiples(&mut self, symbol: u32) -> bool {
        let mut factor = symbol;
        if let Some(multiple) = self.multiples.of_product(symbol) {
            factor = multiple.factor;
            let (range, times) = (self.symbol(symbol), multiple.times);
            // Rounded inwards: only whole factors make products.
            let low = range.low().div_euclid(times) + i64::from(range.low().rem_euclid(times) > 0);
            let Some(range) = self.symbol(factor).clamp(low, range.high().div_euclid(times)) else {
                return false;
            };
            self.set_symbol(factor, range);
        }
        // Products know of each other by their factor, so what is learnt of one goes through it.
        let known = self.symbol(factor);
        let multiples: Vec<Multiple> = self
            .multiples
            .entries
            .iter()
            .copied()
            .filter(|multiple| multiple.factor == factor)
            .collect();
        multiples.into_iter().all(|Multiple { product, times, .. }| {
            let Some(range) = scaled(known, times) else { return true };
            let less = self.symbol(product).clamp(range.low(), range.high());
            less.map(|range| self.set_symbol(product, range)).is_some()
        })
    }
}

impl Term {
    fn times(self, number: i64) -> Option<Term> {
        let (times, distance) =
            (self.times.checked_mul(number)?, self.distance.checked_mul(number)?);
        Some(Term { times, distance, ..self })
    }

    fn plus(self, other: Term) -> Option<Term> {
        let (times, distance) =
            (self.times.checked_add(other.times)?, self.distance.checked_add(other.distance)?);
        // Sums of products of different numbers have no single factor.
        (self.factor == other.factor).then_some(Term { times, distance, ..self })
    }
}

/// Returns all numbers so many times, at least once; nothing where one is no longer a number.
fn scaled(range: Range, times: i64) -> Option<Range> {
    // With a factor below 0 the ends change places, and elements have no such size.
    if times < 1 {
        return None;
    }
    let (low, high) = (range.low().checked_mul(times)?, range.high().checked_mul(times)?);
    let stride = u128::from(range.stride()) * u128::from(times.unsigned_abs());
    Some(Range::new(low.into(), high.into(), stride))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::invariant::{Bytes, Elsewhere, Invariant};
    use crate::program::tests::empty;
    use crate::setting::Setting;
    use fusee_isa::language::{Comparison, Effect, Operand, Register};

    const INDEX: Operand = Operand::Register(Register::new(10));
    const PLACE: Register = Register::new(11);

    fn compute(state: &mut State, operation: Binary, left: Operand, right: Operand) {
        let effect =
            Effect::Compute { target: PLACE, operation, left, right, width: Width::Double };
        let invariant = Invariant::new(Bytes::default(), Elsewhere::default(), 0..0);
        state.apply(&effect, Setting::with(&empty(), &invariant));
    }

    /// Returns a state in which the index is one of so many, and the place is `size` times it
    /// behind 0x1000.
    fn placed(highest: i64, size: &[(Binary, Operand)]) -> State {
        let invariant = Invariant::new(Bytes::default(), Elsewhere::default(), 0..0);
        let program = empty();
        let mut state = State::at_entry(Setting::with(&program, &invariant));
        state.set(Register::new(10), Value::number(Range::new(0, highest.into(), 1)));
        let place = Operand::Register(PLACE);
        compute(&mut state, size[0].0, INDEX, size[0].1);
        size[1..]
            .iter()
            .for_each(|&(operation, right)| compute(&mut state, operation, place, right));
        compute(&mut state, Binary::Add, place, Operand::Constant(0x1000));
        state
    }

    fn place(state: &State) -> Range {
        state.numbers(state.get(PLACE))
    }

    #[test]
    fn what_is_learnt_of_an_index_is_learnt_of_the_place() {
        let by_24 = [
            (Binary::ShiftLeft, Operand::Constant(1)),
            (Binary::Add, INDEX),
            (Binary::ShiftLeft, Operand::Constant(3)),
        ];
        let by_56 = [
            (Binary::ShiftLeft, Operand::Constant(3)),
            (Binary::Subtract, INDEX),
            (Binary::Multiply, Operand::Constant(8)),
        ];
        for (size, steps) in [
            (24i128, &by_24[..]),
            (56, &by_56[..]),
            (128, &[(Binary::ShiftLeft, Operand::Constant(7))][..]),
        ] {
            let mut state = placed(65_535, steps);
            assert_eq!(place(&state), Range::new(0x1000, 0x1000 + 65_535 * size, size as u128));
            assert!(state.assume(Comparison::LessUnsigned, INDEX, Operand::Constant(4)));
            assert_eq!(place(&state), Range::new(0x1000, 0x1000 + 3 * size, size as u128));
        }
    }

    #[test]
    fn what_is_learnt_of_the_place_is_learnt_of_the_index() {
        let mut state = placed(65_535, &[(Binary::ShiftLeft, Operand::Constant(4))]);
        assert!(state.assume(
            Comparison::LessUnsigned,
            Operand::Register(PLACE),
            Operand::Constant(0x1035)
        ));
        assert_eq!(state.numbers(state.operand(INDEX)), Range::new(0, 3, 1));
        assert!(!state.clone().assume(Comparison::Equal, INDEX, Operand::Constant(4)));
    }

    #[test]
    fn a_product_of_what_is_known_is_known() {
        let mut state = placed(65_535, &[(Binary::ShiftLeft, Operand::Constant(4))]);
        assert!(state.assume(Comparison::Equal, INDEX, Operand::Constant(3)));
        compute(&mut state, Binary::ShiftLeft, INDEX, Operand::Constant(2));
        assert_eq!(place(&state), Range::constant(12));
    }

    /// The end of an array that a caller gives, with as many elements as are known.
    #[test]
    fn a_product_is_a_distance_from_an_unknown_address() {
        let mut state = placed(65_535, &[(Binary::ShiftLeft, Operand::Constant(2))]);
        assert!(state.assume(Comparison::LessUnsigned, INDEX, Operand::Constant(4)));
        compute(&mut state, Binary::ShiftLeft, INDEX, Operand::Constant(2));
        let (place, address) = (Operand::Register(PLACE), Operand::Register(Register::new(12)));
        for (left, right) in [(place, address), (address, place)] {
            let mut state = state.clone();
            compute(&mut state, Binary::Add, left, right);
            let end = state.get(PLACE);
            assert_eq!(
                (end.base, end.range),
                (state.get(Register::new(12)).base, Range::new(0, 12, 4))
            );
        }
    }

    /// A product that may wrap around says nothing of its factor.
    #[test]
    fn products_that_wrap_around_are_no_multiples() {
        let mut state = placed(i64::MAX, &[(Binary::ShiftLeft, Operand::Constant(4))]);
        assert!(state.assume(
            Comparison::LessUnsigned,
            Operand::Register(PLACE),
            Operand::Constant(0x1035)
        ));
        assert_eq!(state.numbers(state.operand(INDEX)), Range::new(0, i64::MAX.into(), 1));
    }

    /// A join of two paths keeps only what holds on both.
    #[test]
    fn a_join_keeps_what_both_know() {
        let program = empty();
        let setting = Setting::new(&program);
        let (mut one, other) = (
            placed(9, &[(Binary::ShiftLeft, Operand::Constant(4))]),
            placed(9, &[(Binary::ShiftLeft, Operand::Constant(5))]),
        );
        one.join(&other, setting);
        assert!(one.includes(&other, setting));
        assert!(one.assume(Comparison::LessUnsigned, INDEX, Operand::Constant(2)));
        assert!(place(&one).includes(Range::constant(0x1000 + 32)));
    }
}
