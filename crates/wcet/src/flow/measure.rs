//! Loops that end because every iteration takes something away.
//!
//! Ranges of numbers do not tell that a word has one bit less that is set, or that
//! Euclid's remainders get smaller: what is known of the numbers comes round to
//! what it was. So the code is asked. Each kind has a reason of its own why no more
//! iterations are possible:
//!
//! * `x &= x - 1` clears the lowest bit that is set. An iteration that begins, or
//!   ends, with an `x` that is not 0 takes one bit away: there are no more of these
//!   than bits.
//! * `x <<= 1` while the highest bit is clear doubles a positive number without
//!   losing a bit: no more often than there are bits.
//! * `(a, b) = (b, a % b)` while `b` is not 0: by Lamé, with numbers of so many bits
//!   there are no more steps than for two Fibonacci numbers of that size, and one
//!   more where `a` is less than `b` at first.
//! * `a` goes up by 1, or `b` comes down by 1, while `a < b` (or `a <= b`): their
//!   difference gets less by at least 1 each time, from what it is at first. They
//!   are far from where numbers wrap around.
//! * `low = middle + 1` or `high = middle - 1` while `low <= high`, or `high = middle`
//!   while `low < high`: each time half of the numbers between them are left.
//! * `i = (i + 1) & m` while `i` is not `e`, for an `e` from 0 to `m` that stays what
//!   it is: all of these numbers come in turn.
//!
//! Each must hold on every way through an iteration, for the same registers, and all
//! ways must ask at the same end of it: else an iteration that asks at its end could
//! follow one that asks at its beginning, and nobody asks in between.

mod halving;

use std::rc::Rc;

use super::turns::{self, Term, Turn};
use super::{Function, Loop};
use fusee_isa::Architecture;
use fusee_isa::language::{Binary, Comparison, Register, Width};

/// Why a loop ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Measure {
    /// It iterates no more often than this.
    Always(u64),
    /// The same, where a register holds a number of this width, extended by its sign.
    Within(Register, Width, u64),
    /// The same, where a register is not 0, and not less than 0 if that is asked for.
    Positive {
        /// The register in question.
        register: Register,
        /// Its width, to which it is extended by its sign.
        width: Width,
        /// True if its sign is not looked at before the first iteration.
        is_unasked: bool,
    },
    /// It iterates no more often than one register is greater than the other, and a few times.
    Meeting {
        /// The register that goes up.
        low: Register,
        /// The register that comes down.
        high: Register,
        /// The width of the numbers.
        width: Width,
        /// The least that the greater one may be at first.
        least: i64,
    },
    /// Each iteration leaves half of the numbers from one register's to another one's.
    Halving {
        /// The register with the lower end.
        low: Register,
        /// The register with the higher end.
        high: Register,
        /// The width of the numbers.
        width: Width,
        /// The least that the higher end may be at first, if that matters.
        least: Option<i64>,
    },
    /// It iterates no more often than this where a register holds a number from 0 to another.
    Ring(Register, i64, u64),
}

/// Looks for one kind of reason, of a register.
type Kind = fn(&[Turn], Register, Width) -> Option<Measure>;

/// Returns why a loop ends, if its code tells.
pub(crate) fn of(
    function: &Function,
    looping: &Loop,
    architecture: Architecture,
) -> Option<Measure> {
    let turns = turns::of(function, looping, architecture)?;
    let full = architecture.register_width();
    // A register that a way leaves alone proves nothing, so the first way has all that can.
    let candidates: Vec<Register> = turns.first()?.written().collect();
    let kinds: [Kind; 3] = [clears_bits, shifts_up, circles];
    let one = candidates
        .iter()
        .find_map(|&register| kinds.iter().find_map(|kind| kind(&turns, register, full)));
    one.or_else(|| candidates.iter().find_map(|&register| divides(&turns, register)))
        .or_else(|| meets(&turns, full))
        .or_else(|| halving::halves(&turns, full))
}

