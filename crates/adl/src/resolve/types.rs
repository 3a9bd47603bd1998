//! The check that a value fits the type of its attribute.
//!
//! CAmkES checks little here; the C compiler finds the rest, far from the
//! description. The rule used: what C would accept without a loss is accepted.
//! A number that C would cut off is worth a warning. A text for a number, or a
//! struct with an unknown field, is an error.

use super::codes;
use super::names::Names;
use super::report::Report;
use super::value::{Datum, Located};
use crate::tree::{Attribute, StructBody, Type, TypeKind};
use fusee_diagnostics::Diagnostic;

/// No struct contains itself more deeply than this.
const MAX_STRUCT_DEPTH: usize = 32;

/// Reports where a value does not fit its attribute.
pub(super) fn check(
    value: &Located,
    attribute: &Attribute,
    names: &Names<'_>,
    report: &mut Report,
) {
    Checker { attribute, names, depth: 0 }.declared(
        value,
        attribute.array,
        &attribute.type_,
        report,
    );
}

struct Checker<'a, 't> {
    attribute: &'a Attribute,
    names: &'a Names<'t>,
    depth: usize,
}

impl Checker<'_, '_> {
    fn declared(&mut self, value: &Located, array: bool, type_: &Type, report: &mut Report) {
        match (&value.datum, array) {
            (Datum::Unknown, _) => {}
            (Datum::List(items), true) => {
                items.iter().for_each(|item| self.one(item, type_, report))
            }
            (_, true) => self.refuse(value, "a list", report),
            (_, false) => self.one(value, type_, report),
        }
    }

    fn one(&mut self, value: &Located, type_: &Type, report: &mut Report) {
        let (low, high) = match &type_.kind {
            TypeKind::Int => (i128::from(i32::MIN), i128::from(u32::MAX)),
            TypeKind::UnsignedInt => (0, i128::from(u32::MAX)),
            TypeKind::Int64 => (i128::from(i64::MIN), i128::from(u64::MAX)),
            TypeKind::UnsignedInt64 => (0, i128::from(u64::MAX)),
            TypeKind::Char => (-128, 255),
            TypeKind::SignedChar => (-128, 127),
            TypeKind::UnsignedChar => (0, 255),
            TypeKind::String => return self.text(value, report),
            TypeKind::Inline(body) => return self.fields(value, body, report),
            TypeKind::Struct(name) => return self.named_struct(value, &name.text, true, report),
            TypeKind::Named(reference) => match c_range(&reference.text()) {
                Some(range) => range,
                None => return self.named(value, &reference.text(), report),
            },
        };
        self.whole(value, (low, high), report);
    }

    fn whole(&self, value: &Located, (low, high): (i128, i128), report: &mut Report) {
        match value.datum {
            Datum::Integer(n) if n < low || n > high => {
                let message =
                    format!("{n} does not fit the type of `{}`", self.attribute.name.text);
                let warning =
                    Diagnostic::warning(codes::OUT_OF_TYPE, message).at(value.span, "cut off by C");
                let range = format!("from {low} to {high}");
                report.push(warning.because(self.attribute.type_.span, range));
            }
            Datum::Integer(_) | Datum::Boolean(_) | Datum::Unknown => {}
            // A character may be given as a text of one letter.
            Datum::Text(ref text) if high <= 255 && text.chars().count() == 1 => {}
            _ => self.refuse(value, "a whole number", report),
        }
    }

    fn text(&self, value: &Located, report: &mut Report) {
        if !matches!(value.datum, Datum::Text(_) | Datum::Unknown) {
            self.refuse(value, "a text", report);
        }
    }

    fn named(&mut self, value: &Located, name: &str, report: &mut Report) {
        match (name, &value.datum) {
            (_, Datum::Unknown) => {}
            ("bool", Datum::Boolean(_) | Datum::Integer(0 | 1)) => {}
            ("bool", _) => self.refuse(value, "a truth value", report),
            ("float" | "double", Datum::Integer(_) | Datum::Real(_)) => {}
            ("float" | "double", _) => self.refuse(value, "a number", report),
            _ => self.named_struct(value, name, false, report),
        }
    }

    /// A name that is neither built in nor declared is a C type, of which nothing is known.
    fn named_struct(&mut self, value: &Located, name: &str, must_exist: bool, report: &mut Report) {
        match self.names.structs.get(name) {
            Some(declared) => self.fields(value, &declared.body, report),
            None if must_exist => {
                let message = format!("there is no struct `{name}`");
                report.push(
                    Diagnostic::error(codes::STRUCT_FIELDS, message)
                        .at(self.attribute.type_.span, ""),
                );
            }
            None => {}
        }
    }

    fn fields(&mut self, value: &Located, body: &StructBody, report: &mut Report) {
        let Datum::Record(fields) = &value.datum else {
            if value.datum != Datum::Unknown {
                self.refuse(value, "a dictionary with the struct's fields", report);
            }
            return;
        };
        if self.depth >= MAX_STRUCT_DEPTH {
            return;
        }
        self.depth += 1;
        for (name, field) in fields {
            match body.fields.iter().find(|declared| declared.name.text == *name) {
                Some(declared) => self.declared(field, declared.array, &declared.type_, report),
                None => {
                    let message = format!(
                        "the struct of `{}` has no field `{name}`",
                        self.attribute.name.text
                    );
                    let warning =
                        Diagnostic::warning(codes::STRUCT_FIELDS, message).at(field.span, "");
                    report.push(warning.because(body.span, "its fields"));
                }
            }
        }
        for declared in &body.fields {
            if declared.default.is_none()
                && !fields.iter().any(|(name, _)| *name == declared.name.text)
            {
                let message =
                    format!("the field `{}` is missing and has no default", declared.name.text);
                let warning = Diagnostic::warning(codes::STRUCT_FIELDS, message).at(value.span, "");
                report.push(warning.because(declared.span, "declared here"));
            }
        }
        self.depth -= 1;
    }

    fn refuse(&self, value: &Located, wanted: &str, report: &mut Report) {
        let message = format!(
            "`{}` takes {wanted}, this is {}",
            self.attribute.name.text,
            value.datum.kind()
        );
        let error = Diagnostic::error(codes::WRONG_TYPE, message).at(value.span, "");
        report.push(error.because(self.attribute.span, "its declaration"));
    }
}

/// Returns the range of a C integer type by name.
fn c_range(name: &str) -> Option<(i128, i128)> {
    Some(match name {
        "int8_t" => (-128, 127),
        "uint8_t" => (0, 255),
        "int16_t" => (i128::from(i16::MIN), i128::from(i16::MAX)),
        "uint16_t" => (0, i128::from(u16::MAX)),
        "int32_t" => (i128::from(i32::MIN), i128::from(u32::MAX)),
        "uint32_t" => (0, i128::from(u32::MAX)),
        "size_t" | "uintptr_t" | "seL4_Word" | "seL4_CPtr" => (0, i128::from(u64::MAX)),
        _ => return None,
    })
}
