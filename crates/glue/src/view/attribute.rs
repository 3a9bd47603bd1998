//! Attributes as C constants, and the structs of a description.

use super::ctype::Types;
use fusee_model::{Component, DataType, Field, Value};
use serde::Serialize;
use std::fmt::Write;

/// An attribute that has a value.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Attribute {
    pub(crate) name: String,
    /// `const int x[3]`
    pub(crate) declaration: String,
    /// The value as a C initializer.
    pub(crate) value: String,
    /// As a Rust constant: `i32` and its value; empty where Rust has no such constant.
    pub(crate) rust_type: String,
    pub(crate) rust_value: String,
}

/// The declared attributes of a component that have values, and the structs that they need.
pub(crate) fn all(component: &Component, types: Types<'_>) -> (Vec<Attribute>, Vec<String>) {
    let mut structs = Vec::new();
    let mut attributes = Vec::new();
    for field in &component.code.attributes {
        let Some(value) = component.attribute(&field.name) else { continue };
        let mut writer = Writer { types, structs: &mut structs, owner: &field.name };
        let type_ = writer.type_name(&field.type_, &field.name, value);
        let length = array(field, value);
        let declaration = format!("const {type_} {}{length}", field.name);
        let value_text = writer.value(field, value);
        let (rust_type, rust_value) = rust(field, value);
        let name = field.name.clone();
        attributes.push(Attribute { name, declaration, value: value_text, rust_type, rust_value });
    }
    (attributes, structs)
}

fn array(field: &Field, value: &Value) -> String {
    match (field.array, value) {
        (true, Value::List(items)) => format!("[{}]", items.len()),
        (true, _) => "[]".into(),
        (false, _) => String::new(),
    }
}

struct Writer<'a, 't> {
    types: Types<'a>,
    structs: &'t mut Vec<String>,
    owner: &'t str,
}

impl Writer<'_, '_> {
    /// The C name of a type; defines the struct behind it where the description does.
    fn type_name(&mut self, type_: &DataType, name: &str, value: &Value) -> String {
        let value =
            if let Value::List(items) = value { items.first().unwrap_or(value) } else { value };
        match type_ {
            DataType::Inline(fields) => {
                let tag = format!("{}_{name}", self.owner);
                self.define(&tag, fields, value);
                format!("struct {tag}")
            }
            DataType::Struct(struct_name) | DataType::Named(struct_name) => {
                let system = self.types.system;
                if let Some(declared) = system.structure(struct_name) {
                    self.define(struct_name, &declared.fields, value);
                }
                self.types.c(type_)
            }
            _ => self.types.c(type_),
        }
    }

    fn define(&mut self, tag: &str, fields: &[Field], value: &Value) {
        let mut text = format!("struct {tag} {{\n");
        for field in fields {
            let inner = field_value(value, &field.name);
            let none = Value::Integer(0);
            let type_ = self.type_name(&field.type_, &field.name, inner.unwrap_or(&none));
            let length = match (field.array, inner) {
                (true, Some(Value::List(items))) => format!("[{}]", items.len()),
                (true, _) => "[1]".into(),
                (false, _) => String::new(),
            };
            // Writing to a string cannot fail.
            let _ = writeln!(text, "    {type_} {}{length};", field.name);
        }
        text.push_str("};");
        let head = format!("struct {tag} {{\n");
        if !self.structs.iter().any(|known| known.starts_with(&head)) {
            self.structs.push(text);
        }
    }

    fn value(&self, field: &Field, value: &Value) -> String {
        match (field.array, value) {
            (true, Value::List(items)) => {
                let items: Vec<String> =
                    items.iter().map(|item| self.one(&field.type_, item)).collect();
                format!("{{{}}}", items.join(", "))
            }
            _ => self.one(&field.type_, value),
        }
    }

    fn one(&self, type_: &DataType, value: &Value) -> String {
        match value {
            Value::Integer(n) if *n > i128::from(i64::MAX) => format!("{n}ull"),
            Value::Integer(n) if *n < i128::from(i32::MIN) || *n > i128::from(i32::MAX) => {
                format!("{n}ll")
            }
            Value::Integer(n) => n.to_string(),
            Value::Real(x) => format!("{x:?}"),
            Value::Boolean(b) => u8::from(*b).to_string(),
            Value::Text(text) => self.text(type_, text),
            Value::List(items) => {
                let items: Vec<String> = items.iter().map(|item| self.one(type_, item)).collect();
                format!("{{{}}}", items.join(", "))
            }
            Value::Record(entries) => {
                let fields = self.fields(type_);
                let entry = |(name, value): &(String, Value)| {
                    let field = fields.iter().find(|field| field.name == *name)?;
                    Some(format!(".{name} = {}", self.value(field, value)))
                };
                let entries: Vec<String> = entries.iter().filter_map(entry).collect();
                format!("{{{}}}", entries.join(", "))
            }
        }
    }

    fn text(&self, type_: &DataType, text: &str) -> String {
        match (type_, text.chars().next()) {
            (DataType::Char | DataType::SignedChar | DataType::UnsignedChar, Some(c)) => {
                format!("{}", c as u32)
            }
            _ => quoted(text),
        }
    }

    fn fields(&self, type_: &DataType) -> Vec<Field> {
        match type_ {
            DataType::Inline(fields) => fields.clone(),
            DataType::Struct(name) | DataType::Named(name) => self
                .types
                .system
                .structure(name)
                .map(|declared| declared.fields.clone())
                .unwrap_or_default(),
            _ => Vec::new(),
        }
    }
}

fn field_value<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    let Value::Record(entries) = value else { return None };
    entries.iter().find(|(entry, _)| entry == name).map(|(_, value)| value)
}

/// A text as a C string.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' => quoted.push_str("\\\""),
            b'\\' => quoted.push_str("\\\\"),
            b'\n' => quoted.push_str("\\n"),
            // Three octal digits: no digit that follows can become part of it.
            b if b.is_ascii_control() || !b.is_ascii() => {
                let _ = write!(quoted, "\\{b:03o}");
            }
            b => quoted.push(char::from(b)),
        }
    }
    quoted.push('"');
    quoted
}

fn rust(field: &Field, value: &Value) -> (String, String) {
    let one = |type_: &str, value: String| (type_.to_owned(), value);
    match (&field.type_, field.array, value) {
        (DataType::Int, false, Value::Integer(n)) => one("i32", n.to_string()),
        (DataType::UnsignedInt, false, Value::Integer(n)) => one("u32", n.to_string()),
        (DataType::Int64, false, Value::Integer(n)) => one("i64", n.to_string()),
        (DataType::UnsignedInt64, false, Value::Integer(n)) => one("u64", n.to_string()),
        (DataType::String, false, Value::Text(text)) => one("&str", format!("{text:?}")),
        (DataType::Named(name), false, value) => match (name.as_str(), value) {
            ("bool", Value::Boolean(b)) => one("bool", b.to_string()),
            ("double", Value::Real(x)) => one("f64", format!("{x:?}")),
            ("uint8_t", Value::Integer(n)) => one("u8", n.to_string()),
            ("uint16_t", Value::Integer(n)) => one("u16", n.to_string()),
            ("uint32_t", Value::Integer(n)) => one("u32", n.to_string()),
            ("int32_t", Value::Integer(n)) => one("i32", n.to_string()),
            ("size_t" | "uintptr_t", Value::Integer(n)) => one("usize", n.to_string()),
            _ => Default::default(),
        },
        _ => Default::default(),
    }
}