fn is_start(term: &Term, register: Register) -> bool {
    *term == Term::Start(register)
}

/// Returns the number that is added to a register's, and the width of the sum.
fn added(term: &Term, register: Register) -> Option<(i64, Option<Width>)> {
    match term {
        Term::Start(own) if *own == register => Some((0, None)),
        Term::Of(Binary::Add, from, by, width) if is_start(from, register) => match **by {
            Term::Number(by) => Some((by, Some(*width))),
            _ => None,
        },
        _ => None,
    }
}

/// Returns whether a number is not 0 on a way.
fn is_not_zero(turn: &Turn, term: &Term) -> bool {
    turn.holds.iter().any(|(comparison, left, right)| {
        let sides = [(left, right), (right, left)];
        *comparison == Comparison::NotEqual
            && sides.iter().any(|(one, other)| ***one == *term && ***other == Term::Number(0))
    })
}

/// Returns whether something holds at the beginnings of all ways, or at the ends of all.
fn at_one_end(turns: &[Turn], register: Register, holds: impl Fn(&Turn, &Term) -> bool) -> bool {
    turns.iter().all(|turn| holds(turn, &Term::Start(register)))
        || turns.iter().all(|turn| holds(turn, &turn.end(register)))
}

/// `x &= x - 1` while it is not 0.
fn clears_bits(turns: &[Turn], register: Register, full: Width) -> Option<Measure> {
    let mut widths = Vec::new();
    for turn in turns {
        let end = turn.end(register);
        let Term::Of(Binary::And, one, other, outer) = &*end else { return None };
        let less = if is_start(one, register) { other } else { one };
        let whole = if is_start(one, register) { one } else { other };
        let (-1, Some(inner)) = added(less, register)? else { return None };
        if !is_start(whole, register) {
            return None;
        }
        widths.push((*outer, inner));
    }
    // Ways with different widths would clear bits of different numbers.
    let (outer, inner) = *widths.first()?;
    let is_one = widths.iter().all(|one| *one == (outer, inner));
    if !is_one || !at_one_end(turns, register, is_not_zero) {
        return None;
    }
    // An extended sign is set in all bits above it, and each of them may have to be cleared.
    let most = u64::from(outer.max(inner).bits()) + 1;
    match outer == inner && inner == full {
        true => Some(Measure::Always(most)),
        // The number and its sign must not come apart.
        false => Some(Measure::Within(register, outer.min(inner), most)),
    }
}

/// `x <<= 1` while its highest bit is clear.
fn shifts_up(turns: &[Turn], register: Register, _: Width) -> Option<Measure> {
    let mut all = None;
    for turn in turns {
        let end = turn.end(register);
        let Term::Of(Binary::ShiftLeft, from, by, width) = &*end else { return None };
        if !is_start(from, register) || **by != Term::Number(1) {
            return None;
        }
        // Two widths have two highest bits, and the ways ask about one of them only.
        if all.replace(*width).is_some_and(|before| before != *width) {
            return None;
        }
    }
    let is_positive = |turn: &Turn, term: &Term| {
        turn.holds.iter().any(|(comparison, left, right)| {
            *comparison == Comparison::NotLessSigned
                && **left == *term
                && **right == Term::Number(0)
        })
    };
    let is_asked = turns.iter().all(|turn| is_positive(turn, &Term::Start(register)));
    let ends = at_one_end(turns, register, is_positive);
    ends.then_some(Measure::Positive { register, width: all?, is_unasked: !is_asked })
}

