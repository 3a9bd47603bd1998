//! Values with their places.

use fusee_diagnostics::Span;
use fusee_model::Value;

/// A value and where it was written.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Located {
    pub(super) datum: Datum,
    pub(super) span: Span,
}

/// A value of an expression.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Datum {
    Integer(i128),
    Real(f64),
    Text(String),
    Boolean(bool),
    List(Vec<Located>),
    Record(Vec<(String, Located)>),
    /// Already reported, or only known to a query engine.
    Unknown,
}

impl Datum {
    /// Returns the kind, with its article, for messages.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Datum::Integer(_) => "a whole number",
            Datum::Real(_) => "a number with a fraction",
            Datum::Text(_) => "a text",
            Datum::Boolean(_) => "a truth value",
            Datum::List(_) => "a list",
            Datum::Record(_) => "a dictionary",
            Datum::Unknown => "not known",
        }
    }

    /// Returns a whole number that is not negative, also as a text such as `"0x1000"`.
    pub(super) fn bytes(&self) -> Option<u64> {
        match self {
            Datum::Integer(n) => u64::try_from(*n).ok(),
            Datum::Text(text) => match text.trim().strip_prefix("0x") {
                Some(digits) => u64::from_str_radix(digits, 16).ok(),
                None => text.trim().parse().ok(),
            },
            _ => None,
        }
    }

    /// Returns the model's form; `None` when some part is unknown.
    pub(super) fn to_value(&self) -> Option<Value> {
        Some(match self {
            Datum::Integer(n) => Value::Integer(*n),
            Datum::Real(x) => Value::Real(*x),
            Datum::Text(text) => Value::Text(text.clone()),
            Datum::Boolean(truth) => Value::Boolean(*truth),
            Datum::List(items) => {
                Value::List(items.iter().map(|i| i.datum.to_value()).collect::<Option<_>>()?)
            }
            Datum::Record(fields) => {
                let field = |(name, value): &(String, Located)| {
                    Some((name.clone(), value.datum.to_value()?))
                };
                Value::Record(fields.iter().map(field).collect::<Option<_>>()?)
            }
            Datum::Unknown => return None,
        })
    }
}
