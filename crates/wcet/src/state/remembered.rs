//! Comparisons of numbers that are not known, and how they came out.
//!
//! Compilers ask twice: two selections depend on one comparison, or a branch
//! repeats the one before it. What is known of the numbers may not tell how it
//! comes out, but it comes out the same. The last few are remembered by value.

use crate::language::Comparison;
use crate::value::{Base, Value};

/// How many are remembered; forgetting is sound.
const KEPT: usize = 6;

type Entry = (Comparison, Value, Value);

/// Comparisons that hold.
#[derive(Debug, Clone, Default)]
pub(super) struct Remembered {
    entries: Vec<Entry>,
}

impl Remembered {
    /// Remembers that a comparison holds, if the values are such that they stay what they are.
    pub(super) fn add(&mut self, comparison: Comparison, left: Value, right: Value) {
        let stays = |value: Value| value.base != Base::None && value.range.as_constant().is_some();
        let entry = (comparison, left, right);
        if !stays(left) || !stays(right) || self.entries.contains(&entry) {
            return;
        }
        if self.entries.len() == KEPT {
            self.entries.remove(0);
        }
        self.entries.push(entry);
    }

    /// Whether a comparison holds or fails because of a remembered one.
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

    /// Forgets what is not known on the other side as well.
    pub(super) fn meet(&mut self, other: &Remembered) {
        self.entries.retain(|entry| other.entries.contains(entry));
    }

    /// All that is remembered.
    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }
}

/// What one comparison says of another one of the same operands.
fn follows(known: Comparison, asked: Comparison) -> Option<bool> {
    use Comparison::{Equal, LessSigned, LessUnsigned, NotEqual, NotLessSigned, NotLessUnsigned};
    match (known, asked) {
        _ if known == asked => Some(true),
        _ if known == asked.negated() => Some(false),
        (Equal, NotLessSigned | NotLessUnsigned) | (LessSigned | LessUnsigned, NotEqual) => Some(true),
        (Equal, LessSigned | LessUnsigned) | (LessSigned | LessUnsigned, Equal) => Some(false),
        _ => None,
    }
}

/// What one comparison says of another one of the same operands in opposite order.
fn follows_turned(known: Comparison, asked: Comparison) -> Option<bool> {
    use Comparison::{Equal, LessSigned, LessUnsigned, NotEqual, NotLessSigned, NotLessUnsigned};
    match (known, asked) {
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

    /// Whatever numbers satisfy a comparison satisfy what is said to follow from it.
    #[test]
    fn what_follows_is_true() {
        let numbers = [-128i64, -3, -1, 0, 1, 7, 127];
        let pairs = || numbers.into_iter().flat_map(|l| numbers.into_iter().map(move |r| (l, r)));
        for (known, asked) in Comparison::ALL.into_iter().flat_map(|known| Comparison::ALL.map(|asked| (known, asked)))
        {
            for (l, r) in pairs().filter(|&(l, r)| known.holds(l, r)) {
                assert!(follows(known, asked).is_none_or(|said| said == asked.holds(l, r)));
                assert!(follows_turned(known, asked).is_none_or(|said| said == asked.holds(r, l)));
            }
        }
    }
}