/// `i = (i + 1) & m` while it is not some number from 0 to `m`.
fn circles(turns: &[Turn], register: Register, _: Width) -> Option<Measure> {
    let mut all = None;
    for turn in turns {
        let end = turn.end(register);
        let Term::Of(Binary::And, sum, mask, _) = &*end else { return None };
        let Term::Number(mask) = **mask else { return None };
        let (1, Some(_)) = added(sum, register)? else { return None };
        // A mask with a gap would leave out numbers below it, among them perhaps the last one. Of a
        // larger ring the bound would be of no use: nobody executes so many iterations.
        if !(1..1 << 20).contains(&mask) || mask & (mask + 1) != 0 {
            return None;
        }
        let start = Term::Start(register);
        let ends = turn.holds.iter().find_map(|(comparison, left, right)| {
            let sides = [(left, right), (right, left)];
            let is_it = |one: &Term| *one == start || *one == *end;
            let found = sides.iter().find(|(one, _)| is_it(one));
            let found = found.map(|(one, other)| ((*other).clone(), ***one == start));
            found.filter(|_| *comparison == Comparison::NotEqual)
        })?;
        // The number, and the end of the iteration at which it is asked for.
        let this = (mask, ends);
        if all.get_or_insert_with(|| this.clone()) != &this {
            return None;
        }
    }
    let (mask, (end, _)) = all?;
    // The first number may lie outside of the ring, so one iteration comes before all of its
    // numbers. The rest is to spare.
    let most = mask as u64 + 3;
    let stays = |other: Register| turns.iter().all(|turn| is_start(&turn.end(other), other));
    match &*end {
        // A number outside of the ring never comes, and the loop would not end by it.
        Term::Number(number) if (0..=mask).contains(number) => Some(Measure::Always(most)),
        Term::Start(other) if stays(*other) => Some(Measure::Ring(*other, mask, most)),
        Term::Of(Binary::And, other, own, _) => match (&**other, &**own) {
            (Term::Start(other), Term::Number(own)) if *own == mask && stays(*other) => {
                Some(Measure::Always(most))
            }
            _ => None,
        },
        _ => None,
    }
}

/// `(a, b) = (b, a % b)` while `b` is not 0; the register is `b`.
fn divides(turns: &[Turn], register: Register) -> Option<Measure> {
    let mut most = 0;
    for turn in turns {
        let end = turn.end(register);
        let (from, width) = remainder_by(&end, register)?;
        // Without the exchange the same divisor comes again, and nothing gets less.
        if !is_start(&turn.end(from), register) {
            return None;
        }
        most = most.max(steps_of_fibonacci(width.bits()) + 3);
    }
    at_one_end(turns, register, is_not_zero).then_some(Measure::Always(most))
}

/// Returns the register whose number is divided by that of another one, where a term is what is
/// left of it.
fn remainder_by(term: &Term, divisor: Register) -> Option<(Register, Width)> {
    let start = |term: &Rc<Term>| match **term {
        Term::Start(register) => Some(register),
        _ => None,
    };
    match term {
        Term::Of(Binary::RemainderSigned | Binary::RemainderUnsigned, left, right, width) => {
            is_start(right, divisor).then_some((start(left)?, *width))
        }
        // What is less than the number by a multiple of the divisor.
        Term::Of(Binary::Subtract, left, product, width) => {
            let Term::Of(Binary::Multiply, one, other, same) = &**product else { return None };
            let quotient = match (is_start(one, divisor), is_start(other, divisor)) {
                (_, true) => one,
                (true, _) => other,
                _ => return None,
            };
            let Term::Of(kind, dividend, by, own) = &**quotient else { return None };
            // In another width the product is cut off elsewhere, and the
            // difference is no remainder.
            let fits = matches!(kind, Binary::DivideSigned | Binary::DivideUnsigned)
                && dividend == left
                && is_start(by, divisor)
                && [same, own].iter().all(|one| *one == width);
            fits.then_some((start(left)?, *width))
        }
        _ => None,
    }
}

/// Returns the most steps of Euclid's algorithm for numbers of so many bits: a first number that is
/// the greater one and takes `n` steps is at least the Fibonacci number `n + 2`.
fn steps_of_fibonacci(bits: u32) -> u64 {
    let (mut before, mut at, mut index) = (1u128, 1u128, 2u64);
    while at < 1 << bits {
        (before, at, index) = (at, before + at, index + 1);
    }
    index - 2
}

