//! Types of the interface language in C.

use fusee_model::{DataType, System};
use serde::Serialize;

/// Looks up what C calls a type.
#[derive(Clone, Copy)]
pub(crate) struct Types<'a> {
    pub(crate) system: &'a System,
    /// Bytes of a register.
    pub(crate) word: u32,
}

/// The form of a scalar in a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Scalar {
    /// Registers that it takes.
    pub(crate) words: u32,
    /// Instructions that bring a register into the form that C expects, `{r}` being the register.
    #[serde(skip)]
    pub(crate) canonical: &'static [&'static str],
}

impl Types<'_> {
    /// Returns the name that C has for the type.
    pub(crate) fn c(self, type_: &DataType) -> String {
        match type_ {
            DataType::Int => "int".into(),
            DataType::UnsignedInt => "unsigned int".into(),
            DataType::Int64 => "int64_t".into(),
            DataType::UnsignedInt64 => "uint64_t".into(),
            DataType::Char => "char".into(),
            DataType::SignedChar => "signed char".into(),
            DataType::UnsignedChar => "unsigned char".into(),
            DataType::String => "char *".into(),
            DataType::Struct(name) => format!("struct {name}"),
            DataType::Inline(_) => "void".into(),
            DataType::Named(name) => match name.as_str() {
                "boolean" => "bool".into(),
                "character" => "char".into(),
                "real" => "double".into(),
                _ if self.system.structure(name).is_some() => format!("struct {name}"),
                _ => name.clone(),
            },
        }
    }

    /// Returns the form of a value in registers; `None` for a type that only the compiler knows.
    pub(crate) fn scalar(self, type_: &DataType) -> Option<Scalar> {
        const SIGNED_8: &[&str] = &["slli {r}, {r}, {w} - 8", "srai {r}, {r}, {w} - 8"];
        const SIGNED_16: &[&str] = &["slli {r}, {r}, {w} - 16", "srai {r}, {r}, {w} - 16"];
        const UNSIGNED_16: &[&str] = &["slli {r}, {r}, {w} - 16", "srli {r}, {r}, {w} - 16"];
        let wide = self.word == 8;
        let word: &[&str] = if wide { &["sext.w {r}, {r}"] } else { &[] };
        let double = if wide { 1 } else { 2 };
        let (words, canonical): (u32, &'static [&'static str]) = match self.c(type_).as_str() {
            "bool" => (1, &["snez {r}, {r}"]),
            "char" | "unsigned char" | "uint8_t" => (1, &["andi {r}, {r}, 255"]),
            "signed char" | "int8_t" => (1, SIGNED_8),
            "int16_t" => (1, SIGNED_16),
            "uint16_t" => (1, UNSIGNED_16),
            "int" | "unsigned int" | "unsigned" | "int32_t" | "uint32_t" | "float" => (1, word),
            "int64_t" | "uint64_t" | "double" => (double, &[]),
            "size_t" | "ssize_t" | "uintptr_t" | "intptr_t" | "seL4_Word" | "seL4_CPtr" => (1, &[]),
            _ => return None,
        };
        Some(Scalar { words, canonical })
    }
}
