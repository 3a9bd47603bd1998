//! Numbers as they are written.

/// A number's value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Value {
    /// A whole number.
    Integer(i128),
    /// A number with a fraction or an exponent.
    Real(f64),
}

/// Returns the value of a number; `None` if it is too large or has wrong digits.
///
/// `0x`, `0o` and `0b` begin hexadecimal, octal and binary numbers, a further
/// digit after a leading 0 an octal one, as in C.
pub(crate) fn parse(text: &str) -> Option<Value> {
    let lower = text.to_ascii_lowercase();
    let radix =
        |digits: &str, radix: u32| i128::from_str_radix(digits, radix).ok().map(Value::Integer);
    if let Some(digits) = lower.strip_prefix("0x") {
        return radix(digits, 16);
    }
    if let Some(digits) = lower.strip_prefix("0o") {
        return radix(digits, 8);
    }
    if let Some(digits) = lower.strip_prefix("0b") {
        return radix(digits, 2);
    }
    if lower.contains(['.', 'e']) {
        return lower.parse().ok().filter(|value: &f64| value.is_finite()).map(Value::Real);
    }
    if is_octal(text) { radix(&lower, 8) } else { radix(&lower, 10) }
}

/// Returns `true` if a leading 0 makes a number octal.
pub(crate) fn is_octal(text: &str) -> bool {
    text.len() > 1 && text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit())
}
