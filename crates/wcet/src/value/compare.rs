//! Comparisons of ranges: what is certain, and what a branch taken teaches.

use super::Range;
use fusee_isa::language::Comparison;

/// Returns whether the comparison of two numbers certainly holds or certainly fails.
pub fn decide(comparison: Comparison, left: Range, right: Range) -> Option<bool> {
    match comparison {
        Comparison::NotEqual | Comparison::NotLessSigned | Comparison::NotLessUnsigned => {
            decide(comparison.negated(), left, right).map(|held| !held)
        }
        Comparison::Equal => equal(left, right),
        Comparison::LessSigned => less(left, right),
        Comparison::LessUnsigned => less_unsigned(left, right),
    }
}

fn equal(left: Range, right: Range) -> Option<bool> {
    match (left.as_constant(), right.as_constant()) {
        (Some(l), Some(r)) => Some(l == r),
        // Between the ends of a range there are gaps, too.
        (Some(l), None) if !right.contains(l) => Some(false),
        (None, Some(r)) if !left.contains(r) => Some(false),
        _ if left.high() < right.low() || right.high() < left.low() => Some(false),
        _ => None,
    }
}

fn less(left: Range, right: Range) -> Option<bool> {
    if left.high() < right.low() {
        Some(true)
    } else if left.low() >= right.high() {
        Some(false)
    } else {
        None
    }
}

fn less_unsigned(left: Range, right: Range) -> Option<bool> {
    // Of one sign, both orders are the same. Of two, the one below 0 is the
    // larger one without a sign.
    match (one_sign(left), one_sign(right)) {
        (Some(l), Some(r)) if l == r => less(left, right),
        (Some(negative), Some(_)) => Some(!negative),
        _ => None,
    }
}

/// Returns whether all numbers are negative, or none is.
fn one_sign(range: Range) -> Option<bool> {
    if range.low() >= 0 {
        Some(false)
    } else if range.high() < 0 {
        Some(true)
    } else {
        None
    }
}

/// Returns the parts of both sides for which the comparison can hold; nothing when it cannot.
pub fn refine(comparison: Comparison, left: Range, right: Range) -> Option<(Range, Range)> {
    if decide(comparison, left, right) == Some(false) {
        return None;
    }
    match comparison {
        Comparison::Equal => {
            // Both ways round, since a meeting keeps the stride of one side.
            let both = left.meet(right)?;
            Some((both, right.meet(both)?))
        }
        // Only a single number can be excluded from the other side.
        Comparison::NotEqual => Some((without(left, right)?, without(right, left)?)),
        Comparison::LessSigned => below(left, right),
        Comparison::NotLessSigned => not_below(left, right),
        Comparison::LessUnsigned => below_unsigned(left, right),
        Comparison::NotLessUnsigned => not_below_unsigned(left, right),
    }
}

fn without(range: Range, other: Range) -> Option<Range> {
    match other.as_constant() {
        Some(number) => range.without(number),
        None => Some(range),
    }
}

fn below(left: Range, right: Range) -> Option<(Range, Range)> {
    // Nothing is below the least number: then the comparison never holds.
    let l = left.clamp(i64::MIN, right.high().checked_sub(1)?)?;
    let r = right.clamp(left.low().checked_add(1)?, i64::MAX)?;
    Some((l, r))
}

fn not_below(left: Range, right: Range) -> Option<(Range, Range)> {
    Some((left.clamp(right.low(), i64::MAX)?, right.clamp(i64::MIN, left.high())?))
}

fn below_unsigned(left: Range, right: Range) -> Option<(Range, Range)> {
    match (one_sign(left), one_sign(right)) {
        (Some(l), Some(r)) if l == r => below(left, right),
        // What is below a number without the top bit has no top bit either.
        (_, Some(false)) => below(left.clamp(0, i64::MAX)?, right),
        // What is above a number with the top bit has it, too.
        (Some(true), _) => below(left, right.clamp(i64::MIN, -1)?),
        _ => Some((left, right)),
    }
}

fn not_below_unsigned(left: Range, right: Range) -> Option<(Range, Range)> {
    match (one_sign(left), one_sign(right)) {
        (Some(l), Some(r)) if l == r => not_below(left, right),
        (Some(false), _) => not_below(left, right.clamp(0, i64::MAX)?),
        // What is not below a number with the top bit has it as well.
        (_, Some(true)) => not_below(left.clamp(i64::MIN, -1)?, right),
        _ => Some((left, right)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Brute force over all pairs of small ranges, also negative ones.
    #[test]
    fn keeps_every_pair_that_satisfies_the_comparison() {
        let mut ranges = Vec::new();
        for low in -4i64..=4 {
            for high in low..=4 {
                for stride in 1..=3 {
                    ranges.push(Range::new(low.into(), high.into(), stride));
                }
            }
        }
        for comparison in Comparison::ALL {
            for &l in &ranges {
                for &r in &ranges {
                    check(comparison, l, r);
                }
            }
        }
    }

    fn check(comparison: Comparison, l: Range, r: Range) {
        let decided = decide(comparison, l, r);
        let refined = refine(comparison, l, r);
        for a in l.numbers() {
            for b in r.numbers() {
                let held = comparison.holds(a, b);
                assert!(decided.is_none_or(|d| d == held), "{comparison:?} {l:?} {r:?} {a} {b}");
                if held {
                    let (x, y) = refined.expect("a pair satisfies it");
                    assert!(x.contains(a) && y.contains(b), "{comparison:?} {l:?} {r:?} {a} {b}");
                }
            }
        }
    }
}
