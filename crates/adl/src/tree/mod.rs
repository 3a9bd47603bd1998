//! The syntax tree of CAmkES ADL and IDL, with a span on everything.
//!
//! The tree says what was written, not what it means: names are unresolved,
//! expressions unevaluated, and a reference to a component looks the same
//! whether the component exists or not. It holds the declarations of all files
//! in the order in which CAmkES sees them: an imported file's declarations stand
//! where it was first imported.
//!
//! The parser always returns a tree. What could not be understood is missing
//! from it (an `Option` that is `None`, an entry that is not in its list, an
//! [`ExprKind::Error`]), and a diagnostic has been reported for it, so that later
//! stages may pass over it in silence. No tree is nested more deeply than
//! [`MAX_DEPTH`], so that recursion over it is safe.
//!
//! Spans point to the place where the user wrote the text. For text that came out of
//! a macro that is the place where the macro is used.

mod assembly;
mod expression;
mod procedure;

pub use assembly::{
    Assembly, AssemblyMember, Component, ComponentBody, ComponentMember, Composition,
    CompositionMember, Configuration, Connection, ConnectionEnd, Connector, ConnectorBody,
    ConnectorEnd, Export, Group, Instance, Interface, InterfaceKind, InterfaceSort, InterfaceType,
    Lock, LockKind, Schedule, ScheduleEntry, Setting, SettingValue, TimeUnit,
};
pub use expression::{BinaryOperator, Entry, Expr, ExprKind, UnaryOperator};
pub use procedure::{
    Attribute, Direction, Method, Parameter, Procedure, Struct, StructBody, Type, TypeKind,
};

use fusee_diagnostics::{FileId, Span};
use std::collections::BTreeSet;

/// The deepest nesting of blocks and brackets that the parser accepts.
pub const MAX_NESTING: usize = 200;

/// No expression of a tree has more levels than this, chains of operators included.
pub const MAX_DEPTH: usize = 1000;

/// All declarations of a description and of everything that it imports.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tree {
    /// Declarations in the order in which they take effect.
    pub items: Vec<Item>,
    /// The files among them that come with Fusee.
    pub library: BTreeSet<FileId>,
}

/// A declaration at the top of a file.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// `import "...";` The declarations of the file, if it was read here, come before it.
    Import(Import),
    /// `assembly NAME { ... }`
    Assembly(Assembly),
    /// `component NAME { ... }`
    Component(Component),
    /// `procedure NAME { ... }`
    Procedure(Procedure),
    /// `connector NAME { ... }`
    Connector(Box<Connector>),
    /// `composition NAME { ... }`
    Composition(Composition),
    /// `configuration NAME { ... }`
    Configuration(Configuration),
    /// `struct NAME { ... }`
    Struct(Struct),
}

/// An identifier with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The letters of the identifier.
    pub text: String,
    /// Its place in the text.
    pub span: Span,
}

/// One or more names with dots between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The names; never empty.
    pub names: Vec<Name>,
    /// From the first name to the last.
    pub span: Span,
}

impl Reference {
    /// The names with dots between them, as written.
    pub fn text(&self) -> String {
        let names: Vec<&str> = self.names.iter().map(|name| name.text.as_str()).collect();
        names.join(".")
    }
}

/// Something that is either written in place or referred to by name.
#[derive(Debug, Clone, PartialEq)]
pub enum Definition<T> {
    /// Written here, between braces.
    Here(T),
    /// It is declared elsewhere.
    Named(Reference),
}

/// `import "file";`, `import <file>;`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// The name of the file, without quotes or angle brackets.
    pub path: String,
    /// `true` if it stood between angle brackets.
    pub system: bool,
    /// The file that it stands for; `None` if there is none.
    pub file: Option<FileId>,
    /// The whole declaration.
    pub span: Span,
}

/// `include "header.h";` or `include <header.h>;` in a component or procedure: a C header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Include {
    /// The name of the file, without quotes or angle brackets.
    pub path: String,
    /// `true` if it stood between angle brackets.
    pub system: bool,
    /// The whole declaration.
    pub span: Span,
}
