//! Procedure types, attributes, structs and data types.

use super::{Expr, Include, Name, Reference};
use fusee_diagnostics::Span;

/// `procedure NAME { ... }`
#[derive(Debug, Clone, PartialEq)]
pub struct Procedure {
    /// Its name; `None` if it was left out.
    pub name: Option<Name>,
    /// Methods in order.
    pub methods: Vec<Method>,
    /// Attributes in order.
    pub attributes: Vec<Attribute>,
    /// C headers in order.
    pub includes: Vec<Include>,
    /// The whole declaration.
    pub span: Span,
}

/// `int read(in int sector, out char data[]);`
#[derive(Debug, Clone, PartialEq)]
pub struct Method {
    /// The type that it returns; `None`: `void`.
    pub returns: Option<Type>,
    /// The name that the description gives.
    pub name: Name,
    /// The parameters in order.
    pub parameters: Vec<Parameter>,
    /// The whole declaration.
    pub span: Span,
}

/// A parameter of a method.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// The direction of its value; `in` where nothing is written.
    pub direction: Direction,
    /// Its data type.
    pub type_: Type,
    /// The name that the description gives.
    pub name: Name,
    /// `true` if it has `[]`.
    pub array: bool,
    /// The whole parameter.
    pub span: Span,
}

/// The direction of a parameter's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// To the callee.
    In,
    /// To the caller.
    Out,
    /// The value goes in both directions.
    InOut,
    /// To the callee, passed to its code by reference.
    RefIn,
}

/// An attribute of a component, connector or procedure, or a field of a struct.
#[derive(Debug, Clone, PartialEq)]
pub struct Attribute {
    /// Its data type.
    pub type_: Type,
    /// The name that the description gives.
    pub name: Name,
    /// `true` if it has `[]`.
    pub array: bool,
    /// The value where no setting gives one.
    pub default: Option<Expr>,
    /// The whole declaration.
    pub span: Span,
}

/// `struct NAME { ... }`
#[derive(Debug, Clone, PartialEq)]
pub struct Struct {
    /// Its name; `None` if it was left out.
    pub name: Option<Name>,
    /// The content between the braces.
    pub body: StructBody,
    /// The whole declaration.
    pub span: Span,
}

/// The content between a struct's braces.
#[derive(Debug, Clone, PartialEq)]
pub struct StructBody {
    /// Its fields in order.
    pub fields: Vec<Attribute>,
    /// The place of the whole, braces included.
    pub span: Span,
}

/// A data type.
#[derive(Debug, Clone, PartialEq)]
pub struct Type {
    /// The kind of data type.
    pub kind: TypeKind,
    /// Its place in the text.
    pub span: Span,
}

/// The kinds of data types.
#[derive(Debug, Clone, PartialEq)]
pub enum TypeKind {
    /// `int`, `integer`, `signed`, `signed int`
    Int,
    /// `unsigned`, `unsigned int`
    UnsignedInt,
    /// The type `int64_t`.
    Int64,
    /// The type `uint64_t`.
    UnsignedInt64,
    /// The type `char`.
    Char,
    /// The type `signed char`.
    SignedChar,
    /// The type `unsigned char`.
    UnsignedChar,
    /// The type `string`.
    String,
    /// A struct by its name: `struct NAME`.
    Struct(Name),
    /// `struct { ... }` or `{ ... }` in place.
    Inline(StructBody),
    /// A struct declared elsewhere, or a C type such as `uint32_t`, `bool` or `double`.
    Named(Reference),
}
