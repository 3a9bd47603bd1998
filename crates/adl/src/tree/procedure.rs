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
    /// What it returns; `None`: `void`.
    pub returns: Option<Type>,
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// The whole declaration.
    pub span: Span,
}

/// A parameter of a method.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// Which way its value goes; `in` where nothing is written.
    pub direction: Direction,
    /// Its type.
    pub type_: Type,
    /// Its name.
    pub name: Name,
    /// `true` if it has `[]`.
    pub array: bool,
    /// The whole parameter.
    pub span: Span,
}

/// Which way a parameter's value goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// To the callee.
    In,
    /// To the caller.
    Out,
    /// Both.
    InOut,
    /// To the callee, passed to its code by reference.
    RefIn,
}

/// An attribute of a component, connector or procedure, or a field of a struct.
#[derive(Debug, Clone, PartialEq)]
pub struct Attribute {
    /// Its type.
    pub type_: Type,
    /// Its name.
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
    /// What stands between the braces.
    pub body: StructBody,
    /// The whole declaration.
    pub span: Span,
}

/// What stands between a struct's braces.
#[derive(Debug, Clone, PartialEq)]
pub struct StructBody {
    /// Its fields in order.
    pub fields: Vec<Attribute>,
    /// Braces included.
    pub span: Span,
}

/// A data type.
#[derive(Debug, Clone, PartialEq)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// Its place.
    pub span: Span,
}

/// What a data type is.
#[derive(Debug, Clone, PartialEq)]
pub enum TypeKind {
    /// `int`, `integer`, `signed`, `signed int`
    Int,
    /// `unsigned`, `unsigned int`
    UnsignedInt,
    /// `int64_t`
    Int64,
    /// `uint64_t`
    UnsignedInt64,
    /// `char`
    Char,
    /// `signed char`
    SignedChar,
    /// `unsigned char`
    UnsignedChar,
    /// `string`
    String,
    /// `struct NAME`
    Struct(Name),
    /// `struct { ... }` or `{ ... }` in place.
    Inline(StructBody),
    /// A struct declared elsewhere, or a C type such as `uint32_t`, `bool` or `double`.
    Named(Reference),
}
