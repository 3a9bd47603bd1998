//! The operators of CAmkES expressions on exact numbers.

use super::datum::Datum;
use crate::tree::{BinaryOperator as Binary, UnaryOperator as Unary};

/// Returns whether a value holds; `None` for what is neither number nor truth value.
pub(super) fn truth(datum: &Datum) -> Option<bool> {
    match datum {
        Datum::Boolean(truth) => Some(*truth),
        Datum::Integer(n) => Some(*n != 0),
        Datum::Real(x) => Some(*x != 0.0),
        _ => None,
    }
}

/// Returns the error for a condition that is neither a number nor a truth value.
pub(super) fn undecided(datum: &Datum) -> Result<Datum, String> {
    match datum {
        Datum::Unknown => Ok(Datum::Unknown),
        other => Err(format!("a condition is a number or a truth value, this is {}", other.kind())),
    }
}

/// `-a`, `!a`, ...
pub(super) fn unary(operator: Unary, operand: &Datum) -> Result<Datum, String> {
    let refuse = || Err(format!("`{}` cannot be applied to {}", operator.symbol(), operand.kind()));
    match (operator, operand) {
        (_, Datum::Unknown) => Ok(Datum::Unknown),
        (Unary::Not, operand) => {
            truth(operand).map_or_else(refuse, |truth| Ok(Datum::Boolean(!truth)))
        }
        (Unary::Minus, Datum::Real(x)) => Ok(Datum::Real(-x)),
        (Unary::Plus, Datum::Real(x)) => Ok(Datum::Real(*x)),
        (operator, operand) => match (operator, whole(operand)) {
            (Unary::Minus, Some(n)) => {
                n.checked_neg().map(Datum::Integer).ok_or_else(|| too_large(operator.symbol()))
            }
            (Unary::Plus, Some(n)) => Ok(Datum::Integer(n)),
            (Unary::Complement, Some(n)) => Ok(Datum::Integer(!n)),
            _ => refuse(),
        },
    }
}

/// Applies a binary operator, as in `a + b`.
pub(super) fn binary(operator: Binary, left: &Datum, right: &Datum) -> Result<Datum, String> {
    if matches!(left, Datum::Unknown) || matches!(right, Datum::Unknown) {
        return Ok(Datum::Unknown);
    }
    let refuse = || {
        format!("`{}` cannot be applied to {} and {}", operator.symbol(), left.kind(), right.kind())
    };
    if let (Binary::LogicalOr | Binary::LogicalAnd, Some(a), Some(b)) =
        (operator, truth(left), truth(right))
    {
        return Ok(Datum::Boolean(if operator == Binary::LogicalOr { a || b } else { a && b }));
    }
    if let (Some(a), Some(b)) = (whole(left), whole(right)) {
        return on_integers(operator, a, b);
    }
    match (left, right) {
        (Datum::Text(a), Datum::Text(b)) => on_texts(operator, a, b).ok_or_else(refuse),
        _ => match (real(left), real(right)) {
            (Some(a), Some(b)) => on_reals(operator, a, b).unwrap_or_else(|| Err(refuse())),
            _ => Err(refuse()),
        },
    }
}

fn whole(datum: &Datum) -> Option<i128> {
    match datum {
        Datum::Integer(n) => Some(*n),
        Datum::Boolean(truth) => Some(i128::from(*truth)),
        _ => None,
    }
}

fn real(datum: &Datum) -> Option<f64> {
    match datum {
        Datum::Real(x) => Some(*x),
        other => whole(other).map(|n| n as f64),
    }
}

fn too_large(symbol: &str) -> String {
    format!("the result of `{symbol}` does not fit 128 bits")
}

fn on_integers(operator: Binary, a: i128, b: i128) -> Result<Datum, String> {
    let divides = matches!(operator, Binary::Divide | Binary::Remainder);
    if divides && b == 0 {
        return Err("division by zero".into());
    }
    if matches!(operator, Binary::ShiftLeft | Binary::ShiftRight) && b < 0 {
        return Err("a shift by a negative number".into());
    }
    if operator == Binary::Power && b < 0 {
        return on_reals(operator, a as f64, b as f64).unwrap_or_else(|| Err(too_large("**")));
    }
    let number = match operator {
        Binary::Add => a.checked_add(b),
        Binary::Subtract => a.checked_sub(b),
        Binary::Multiply => a.checked_mul(b),
        Binary::Divide => floor_divide(a, b),
        Binary::Remainder => a
            .checked_rem(b)
            .map(|rest| if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest }),
        Binary::Power => power(a, b),
        Binary::ShiftLeft => power(2, b).and_then(|factor| a.checked_mul(factor)),
        Binary::ShiftRight => Some(a >> b.min(127)),
        Binary::Or => Some(a | b),
        Binary::Xor => Some(a ^ b),
        Binary::And => Some(a & b),
        _ => return Ok(Datum::Boolean(compare(operator, a.cmp(&b)))),
    };
    number.map(Datum::Integer).ok_or_else(|| too_large(operator.symbol()))
}

