//! Comparisons of numbers that are not known, and how they came out.
//!
//! Compilers ask twice: two selections depend on one comparison, or a branch
//! repeats the one before it. What is known of the numbers may not tell how it
//! comes out, but it comes out the same. The last few are remembered by value.

use super::remember;
use crate::value::{Base, Range, Value};
use fusee_isa::language::Comparison;

/// The most that are remembered; forgetting is sound.
const KEPT: usize = 6;

type Entry = (Comparison, Value, Value);

/// Comparisons that hold.
#[derive(Debug, Clone, Default)]
pub(super) struct Remembered {
    entries: Vec<Entry>,
}

impl Remembered {
    /// Remembers that a comparison holds, if the values are such that they stay what they are.
    ///
    /// That a number is not 0 is remembered; that it is none of the other constants that it is
    /// compared with is remembered `with_constants` only.
    pub(super) fn add(
        &mut self,
        comparison: Comparison,
        left: Value,
        right: Value,
        with_constants: bool,
    ) {
        let entry = (comparison, left, right);
        // That a pointer is not null is what programs ask most. Other constants would drive
        // that out of the few entries.
        let constant = right.as_constant().is_some_and(|number| number != 0);
        if !is_kept(comparison, left, right)
            || constant && !with_constants
            || self.entries.contains(&entry)
        {
            return;
        }
        remember(&mut self.entries, entry, KEPT);
    }

    /// Returns whether a comparison holds or fails because of a remembered one.
    pub(super) fn decide(&self, comparison: Comparison, left: Value, right: Value) -> Option<bool> {
        self.entries.iter().find_map(|&(known, l, r)| {
            if (l, r) == (left, right) {
                follows(known, comparison)
            } else if (l, r) == (right, left) {
                follows_turned(known, comparison)
            } else {
                None
            }
        })
    }

    /// The range of a symbol without numbers at its ends that it is known not to be.
    pub(super) fn trimmed(&self, symbol: u32, range: Range) -> Range {
        let mut range = range;
        // Each turn but the last cuts off a number that is excluded, so there are no
        // more turns than entries.
        for _ in 0..=self.entries.len() {
            let not_at = |end: i64| {
                self.entries.iter().any(|&(known, l, r)| {
                    let number = l.range.as_constant().zip(r.as_constant());
                    let is_end = number.is_some_and(|(distance, number)| {
                        end.wrapping_add(distance) as u64 == number
                    });
                    known == Comparison::NotEqual && l.base == Base::Symbol(symbol) && is_end
                })
            };
            let low = range.low().saturating_add(not_at(range.low()).into());
            let high = range.high().saturating_sub(not_at(range.high()).into());
            match range.clamp(low, high) {
                Some(less) if less != range => range = less,
                _ => break,
            }
        }
        range
    }

    /// Forgets what is not known on the other side as well.
    pub(super) fn meet(&mut self, other: &Remembered) {
        self.entries.retain(|entry| other.entries.contains(entry));
    }

    /// Forgets the comparisons of a number.
    pub(super) fn forget(&mut self, name: u32) {
        let of = |value: Value| value.base == Base::Symbol(name);
        self.entries.retain(|&(_, left, right)| !of(left) && !of(right));
    }

    /// Returns all that is remembered.
    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }
}

/// Returns whether a comparison is of numbers that stay what they are; with a constant only where
/// ranges cannot tell it.
fn is_kept(comparison: Comparison, left: Value, right: Value) -> bool {
    // A range of distances is one of several numbers, and the next time it may be another one.
    let stays = |value: Value| value.base != Base::None && value.range.as_constant().is_some();
    let symbol = |value: Value| matches!(value.base, Base::Symbol(_)) && stays(value);
    let excluded =
        comparison == Comparison::NotEqual && symbol(left) && right.as_constant().is_some();
    stays(left) && stays(right) || excluded
}

/// Returns what one comparison says of another one of the same operands.
fn follows(known: Comparison, asked: Comparison) -> Option<bool> {
    use Comparison::{Equal, LessSigned, LessUnsigned, NotEqual, NotLessSigned, NotLessUnsigned};
    match (known, asked) {
        _ if known == asked => Some(true),
        _ if known == asked.negated() => Some(false),
        // What is equal is not less, and what is less is not equal, with a sign and without.
        (Equal, NotLessSigned | NotLessUnsigned) | (LessSigned | LessUnsigned, NotEqual) => {
            Some(true)
        }
        (Equal, LessSigned | LessUnsigned) | (LessSigned | LessUnsigned, Equal) => Some(false),
        _ => None,
    }
}

/// Returns what one comparison says of another one of the same operands in opposite order.
fn follows_turned(known: Comparison, asked: Comparison) -> Option<bool> {
    use Comparison::{Equal, LessSigned, LessUnsigned, NotEqual, NotLessSigned, NotLessUnsigned};
    match (known, asked) {
        // Whether two numbers are equal does not depend on their order.
        (Equal | NotEqual, _) => follows(known, asked),
        (LessSigned, NotLessSigned) | (LessUnsigned, NotLessUnsigned) => Some(true),
        (LessSigned, LessSigned) | (LessUnsigned, LessUnsigned) => Some(false),
        (LessSigned | LessUnsigned, Equal | NotEqual) => Some(asked == NotEqual),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_excluded_is_cut_off_at_the_ends() {
        let mut remembered = Remembered::default();
        let symbol = |distance| Value { base: Base::Symbol(7), range: Range::constant(distance) };
        for (distance, number) in [(0, 0u64), (1, 2), (0, 5), (0, 8)] {
            remembered.add(Comparison::NotEqual, symbol(distance), Value::constant(number), true);
        }
        assert_eq!(remembered.trimmed(7, Range::new(0, 8, 1)), Range::new(2, 7, 1));
        assert_eq!(remembered.trimmed(6, Range::new(0, 8, 1)), Range::new(0, 8, 1));
        assert_eq!(remembered.trimmed(7, Range::new(-3, 9, 1)), Range::new(-3, 9, 1));
    }

    /// Whatever numbers satisfy a comparison satisfy what is said to follow from it.
    #[test]
    fn what_follows_is_true() {
        let numbers = [-128i64, -3, -1, 0, 1, 7, 127];
        let pairs = || numbers.into_iter().flat_map(|l| numbers.into_iter().map(move |r| (l, r)));
        for (known, asked) in Comparison::ALL
            .into_iter()
            .flat_map(|known| Comparison::ALL.map(|asked| (known, asked)))
        {
            for (l, r) in pairs().filter(|&(l, r)| known.holds(l, r)) {
                assert!(follows(known, asked).is_none_or(|said| said == asked.holds(l, r)));
                assert!(follows_turned(known, asked).is_none_or(|said| said == asked.holds(r, l)));
            }
        }
    }
}
