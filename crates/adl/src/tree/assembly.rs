//! Assemblies and types of components, each of which can contain the other.

use super::{Attribute, Definition, Expr, Include, Name, Reference};
use fusee_diagnostics::Span;

/// `assembly NAME { ... }`
#[derive(Debug, Clone, PartialEq)]
pub struct Assembly {
    /// Its name; usually left out.
    pub name: Option<Name>,
    /// In the order in which it was written.
    pub members: Vec<AssemblyMember>,
    /// The whole declaration.
    pub span: Span,
}

/// One declaration in an assembly.
#[derive(Debug, Clone, PartialEq)]
pub enum AssemblyMember {
    /// `composition { ... }` or `composition NAME;`
    Composition(Definition<Composition>),
    /// `configuration { ... }` or `configuration NAME;`
    Configuration(Definition<Configuration>),
    /// A table of time slots: `schedule { [...] }`.
    Schedule(Schedule),
}

/// `composition NAME { ... }`
#[derive(Debug, Clone, PartialEq)]
pub struct Composition {
    /// Its name; usually left out.
    pub name: Option<Name>,
    /// In the order in which it was written.
    pub members: Vec<CompositionMember>,
    /// The whole declaration.
    pub span: Span,
}

/// One declaration in a composition.
#[derive(Debug, Clone, PartialEq)]
pub enum CompositionMember {
    /// `component TYPE NAME;`
    Instance(Instance),
    /// `connection TYPE NAME(from a.b, to c.d);`
    Connection(Connection),
    /// `group NAME { ... }`
    Group(Group),
    /// `export a.b -> c;`
    Export(Export),
}

/// `component TYPE NAME;`
#[derive(Debug, Clone, PartialEq)]
pub struct Instance {
    /// Its type, by name or in place.
    pub component: Definition<ComponentBody>,
    /// The name that the description gives.
    pub name: Name,
    /// The whole declaration.
    pub span: Span,
}

/// `connection TYPE NAME(from a.b, to c.d);`
#[derive(Debug, Clone, PartialEq)]
pub struct Connection {
    /// Its type, by name or in place.
    pub connector: Definition<Box<ConnectorBody>>,
    /// The name that the description gives.
    pub name: Name,
    /// `from` ends in order.
    pub from: Vec<ConnectionEnd>,
    /// `to` ends in order.
    pub to: Vec<ConnectionEnd>,
    /// The whole declaration.
    pub span: Span,
}

/// `from a.b` or `to a.b`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectionEnd {
    /// Instance (with its group, if any) and interface; only the interface in a hierarchical
    /// component.
    pub interface: Reference,
    /// The whole end.
    pub span: Span,
}

/// `group NAME { ... }`: instances that share one protection domain.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// Its name; `None` if it was left out.
    pub name: Option<Name>,
    /// Its instances in order.
    pub instances: Vec<Instance>,
    /// The whole declaration.
    pub span: Span,
}

/// `export a.b -> c;`: an interface of an inner instance becomes one of the component.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    /// The interface inside.
    pub inner: Reference,
    /// Its name outside.
    pub outer: Reference,
    /// The whole declaration.
    pub span: Span,
}

/// `configuration NAME { ... }`
#[derive(Debug, Clone, PartialEq)]
pub struct Configuration {
    /// Its name; usually left out.
    pub name: Option<Name>,
    /// In the order in which they were written.
    pub settings: Vec<Setting>,
    /// The whole declaration.
    pub span: Span,
}

/// `a.b = value;` or `a.b <- c.d;`
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// Instance or connection, and attribute.
    pub target: Reference,
    /// The value as an expression.
    pub value: SettingValue,
    /// The whole declaration.
    pub span: Span,
}

/// The right-hand side of a setting.
#[derive(Debug, Clone, PartialEq)]
pub enum SettingValue {
    /// A single value: `= value`.
    Value(Expr),
    /// `<- a.b["key"]`: the value of another attribute; a reference, or lookups in one.
    Alias(Expr),
}

/// `schedule { [(0, 3), (1, 4)] }`: domains in turn.
#[derive(Debug, Clone, PartialEq)]
pub struct Schedule {
    /// The entries in order.
    pub entries: Vec<ScheduleEntry>,
    /// The whole declaration.
    pub span: Span,
}

/// `(domain, length unit)`
#[derive(Debug, Clone, PartialEq)]
pub struct ScheduleEntry {
    /// The domain's number.
    pub domain: Expr,
    /// The length of the entry.
    pub length: Expr,
    /// The unit of that length; ticks where nothing is written.
    pub unit: TimeUnit,
    /// The whole entry.
    pub span: Span,
}

/// The unit of a schedule's lengths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeUnit {
    /// Ticks of the kernel's timer.
    Ticks,
    /// The unit is microseconds.
    Microseconds,
}

