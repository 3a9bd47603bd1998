//! A parameter as packed into messages.

use super::ctype::Types;
use fusee_model::{DataType, Direction, Parameter};
use serde::Serialize;

/// A parameter as packed into messages.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct View {
    pub(crate) name: String,
    /// The C type of a value or element.
    pub(crate) c: String,
    /// `value`, `text`, `array` or `texts`.
    pub(crate) shape: &'static str,
    /// `in`, `out`, `inout` or `refin`.
    pub(crate) direction: &'static str,
    pub(crate) goes_in: bool,
    pub(crate) goes_out: bool,
    /// Its place in each message as a C expression of words, where all that is before it has a
    /// fixed length.
    pub(crate) at_in: String,
    pub(crate) at_out: String,
}

impl View {
    pub(super) fn of(parameter: &Parameter, types: Types<'_>) -> Self {
        let text = parameter.type_ == DataType::String;
        View {
            name: parameter.name.clone(),
            c: types.c(&parameter.type_),
            shape: match (parameter.array, text) {
                (false, false) => "value",
                (false, true) => "text",
                (true, false) => "array",
                (true, true) => "texts",
            },
            direction: match parameter.direction {
                Direction::In => "in",
                Direction::Out => "out",
                Direction::InOut => "inout",
                Direction::RefIn => "refin",
            },
            goes_in: parameter.direction.is_in(),
            goes_out: parameter.direction.is_out(),
            at_in: String::new(),
            at_out: String::new(),
        }
    }

    /// Gives each its place: behind those before it that travel the same way, and behind the
    /// result.
    pub(super) fn place(parameters: &mut [View], returned: Option<String>) {
        let (mut ahead_in, mut ahead_out) = (Vec::new(), Vec::from_iter(returned));
        for parameter in parameters {
            parameter.at_in = sum(ahead_in.iter().cloned());
            parameter.at_out = sum(ahead_out.iter().cloned());
            if parameter.goes_in {
                ahead_in.push(parameter.words());
            }
            if parameter.goes_out {
                ahead_out.push(parameter.words());
            }
        }
    }

    /// As CAmkES declares it.
    pub(super) fn declared(&self) -> String {
        let View { name, c, .. } = self;
        match (self.shape, self.direction) {
            ("value", "in") => format!("{c} {name}"),
            ("value", "refin") => format!("const {c} *{name}"),
            ("value", _) => format!("{c} *{name}"),
            ("text", "in") => format!("const char *{name}"),
            ("text", _) => format!("char **{name}"),
            ("array", "in") => format!("size_t {name}_sz, const {c} *{name}"),
            ("array", "refin") => format!("const size_t *{name}_sz, {c} **{name}"),
            ("array", _) => format!("size_t *{name}_sz, {c} **{name}"),
            (_, "in") => format!("size_t {name}_sz, char **{name}"),
            (_, "refin") => format!("const size_t *{name}_sz, char ***{name}"),
            _ => format!("size_t *{name}_sz, char ***{name}"),
        }
    }

    /// As the server's stub passes it on.
    pub(super) fn argument(&self) -> String {
        let name = &self.name;
        match (self.shape, self.direction) {
            ("value" | "text", "in") | ("value", "refin") => name.clone(),
            ("value" | "text", _) => format!("&{name}"),
            (_, "in") => format!("{name}_sz, {name}"),
            _ => format!("&{name}_sz, &{name}"),
        }
    }

    pub(super) fn words(&self) -> String {
        match self.shape {
            "value" => format!("FUSEE_WORDS(sizeof({}))", self.c),
            _ => "1".into(),
        }
    }
}

pub(super) fn sum(parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = parts.collect();
    if parts.is_empty() { "0".into() } else { parts.join(" + ") }
}
