//! Ends of loops that their code tells, for the numbers at their entry.

use std::rc::Rc;

use super::Engine;
use super::mode::Mode;
use crate::execute::path::Frame;
use crate::flow::{Function, Loop, Measure, why_it_ends};
use crate::machine::Machine;
use crate::state::State;
use crate::value::{Range, Value};
use fusee_isa::language::{Comparison, Register, Width};

/// A loop is not executed iteration by iteration where more than this may be.
const MOST: u64 = 4096;

/// Why loops end, as far as it was asked. Each function is kept, so that another one at its place
/// in memory is not taken for it.
pub(super) type Measures =
    std::collections::BTreeMap<(usize, usize), (Rc<Function>, Option<Measure>)>;

impl<M: Machine, K: Mode> Engine<'_, M, K> {
    /// Returns how often a loop iterates at most for the paths that wait at it, if its code tells.
    pub(super) fn measured(&mut self, frame: &Frame<M::Timing>, looping: &Loop) -> Option<u64> {
        let [header] = looping.headers[..] else { return None };
        if !K::GUESSES || self.counts() {
            return None;
        }
        let function = &frame.function;
        let architecture = self.subject.setting.architecture();
        let key = (Rc::as_ptr(function) as usize, header);
        let of = || (function.clone(), why_it_ends(function, looping, architecture));
        let measure = self.measures.entry(key).or_insert_with(of).1?;
        // Each path needs such a bound: one without it may go on for ever.
        let each = frame.waiting[header].iter().map(|path| iterations(measure, &path.state));
        let all: Option<Vec<u64>> = each.collect();
        all?.into_iter().max().filter(|&most| most <= MOST)
    }
}

/// Returns how often a loop iterates at most from a state on.
fn iterations(measure: Measure, state: &State) -> Option<u64> {
    let numbers = |register: Register| state.numbers(state.get(register));
    // The reason holds for a number of this width. A register may hold more than that where no
    // caller is known to have extended it.
    let within = |register: Register, width: Width| {
        let (own, all) = (numbers(register), Range::of_width(width, true));
        own.low() >= all.low() && own.high() <= all.high()
    };
    match measure {
        Measure::Always(most) => Some(most),
        Measure::Within(register, width, most) => within(register, width).then_some(most),
        Measure::Positive { register, width, is_unasked } => {
            // What an earlier branch taught is part of this decision; the range alone may still
            // hold 0.
            let value = state.get(register);
            let zero = Value::constant(0);
            let is_one = state.decide(Comparison::NotEqual, value, zero) == Some(true)
                && (!is_unasked || numbers(register).low() >= 0)
                && within(register, width);
            is_one.then_some(u64::from(width.bits()) + 1)
        }
        Measure::Meeting { low, high, width, least } => {
            let all = Range::of_width(width, true);
            // With half of the width left on both sides no sum or difference can wrap around.
            let is_far =
                |range: Range| range.low() > all.low() / 2 && range.high() < all.high() / 2;
            let (low, high) = (numbers(low), numbers(high));
            // The difference of two 64-bit numbers may need 65 bits.
            let distance = i128::from(high.high()) - i128::from(low.low());
            // As unsigned numbers they would be in another order below 0.
            let is_known = is_far(low) && is_far(high) && low.low() >= 0 && high.low() >= least;
            is_known.then(|| u64::try_from(distance.max(0)).unwrap_or(u64::MAX).saturating_add(3))
        }
        Measure::Halving { low, high, width, least } => {
            let far = Range::of_width(width, true).high() / 2;
            let (low, high) = (numbers(low), numbers(high));
            let is_known = low.low() >= 0
                && low.high() < far
                && high.high() < far
                && least.is_none_or(|least| high.low() >= least);
            let between = high.high().saturating_sub(low.low()).max(0).unsigned_abs() + 1;
            is_known.then(|| u64::from(between.ilog2()) + 3)
        }
        Measure::Ring(end, mask, most) => {
            let own = numbers(end);
            // A number outside of the ring would never be met.
            (own.low() >= 0 && own.high() <= mask).then_some(most)
        }
    }
}