/// `component NAME { ... }`
#[derive(Debug, Clone, PartialEq)]
pub struct Component {
    /// Its name; `None` if it was left out.
    pub name: Option<Name>,
    /// The content between the braces.
    pub body: ComponentBody,
    /// The whole declaration.
    pub span: Span,
}

/// The content between a component type's braces.
#[derive(Debug, Clone, PartialEq)]
pub struct ComponentBody {
    /// In the order in which it was written.
    pub members: Vec<ComponentMember>,
    /// The place of the whole, braces included.
    pub span: Span,
}

/// One declaration in a component type.
#[derive(Debug, Clone, PartialEq)]
pub enum ComponentMember {
    /// The statement `control;`.
    Control(Span),
    /// The statement `hardware;`.
    Hardware(Span),
    /// `provides`, `uses`, `emits`, `consumes`, `dataport`.
    Interface(Interface),
    /// `has mutex NAME;`, ...
    Lock(Lock),
    /// `attribute TYPE NAME = DEFAULT;`
    Attribute(Attribute),
    /// `include "header.h";`
    Include(Include),
    /// `composition { ... }` or `composition NAME;`
    Composition(Definition<Composition>),
    /// `configuration { ... }` or `configuration NAME;`
    Configuration(Definition<Configuration>),
}

/// An interface of a component type.
#[derive(Debug, Clone, PartialEq)]
pub struct Interface {
    /// The kind of interface.
    pub kind: InterfaceKind,
    /// The `maybe` before it: it may be left unconnected.
    pub maybe: Option<Span>,
    /// Procedure, event or dataport type.
    pub type_: InterfaceType,
    /// The name that the description gives.
    pub name: Name,
    /// The whole declaration.
    pub span: Span,
}

/// The five kinds of interfaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InterfaceKind {
    /// A procedure that others invoke.
    Provides,
    /// A procedure that this component invokes.
    Uses,
    /// A source of events.
    Emits,
    /// A sink of events.
    Consumes,
    /// A piece of shared memory.
    Dataport,
}

impl InterfaceKind {
    /// Returns the keyword of the kind.
    pub fn keyword(self) -> &'static str {
        match self {
            InterfaceKind::Provides => "provides",
            InterfaceKind::Uses => "uses",
            InterfaceKind::Emits => "emits",
            InterfaceKind::Consumes => "consumes",
            InterfaceKind::Dataport => "dataport",
        }
    }
}

/// The type of an interface.
#[derive(Debug, Clone, PartialEq)]
pub enum InterfaceType {
    /// A procedure's, event's or dataport type's name.
    Named(Reference),
    /// `Buf` or `Buf(size)`: plain memory.
    Buffer {
        /// The size in bytes; `None`: one page.
        size: Option<Expr>,
        /// The whole type.
        span: Span,
    },
}

/// `has mutex NAME;`, `has semaphore NAME;`, `has binary_semaphore NAME;`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lock {
    /// The kind of lock.
    pub kind: LockKind,
    /// The name that the description gives.
    pub name: Name,
    /// The whole declaration.
    pub span: Span,
}

/// A kind of lock with which a component may lock its own threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockKind {
    /// A lock of the kind `mutex`.
    Mutex,
    /// A lock of the kind `semaphore`.
    Semaphore,
    /// A lock of the kind `binary_semaphore`.
    BinarySemaphore,
}

/// `connector NAME { ... }`
#[derive(Debug, Clone, PartialEq)]
pub struct Connector {
    /// Its name; `None` if it was left out.
    pub name: Option<Name>,
    /// The content between the braces.
    pub body: ConnectorBody,
    /// The whole declaration.
    pub span: Span,
}

/// The content between a connector type's braces.
#[derive(Debug, Clone, PartialEq)]
pub struct ConnectorBody {
    /// The end of the statement `from ...;`.
    pub from: Option<ConnectorEnd>,
    /// The end of the statement `to ...;`.
    pub to: Option<ConnectorEnd>,
    /// The attributes of statements `attribute ...;`.
    pub attributes: Vec<Attribute>,
    /// The place of the whole, braces included.
    pub span: Span,
}

/// `from Procedures with 0 threads;`
#[derive(Debug, Clone, PartialEq)]
pub struct ConnectorEnd {
    /// The `hardware` before the kind: this end is a device.
    pub hardware: Option<Span>,
    /// The sort of interface that may be connected.
    pub sort: InterfaceSort,
    /// `true` if several may be connected: `Procedures` rather than `Procedure`.
    pub many: bool,
    /// `with n threads`; `None`: one for each connection, as CAmkES has it.
    pub threads: Option<Expr>,
    /// The file that its code is made from, in old descriptions.
    pub template: Option<String>,
    /// The whole declaration.
    pub span: Span,
}

/// The sort of interface that an end of a connector joins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InterfaceSort {
    /// An end for procedures: `Procedure` or `Procedures`.
    Procedure,
    /// An end for events: `Event` or `Events`.
    Event,
    /// An end for dataports: `Dataport` or `Dataports`.
    Dataport,
}