/// Returns what is less and what is greater where a comparison holds, and whether as unsigned
/// numbers. A number that is no less than 0 may be one less than it, and then is none of these.
fn in_order(
    (comparison, left, right): &(Comparison, Rc<Term>, Rc<Term>),
) -> Option<(&Term, &Term, bool)> {
    match comparison {
        Comparison::LessSigned => Some((&**left, &**right, false)),
        Comparison::LessUnsigned => Some((&**left, &**right, true)),
        Comparison::NotLessSigned => Some((&**right, &**left, false)),
        Comparison::NotLessUnsigned | Comparison::Equal | Comparison::NotEqual => None,
    }
}

/// Two numbers at one end of an iteration, the less one first.
type Pair = (Rc<Term>, Rc<Term>);

/// Two counters meet.
fn meets(turns: &[Turn], full: Width) -> Option<Measure> {
    let first = turns.first()?;
    let registers = |term: &Term| {
        let mut all: Vec<Register> =
            first.written().filter(|&one| *first.end(one) == *term).collect();
        if let Term::Start(own) = term {
            all.push(*own);
        }
        all
    };
    for (low, high, _) in first.holds.iter().filter_map(in_order) {
        for low in registers(low) {
            for high in registers(high) {
                if let Some(measure) = meet(turns, (low, high), full) {
                    return Some(measure);
                }
            }
        }
    }
    None
}

/// Returns the width of the numbers if a bit is added to the lower one, and the same bit less 1 to
/// the higher one: without a branch, one of them moves by 1.
fn moved_by_bit((up, low): (&Term, Register), (down, high): (&Term, Register)) -> Option<Width> {
    let Term::Of(Binary::Add, bit, one, narrow) = up else { return None };
    let (bit, own) = if is_start(one, low) { (bit, one) } else { (one, bit) };
    let Term::Of(Binary::And, _, ones, _) = &**bit else { return None };
    let Term::Of(Binary::Add, sum, less, other) = down else { return None };
    let Term::Of(Binary::Add, left, right, inner) = &**sum else { return None };
    let same = [(left, right), (right, left)];
    let is_sum = same.iter().any(|(number, added)| is_start(number, high) && *added == bit);
    let is_one = is_start(own, low) && **ones == Term::Number(1) && **less == Term::Number(-1);
    (is_sum && is_one).then(|| *narrow.min(other).min(inner))
}

/// Two counters of which every way moves at least one towards the other, and asks whether they have
/// met.
fn meet(turns: &[Turn], (low, high): (Register, Register), full: Width) -> Option<Measure> {
    let mut width = full;
    for turn in turns {
        let (up, down) = (turn.end(low), turn.end(high));
        if let Some(narrow) = moved_by_bit((&up, low), (&down, high)) {
            width = width.min(narrow);
            continue;
        }
        let ((up, one), (down, other)) = (added(&up, low)?, added(&down, high)?);
        if !matches!((up, down), (1, 0) | (0, -1) | (1, -1)) {
            return None;
        }
        width = [one, other].into_iter().flatten().fold(width, Width::min);
    }
    let starts = |_: &Turn| (Rc::new(Term::Start(low)), Rc::new(Term::Start(high)));
    let ends = |turn: &Turn| (turn.end(low), turn.end(high));
    // Whether each way asks, and any of them for unsigned numbers.
    let asked = |at: &dyn Fn(&Turn) -> Pair| {
        let mut is_unsigned = false;
        for turn in turns {
            let (low, high) = at(turn);
            let mut all = turn.holds.iter().filter_map(in_order);
            is_unsigned |= all.find(|(less, more, _)| **less == *low && **more == *high)?.2;
        }
        Some(is_unsigned)
    };
    match (asked(&starts), asked(&ends)) {
        (Some(_), _) => Some(Measure::Meeting { low, high, width, least: 0 }),
        // The first way may move before anything is asked: not below 0.
        (None, Some(is_unsigned)) => {
            Some(Measure::Meeting { low, high, width, least: i64::from(is_unsigned) })
        }
        (None, None) => None,
    }
}