/// Rounds towards minus infinity.
fn floor_divide(a: i128, b: i128) -> Option<i128> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}

fn power(base: i128, exponent: i128) -> Option<i128> {
    match (base, exponent) {
        (0 | 1, _) if exponent > 0 => Some(base),
        (-1, _) => Some(if exponent % 2 == 0 { 1 } else { -1 }),
        _ => base.checked_pow(u32::try_from(exponent).ok()?),
    }
}

fn compare(operator: Binary, order: std::cmp::Ordering) -> bool {
    match operator {
        Binary::Equal => order.is_eq(),
        Binary::NotEqual => order.is_ne(),
        Binary::Less => order.is_lt(),
        Binary::LessOrEqual => order.is_le(),
        Binary::Greater => order.is_gt(),
        _ => order.is_ge(),
    }
}

fn is_comparison(operator: Binary) -> bool {
    use Binary::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
    matches!(operator, Equal | NotEqual | Less | LessOrEqual | Greater | GreaterOrEqual)
}

fn on_texts(operator: Binary, a: &str, b: &str) -> Option<Datum> {
    match operator {
        Binary::Add => Some(Datum::Text(format!("{a}{b}"))),
        _ if is_comparison(operator) => Some(Datum::Boolean(compare(operator, a.cmp(b)))),
        _ => None,
    }
}

fn on_reals(operator: Binary, a: f64, b: f64) -> Option<Result<Datum, String>> {
    if matches!(operator, Binary::Divide | Binary::Remainder) && b == 0.0 {
        return Some(Err("division by zero".into()));
    }
    let number = match operator {
        Binary::Add => a + b,
        Binary::Subtract => a - b,
        Binary::Multiply => a * b,
        Binary::Divide => a / b,
        Binary::Remainder => a - b * (a / b).floor(),
        Binary::Power => a.powf(b),
        _ if is_comparison(operator) => {
            return a.partial_cmp(&b).map(|order| Ok(Datum::Boolean(compare(operator, order))));
        }
        _ => return None,
    };
    let finite = number.is_finite();
    Some(if finite {
        Ok(Datum::Real(number))
    } else {
        Err(format!("the result of `{}` is no number", operator.symbol()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calculate(a: i128, operator: Binary, b: i128) -> Result<Datum, String> {
        binary(operator, &Datum::Integer(a), &Datum::Integer(b))
    }

    #[test]
    fn whole_numbers_are_exact() {
        for (a, operator, b, result) in [
            (7, Binary::Divide, 2, 3),
            (-7, Binary::Divide, 2, -4),
            (-7, Binary::Remainder, 2, 1),
            (7, Binary::Remainder, -2, -1),
            (2, Binary::Power, 100, 1 << 100),
            (-1, Binary::Power, 1 << 90, 1),
            (0, Binary::Power, 0, 1),
            (1, Binary::ShiftLeft, 64, 1 << 64),
            (-1, Binary::ShiftRight, 1 << 100, -1),
            (6, Binary::Xor, 3, 5),
        ] {
            assert_eq!(
                calculate(a, operator, b),
                Ok(Datum::Integer(result)),
                "{a} {} {b}",
                operator.symbol()
            );
        }
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        for (a, operator, b) in [
            (i128::MAX, Binary::Add, 1),
            (i128::MIN, Binary::Subtract, 1),
            (i128::MAX, Binary::Multiply, 2),
            (i128::MIN, Binary::Divide, -1),
            (i128::MIN, Binary::Remainder, -1),
            (2, Binary::Power, 127),
            (10, Binary::Power, 1 << 90),
            (1, Binary::ShiftLeft, 127),
            (1, Binary::Divide, 0),
            (1, Binary::Remainder, 0),
            (1, Binary::ShiftLeft, -1),
        ] {
            assert!(calculate(a, operator, b).is_err(), "{a} {} {b}", operator.symbol());
        }
        assert!(unary(Unary::Minus, &Datum::Integer(i128::MIN)).is_err());
        assert!(binary(Binary::Divide, &Datum::Real(1.0), &Datum::Integer(0)).is_err());
        assert!(binary(Binary::Add, &Datum::Text("a".into()), &Datum::Integer(0)).is_err());
    }

    #[test]
    fn comparisons_and_logic_give_truth_values() {
        assert_eq!(calculate(1, Binary::Less, 2), Ok(Datum::Boolean(true)));
        assert_eq!(calculate(1, Binary::LogicalAnd, 0), Ok(Datum::Boolean(false)));
        assert_eq!(
            binary(Binary::GreaterOrEqual, &Datum::Real(0.5), &Datum::Integer(1)),
            Ok(Datum::Boolean(false))
        );
        assert_eq!(unary(Unary::Not, &Datum::Integer(0)), Ok(Datum::Boolean(true)));
    }
}
