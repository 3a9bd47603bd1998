//! What code generation needs to know: signatures, headers, locks, types.
//!
//! Analyses never look here. A method's signature belongs to the procedure type,
//! not to each gate of that type, so it is kept once, in [`Procedure`]: method `k` of
//! a gate is method `k` of the procedure that its interface names. Types are those
//! of CAmkES's interface language; what a C header declares is known by its name only,
//! and its size is the compiler's to say.

use crate::{Component, Interface, Origin, System};

/// A procedure type.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Procedure {
    /// Its name.
    pub name: String,
    /// Its methods in order of declaration.
    pub methods: Vec<Signature>,
    /// C headers that declare its types.
    pub headers: Vec<Header>,
}

/// What a method takes and returns.
#[derive(Debug, Clone, PartialEq)]
pub struct Signature {
    /// The method's name.
    pub name: String,
    /// What it returns; `None`: nothing.
    pub returns: Option<DataType>,
    /// Its parameters in order.
    pub parameters: Vec<Parameter>,
    /// Its declaration.
    pub origin: Origin,
}

/// A parameter of a method.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Which way its value goes.
    pub direction: Direction,
    /// Its type, of one element where it is an array.
    pub type_: DataType,
    /// Whether it is an array, whose length goes with it.
    pub array: bool,
    /// Its declaration.
    pub origin: Origin,
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
    /// To the callee, whose code gets a pointer to it.
    RefIn,
}

impl Direction {
    /// Whether a value goes to the callee.
    pub fn is_in(self) -> bool {
        self != Direction::Out
    }

    /// Whether a value comes back.
    pub fn is_out(self) -> bool {
        matches!(self, Direction::Out | Direction::InOut)
    }
}

/// A data type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DataType {
    /// C's `int`.
    Int,
    /// C's `unsigned int`.
    UnsignedInt,
    /// `int64_t`
    Int64,
    /// `uint64_t`
    UnsignedInt64,
    /// C's `char`.
    Char,
    /// C's `signed char`.
    SignedChar,
    /// C's `unsigned char`.
    UnsignedChar,
    /// Text that ends with a zero byte.
    String,
    /// A struct, in a description ([`System::structs`]) or else in a header.
    Struct(String),
    /// A struct in place.
    Inline(Vec<Field>),
    /// A C type, for example `uint32_t` or one that a header declares.
    Named(String),
}

/// A field of a struct, or a declared attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its type, of one element where it is an array.
    pub type_: DataType,
    /// Whether it is an array.
    pub array: bool,
}

/// A struct that the description declares.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Struct {
    /// Its name.
    pub name: String,
    /// Its fields in order.
    pub fields: Vec<Field>,
}

/// A C header that a description includes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// Its name, without quotes or angle brackets.
    pub path: String,
    /// Whether it stood between angle brackets.
    pub system: bool,
    /// The `include` in the description.
    pub origin: Origin,
}

/// What the code of a component instance is made with.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Code {
    /// C headers that it includes.
    pub headers: Vec<Header>,
    /// Its mutexes and semaphores in order of declaration.
    pub locks: Vec<Lock>,
    /// The types of the attributes that it declares, in order of names.
    pub attributes: Vec<Field>,
}

/// `has mutex m;` and its relatives: a lock among a component's own threads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lock {
    /// Its name.
    pub name: String,
    /// Which of the three.
    pub kind: LockKind,
    /// A semaphore's first value; 1 for a mutex.
    pub initial: u32,
    /// Its declaration.
    pub origin: Origin,
}

/// What a component may lock its own threads with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockKind {
    /// One holder, who inherits from those that wait.
    Mutex,
    /// A count; whoever finds 0 waits.
    Semaphore,
    /// A semaphore that counts to 1.
    BinarySemaphore,
}

impl System {
    /// A procedure type by its name; `None` for generated systems, whose methods take nothing.
    pub fn procedure(&self, name: &str) -> Option<&Procedure> {
        self.procedures.iter().find(|procedure| procedure.name == name)
    }

    /// The procedure type of an interface; `None` if it is no procedure.
    pub fn procedure_of(&self, interface: &Interface) -> Option<&Procedure> {
        use crate::InterfaceKind::{Provides, Uses};
        matches!(interface.kind, Provides(_) | Uses(_)).then(|| self.procedure(&interface.type_name))?
    }

    /// A struct of the description by its name.
    pub fn structure(&self, name: &str) -> Option<&Struct> {
        self.structs.iter().find(|declared| declared.name == name)
    }
}

impl Component {
    /// An interface by its name.
    pub fn interface(&self, name: &str) -> Option<&Interface> {
        self.interfaces.iter().find(|interface| interface.name == name)
    }

    /// The value of an attribute, where it has one.
    pub fn attribute(&self, name: &str) -> Option<&crate::Value> {
        self.attributes.iter().find(|attribute| attribute.name == name).map(|attribute| &attribute.value)
    }
}
