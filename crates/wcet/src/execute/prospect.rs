//! The prospect that a loop which goes on and on will end.
//!
//! A loop ends when a branch in it is decided that was not, or is decided
//! otherwise. How far a branch is from that can be read off its operands, and
//! from iteration to iteration it comes nearer or it does not. Where no branch
//! comes near within the effort, the loop is given up: that refuses a bound,
//! and never makes one too low. So this is free to guess where it cannot know.

use std::collections::BTreeMap;

use crate::state::State;
use crate::value::{Range, Value};

/// The iterations before which no loop is judged, in which all do what they do only at first.
const EARLY: u64 = 16;

/// After so many judgements that nothing comes near, one after the other, a loop is given up.
const PATIENCE: u32 = 2;

/// The comparisons of the branches in a loop since it was judged last.
pub(super) struct Prospect {
    /// The number of calls under way around the loop.
    depth: usize,
    branches: BTreeMap<u64, Branch>,
    hopeless: u32,
}

/// A branch, with how far it was from another outcome in each iteration.
#[derive(Default)]
struct Branch {
    distances: Vec<(u64, Distances)>,
    /// True if some operand was not a single number.
    is_vague: bool,
}

/// The distances of two operands from where one is never below the other, the other never below the
/// one, and both are known: at 0 of these the outcome may be another.
type Distances = [u64; 3];

impl Prospect {
    /// Nothing was seen yet of a loop so deep in calls.
    pub(super) fn new(depth: usize) -> Self {
        Self { depth, branches: BTreeMap::new(), hopeless: 0 }
    }

    /// A branch of a function so deep in calls compares two values in an iteration.
    pub(super) fn note(
        &mut self,
        (depth, iteration): (usize, u64),
        address: u64,
        (left, right): (Range, Range),
    ) {
        // A function that the loop calls may compare other things each time.
        if depth != self.depth || iteration < EARLY {
            return;
        }
        let (branch, now) = (self.branches.entry(address).or_default(), distances(left, right));
        branch.is_vague |= left.as_constant().is_none() || right.as_constant().is_none();
        match branch.distances.last_mut().filter(|(last, _)| *last == iteration) {
            // On another path.
            Some((_, most)) => {
                // The path that is furthest from another outcome counts, as all of them must get
                // there.
                most.iter_mut().zip(now).for_each(|(most, now)| *most = now.max(*most))
            }
            None => branch.distances.push((iteration, now)),
        }
    }

    /// Judges the loop, before an iteration that is a power of two: whether nothing in it is about
    /// to change within so many iterations, now and when it was judged before.
    pub(super) fn is_hopeless(&mut self, iteration: u64, iterations: u64) -> bool {
        if iteration <= EARLY {
            return false;
        }
        // What was seen before the last judgement may be far from how it moves now.
        let hope =
            std::mem::take(&mut self.branches).values().any(|branch| branch.comes_near(iterations));
        self.hopeless = if hope { 0 } else { self.hopeless + 1 };
        self.hopeless >= PATIENCE
    }
}

impl Branch {
    /// Returns whether the branch may have another outcome within so many iterations.
    fn comes_near(&self, iterations: u64) -> bool {
        let (Some(&(begin, far)), Some(&(end, near))) =
            (self.distances.first(), self.distances.last())
        else {
            return false;
        };
        // What is computed from numbers that are known, up and down, is not foreseen.
        let rises = |pair: &[(u64, Distances)]| {
            pair[0].1.iter().zip(pair[1].1).any(|(before, after)| after > *before)
        };
        let falls = |pair: &[(u64, Distances)]| {
            pair[0].1.iter().zip(pair[1].1).any(|(before, after)| after < *before)
        };
        if !self.is_vague
            && self.distances.windows(2).any(rises)
            && self.distances.windows(2).any(falls)
        {
            return true;
        }
        // What was gained in these iterations is taken to be gained again in as many others.
        let soon = |(far, near): (u64, u64)| {
            // In 128 bits, for products of 64-bit numbers.
            let gained = u128::from(far.saturating_sub(near));
            gained > 0
                && u128::from(near) * u128::from(end - begin) <= gained * u128::from(iterations)
        };
        far.into_iter().zip(near).any(soon)
    }
}

/// Returns how far the sides are from their common base; where they have none, the numbers that
/// they can be.
pub(super) fn comparable(state: &State, (left, right): (Value, Value)) -> (Range, Range) {
    match left.base == right.base {
        true => (left.range, right.range),
        false => (state.numbers(left), state.numbers(right)),
    }
}

fn distances(left: Range, right: Range) -> Distances {
    let beyond = |high: i64, low: i64| if high < low { 0 } else { high.abs_diff(low) };
    let size = |range: Range| range.high().abs_diff(range.low());
    [
        beyond(right.high(), left.low()),
        beyond(left.high(), right.low()),
        size(left).saturating_add(size(right)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns whether a loop is given up whose only branch compares these numbers in each
    /// iteration, when so many iterations are left.
    fn is_given_up(left: u64, sides: impl Fn(u64) -> (Range, Range)) -> bool {
        let mut prospect = Prospect::new(3);
        (1..=1024).any(|iteration: u64| {
            let hopeless = iteration.is_power_of_two() && prospect.is_hopeless(iteration, left);
            let (one, other) = sides(iteration);
            prospect.note((3, iteration), 0x100, (one, other));
            prospect.note(
                (4, iteration),
                0x200,
                (Range::constant((iteration % 7) as i64), Range::constant(0)),
            );
            hopeless
        })
    }

    fn between(low: i64, high: i64) -> Range {
        Range::between(low, high).expect("in order")
    }

    #[test]
    fn a_counter_comes_near_its_end_or_does_not() {
        let counts_to = |end: i64| {
            move |iteration: u64| (Range::constant(iteration as i64), Range::constant(end))
        };
        assert!(!is_given_up(10_000, counts_to(5_000)));
        assert!(is_given_up(10_000, counts_to(1_000_000_000)));
        assert!(!is_given_up(10_000, |iteration| (
            Range::constant(-3 * iteration as i64),
            Range::constant(-9_000)
        )));
        assert!(is_given_up(10_000, |_| (Range::constant(1), Range::constant(0))), "a constant");
    }

    #[test]
    fn a_number_that_is_not_known_shrinks_or_does_not() {
        assert!(!is_given_up(10_000, |iteration| (
            between(0, 5_000 - iteration as i64),
            Range::constant(0)
        )));
        assert!(is_given_up(10_000, |iteration| (
            between(0, i64::MAX - iteration as i64),
            Range::constant(0)
        )));
        assert!(is_given_up(10_000, |_| (Range::ALL, Range::constant(0))));
        assert!(is_given_up(10_000, |iteration| (between(iteration as i64, i64::MAX), Range::ALL)));
        // A pointer that goes up to an end that is known only roughly.
        assert!(!is_given_up(10_000, |iteration| (
            Range::constant(4 * iteration as i64),
            between(8_000, 20_000)
        )));
    }

    #[test]
    fn numbers_that_are_known_and_jump_about_give_hope() {
        let jumps = |iteration: u64| {
            (Range::constant((iteration * iteration % 97) as i64), Range::constant(200))
        };
        assert!(!is_given_up(10, jumps));
        assert!(is_given_up(10, |iteration| (
            between(0, (iteration * iteration % 97) as i64 + 1),
            between(-300, 300)
        )));
    }
}
