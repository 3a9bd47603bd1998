//! The dual multipliers that make a bound with totals least.
//!
//! The multiplier of a total is the price of an iteration. At a given price the
//! bound is the worth of the best path, which is a straight line in the price:
//! its time plus the iterations that it left over (or overdrew) times the
//! price. The bound over all paths is the upper hull of such lines. A line that
//! falls and one that rises are known; where they cross, the best path is
//! looked for, which gives one line more, until no path lies above the
//! crossing. Prices are whole numbers, and every one gives a bound that holds:
//! if the search ends early, or several totals pull at each other, the bound is
//! larger than it could be, never too small.

use super::Bound;
use super::granted::{Facts, Used};

/// The most executions for each total.
const TRIALS: usize = 12;
/// A price that no time can make up for.
const HIGHEST: i64 = 1 << 40;

/// Finds prices for the totals that the worst path does not keep to; `first` was found at prices
/// of 0.
pub(super) fn least(facts: &Facts, first: Bound, attempt: &impl Fn(&[i64]) -> Bound) -> Bound {
    let mut multipliers = vec![0; facts.totals.len()];
    let mut best = first;
    for total in 0..multipliers.len() {
        // Where the worst path leaves iterations over, a price could only make this bound longer.
        if best.time.is_none() || best.left[total] >= 0 {
            continue;
        }
        let at = |multiplier: i64| {
            let mut tried = multipliers.clone();
            tried[total] = multiplier;
            attempt(&tried)
        };
        let falling = std::mem::take(&mut best);
        let (multiplier, found) = cheapest(total, falling, &at);
        multipliers[total] = multiplier;
        best = found;
    }
    if best.time.is_some() {
        // At a price of 0 a total adds nothing, so no bound rests on the price.
        let above_zero = multipliers.iter().enumerate().filter(|(_, multiplier)| **multiplier > 0);
        best.grounds.facts_used.extend(above_zero.map(|(total, _)| Used::Total(total)));
    }
    best
}

/// A bound, and its worst path as a line in the price of one total.
struct Line {
    multiplier: i64,
    slope: i128,
    bound: Bound,
}

impl Line {
    fn new(multiplier: i64, total: usize, bound: Bound) -> Self {
        Self { multiplier, slope: bound.left.get(total).copied().unwrap_or(0).into(), bound }
    }

    fn time(&self) -> i128 {
        self.bound.time.unwrap_or(u64::MAX).into()
    }

    /// Returns its height at a price of 0.
    fn base(&self) -> i128 {
        self.time() - self.slope * i128::from(self.multiplier)
    }
}

fn cheapest(total: usize, falling: Bound, at: &impl Fn(i64) -> Bound) -> (i64, Bound) {
    let mut falling = Line::new(0, total, falling);
    let mut rising = Line::new(HIGHEST, total, at(HIGHEST));
    if rising.bound.time.is_none() {
        return (HIGHEST, rising.bound);
    }
    // An iteration costs more than any time here. If the best path still takes too many, all do.
    if rising.slope < 0 {
        let why = "every path takes more iterations than that".to_owned();
        rising.bound.grounds.contradictions.insert(Used::Total(total), why);
        rising.bound.time = None;
        return (HIGHEST, rising.bound);
    }
    for _ in 0..TRIALS {
        // One line falls and the other one does not, so this is above 0.
        let rise = rising.slope - falling.slope;
        let crossing = (falling.base() - rising.base()).div_euclid(rise.max(1));
        let multiplier =
            i64::try_from(crossing).unwrap_or(HIGHEST).clamp(falling.multiplier, rising.multiplier);
        // Where the crossing is no whole number, the price above it may be the better one.
        let next = [multiplier, multiplier + 1]
            .into_iter()
            // The bounds at both ends are known, and would give no new line.
            .find(|&p| p > falling.multiplier && p < rising.multiplier);
        let Some(next) = next else { break };
        let line = Line::new(next, total, at(next));
        if line.bound.time.is_none() {
            return (next, line.bound);
        }
        if line.slope < 0 { falling = line } else { rising = line }
    }
    let least = if falling.time() < rising.time() { falling } else { rising };
    (least.multiplier, least.bound)
}
