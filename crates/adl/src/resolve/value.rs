//! The evaluation of expressions to values.
//!
//! Whole numbers are exact: an operation whose result does not fit 128 bits is an
//! error at its operator, never a wrapped number. As in CAmkES, `/` on whole
//! numbers rounds towards minus infinity and `%` follows it. What cannot be known
//! (a query to a device tree, a sub-expression that was already reported) becomes
//! [`Datum::Unknown`], which spreads silently: one cause, one message.

use super::arithmetic;
use super::codes;
pub(super) use super::datum::{Datum, Located};
use super::report::Report;
use crate::tree::{Entry, Expr, ExprKind, Name, Reference};
use fusee_diagnostics::{Diagnostic, Span};

/// Evaluates an expression. Recursion is bounded by the depth of trees.
pub(super) fn evaluate(expr: &Expr, report: &mut Report) -> Located {
    let datum = match &expr.kind {
        ExprKind::Integer(n) => Datum::Integer(*n),
        ExprKind::Real(x) => Datum::Real(*x),
        ExprKind::Text(text) => Datum::Text(text.clone()),
        ExprKind::Boolean(truth) => Datum::Boolean(*truth),
        ExprKind::List(items) => {
            Datum::List(items.iter().map(|item| evaluate(item, report)).collect())
        }
        ExprKind::Dict(entries) => record(entries, report),
        ExprKind::Unary { operator, operand } => {
            let operand = evaluate(operand, report);
            settle(arithmetic::unary(*operator, &operand.datum), expr.span, report)
        }
        ExprKind::Binary { operator, left, right } => {
            let (left, right) = (evaluate(left, report), evaluate(right, report));
            settle(arithmetic::binary(*operator, &left.datum, &right.datum), expr.span, report)
        }
        ExprKind::Conditional { condition, then, otherwise } => {
            let condition = evaluate(condition, report);
            match arithmetic::truth(&condition.datum) {
                Some(true) => return evaluate(then, report),
                Some(false) => return evaluate(otherwise, report),
                None => settle(arithmetic::undecided(&condition.datum), condition.span, report),
            }
        }
        ExprKind::Reference(reference) => no_value(reference, report),
        ExprKind::Lookup { base, key } => {
            let (base, key) = (evaluate(base, report), evaluate(key, report));
            return look_up(&base, &key, expr.span, report);
        }
        ExprKind::Query { name, .. } => not_asked(name, expr.span, report),
        ExprKind::Error => Datum::Unknown,
    };
    Located { datum, span: expr.span }
}

/// Returns a name where a value belongs.
fn no_value(reference: &Reference, report: &mut Report) -> Datum {
    let message = format!("`{}` is no value", reference.text());
    let note = match reference.names.len() {
        1 => "a macro that the build defines is given with `-D NAME=VALUE`",
        _ => "a setting copies another attribute with `<-`: a.b <- c.d;",
    };
    report
        .push(Diagnostic::error(codes::WRONG_TYPE, message).at(reference.span, "").with_note(note));
    Datum::Unknown
}

/// Reports a query: there is no engine to ask.
fn not_asked(name: &Name, span: Span, report: &mut Report) -> Datum {
    let message = format!("the query `{}` is not asked, so its value is not known here", name.text);
    let note = "queries read a platform's device tree while CAmkES builds; nothing here depends on \
                the answer";
    report.push(Diagnostic::note(codes::QUERY, message).at(span, "").with_note(note));
    Datum::Unknown
}

fn record(entries: &[Entry], report: &mut Report) -> Datum {
    let mut fields: Vec<(String, Located)> = Vec::with_capacity(entries.len());
    for entry in entries {
        let key = evaluate(&entry.key, report);
        let value = evaluate(&entry.value, report);
        match key.datum {
            Datum::Text(name) => fields.push((name, value)),
            Datum::Integer(n) => fields.push((n.to_string(), value)),
            Datum::Unknown => {}
            other => {
                let message =
                    format!("a key is a text or a whole number, this is {}", other.kind());
                report.push(Diagnostic::error(codes::WRONG_TYPE, message).at(key.span, ""));
            }
        }
    }
    Datum::Record(fields)
}

fn settle(result: Result<Datum, String>, span: Span, report: &mut Report) -> Datum {
    result.unwrap_or_else(|message| {
        report.push(Diagnostic::error(codes::ARITHMETIC, message).at(span, ""));
        Datum::Unknown
    })
}

/// `base[key]`
pub(super) fn look_up(base: &Located, key: &Located, span: Span, report: &mut Report) -> Located {
    let found = match (&base.datum, &key.datum) {
        (Datum::Unknown, _) | (_, Datum::Unknown) => {
            return Located { datum: Datum::Unknown, span };
        }
        (Datum::List(items), Datum::Integer(n)) => {
            usize::try_from(*n).ok().and_then(|i| items.get(i)).ok_or_else(|| {
                format!(
                    "there is no element {n}: the list has {} elements, counted from 0",
                    items.len()
                )
            })
        }
        (Datum::Record(fields), Datum::Text(name)) => find_field(fields, name),
        (Datum::Record(fields), Datum::Integer(n)) => find_field(fields, &n.to_string()),
        (other, key) => Err(format!("{} has no element named by {}", other.kind(), key.kind())),
    };
    match found {
        Ok(value) => value.clone(),
        Err(message) => {
            let error = Diagnostic::error(codes::BAD_LOOKUP, message).at(key.span, "");
            report.push(error.because(base.span, "looked up in this"));
            Located { datum: Datum::Unknown, span }
        }
    }
}

fn find_field<'a>(fields: &'a [(String, Located)], name: &str) -> Result<&'a Located, String> {
    let found = fields.iter().find(|(key, _)| key == name).map(|(_, value)| value);
    found.ok_or_else(|| format!("the dictionary has no key `{name}`"))
}
