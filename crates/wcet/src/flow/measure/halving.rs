//! Searches that leave half of what is between two ends.
//!
//! With `low` and `high` no less than 0 and far from where numbers wrap around, `middle` is
//! `(low + high) / 2`. Where `low <= high` is asked, there are `n = high - low + 1` numbers, and
//! `middle + 1` as the new lower end or `middle - 1` as the new higher one leave at most `n / 2`.
//! Where `low < high` is asked, the same holds of `n = high - low`, also where `middle` is the new
//! higher end. An iteration that nobody asks before, the first one, ends with ends that the next
//! question finds crossed, or with half as many numbers.

use super::{Measure, is_start};
use crate::flow::turns::{Term, Turn};
use fusee_isa::language::{Binary, Comparison, Register, Width};

/// What a way makes of the ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    /// The lower end is behind the middle.
    Upper,
    /// The higher end is before the middle.
    Lower,
    /// The higher end is the middle.
    LowerWith,
}

/// How a way asks whether there is something between the ends.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Question {
    /// True if equal ends pass as well.
    passes_equal: bool,
    is_unsigned: bool,
}

/// Returns why a loop ends that halves what is between two ends, if it does.
pub(super) fn halves(turns: &[Turn], full: Width) -> Option<Measure> {
    let written: Vec<Register> = turns.iter().flat_map(Turn::written).collect();
    // No register says that it is the lower end, so both orders are tried.
    let pairs = written.iter().flat_map(|&low| written.iter().map(move |&high| (low, high)));
    pairs.filter(|(low, high)| low != high).find_map(|ends| halve(turns, ends, full))
}

fn halve(turns: &[Turn], (low, high): (Register, Register), full: Width) -> Option<Measure> {
    let (mut width, mut needs_less) = (full, false);
    for turn in turns {
        let (half, narrow) = half(turn, (low, high))?;
        // The sum of the ends must not wrap around in the narrowest width in
        // which a way calculates it.
        width = width.min(narrow);
        needs_less |= half == Half::LowerWith;
    }
    let at_start = asked(turns, |_, register| Term::Start(register), (low, high));
    let at_end = asked(turns, |turn, register| (*turn.end(register)).clone(), (low, high));
    // A higher end of -1 is, without a sign, far above all others.
    let tells = |question: &Question| match needs_less {
        true => !question.passes_equal,
        false => !question.is_unsigned,
    };
    let least = match (at_start.filter(tells), at_end.filter(tells)) {
        (Some(question), _) if !question.is_unsigned => None,
        (Some(_), _) | (None, Some(_)) => Some(0),
        (None, None) => return None,
    };
    Some(Measure::Halving { low, high, width, least })
}

/// Returns which half of the numbers a way leaves, and the width in which it calculates.
fn half(turn: &Turn, (low, high): (Register, Register)) -> Option<(Half, Width)> {
    let (up, down) = (turn.end(low), turn.end(high));
    match (is_start(&up, low), is_start(&down, high)) {
        (false, true) => {
            let Term::Of(Binary::Add, from, by, width) = &*up else { return None };
            let narrow = middle(from, (low, high))?;
            (**by == Term::Number(1)).then(|| (Half::Upper, narrow.min(*width)))
        }
        (true, false) => {
            if let Some(width) = middle(&down, (low, high)) {
                return Some((Half::LowerWith, width));
            }
            let Term::Of(Binary::Add, from, by, width) = &*down else { return None };
            let narrow = middle(from, (low, high))?;
            (**by == Term::Number(-1)).then(|| (Half::Lower, narrow.min(*width)))
        }
        _ => None,
    }
}

/// Returns the width in which a term is the middle between two ends, if it is.
fn middle(term: &Term, (low, high): (Register, Register)) -> Option<Width> {
    if let Some((sum, width)) = halved(term) {
        let Term::Of(Binary::Add, one, other, own) = sum else { return None };
        let is_sum = |one: &Term, other: &Term| is_start(one, low) && is_start(other, high);
        return (is_sum(one, other) || is_sum(other, one)).then(|| width.min(*own));
    }
    // The lower end, and half of the distance.
    let Term::Of(Binary::Add, one, other, own) = term else { return None };
    let distance = if is_start(one, low) { other } else { one };
    let (difference, width) = halved(distance)?;
    let Term::Of(Binary::Subtract, from, less, inner) = difference else { return None };
    // The opposite difference is below 0, and its half leads away from what is between the ends.
    let is_it =
        (is_start(one, low) || is_start(other, low)) && is_start(from, high) && is_start(less, low);
    is_it.then(|| width.min(*own).min(*inner))
}

/// Returns the number of which a term is half, where that is no less than 0.
fn halved(term: &Term) -> Option<(&Term, Width)> {
    let Term::Of(operation, number, by, width) = term else { return None };
    match (operation, &**by) {
        (Binary::ShiftRight, Term::Number(1))
        | (Binary::DivideSigned | Binary::DivideUnsigned, Term::Number(2)) => {
            Some((number, *width))
        }
        // A compiler adds the sign before it shifts.
        (Binary::ShiftRightSigned, Term::Number(1)) => match &**number {
            Term::Of(Binary::Add, one, other, own) => match (sign_of(one), sign_of(other)) {
                (_, Some(whole)) if *whole == **one => Some((one, *width.min(own))),
                (Some(whole), _) if *whole == **other => Some((other, *width.min(own))),
                _ => Some((number, *width)),
            },
            _ => Some((number, *width)),
        },
        _ => None,
    }
}

/// Returns the number of which a term is the sign, as 0 or 1.
fn sign_of(term: &Term) -> Option<&Term> {
    match term {
        Term::Of(Binary::ShiftRight, number, by, width) => {
            (**by == Term::Number(i64::from(width.bits()) - 1)).then_some(&**number)
        }
        _ => None,
    }
}

/// Returns how all ways ask whether there is something between the ends; `None`: not all do.
fn asked(
    turns: &[Turn],
    at: impl Fn(&Turn, Register) -> Term,
    (low, high): (Register, Register),
) -> Option<Question> {
    let mut all = Question { passes_equal: false, is_unsigned: false };
    for turn in turns {
        let (low, high) = (at(turn, low), at(turn, high));
        let question = turn.holds.iter().find_map(|(comparison, left, right)| {
            let (less, more, passes_equal, is_unsigned) = match comparison {
                Comparison::LessSigned => (left, right, false, false),
                Comparison::LessUnsigned => (left, right, false, true),
                Comparison::NotLessSigned => (right, left, true, false),
                Comparison::NotLessUnsigned => (right, left, true, true),
                Comparison::Equal | Comparison::NotEqual => return None,
            };
            let is_it = **less == low && **more == high;
            is_it.then_some(Question { passes_equal, is_unsigned })
        })?;
        // Of several questions the one that tells least holds on every way.
        all.passes_equal |= question.passes_equal;
        all.is_unsigned |= question.is_unsigned;
    }
    Some(all)
}
