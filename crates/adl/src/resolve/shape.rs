//! A component type with its members sorted by kind.
//!
//! A description with a thousand instances has few types: each type's body is
//! walked once, and all its instances share the result.

use super::codes;
use super::names::Names;
use super::report::Report;
use super::value::{self, Located};
use crate::tree::{
    Attribute, ComponentBody, ComponentMember, Composition, Configuration, Definition, Include,
    Interface, InterfaceKind, InterfaceType, Lock, Name,
};
use fusee_diagnostics::{Diagnostic, Span};
use std::collections::HashMap;
use std::rc::Rc;

/// A component type.
#[derive(Debug)]
pub(super) struct Shape<'t> {
    /// The type's name; empty for one written in place.
    pub(super) name: String,
    pub(super) control: Option<Span>,
    pub(super) hardware: Option<Span>,
    pub(super) interfaces: Vec<Port<'t>>,
    by_name: HashMap<&'t str, usize>,
    pub(super) attributes: HashMap<&'t str, &'t Attribute>,
    /// Declared attributes that have a default, in order, with its value.
    pub(super) defaults: Vec<(&'t str, Rc<Located>)>,
    pub(super) locks: HashMap<&'t str, &'t Lock>,
    pub(super) includes: Vec<&'t Include>,
    pub(super) compositions: Vec<&'t Composition>,
    pub(super) configurations: Vec<&'t Configuration>,
}

/// An interface of a component type.
#[derive(Debug)]
pub(super) struct Port<'t> {
    pub(super) name: &'t Name,
    pub(super) kind: InterfaceKind,
    /// `Buf(4096)` with its size for buffers.
    pub(super) type_name: String,
    /// Bytes, for a buffer.
    pub(super) size: Option<u64>,
    pub(super) type_span: Span,
    pub(super) optional: bool,
    pub(super) span: Span,
}

impl Shape<'_> {
    /// Returns the work that an instance makes: its interfaces, attributes, and methods with the
    /// calls that each may make.
    pub(super) fn weight(&self, names: &Names<'_>) -> usize {
        let of = |kind: InterfaceKind| self.interfaces.iter().filter(move |port| port.kind == kind);
        let methods = of(InterfaceKind::Provides)
            .filter_map(|port| names.procedures.get(&port.type_name))
            .map(|procedure| procedure.methods.len());
        let calls = 1 + of(InterfaceKind::Uses).count();
        let methods: usize = methods.sum();
        methods
            .saturating_mul(calls)
            .saturating_add(1 + self.interfaces.len() + self.attributes.len())
    }
}

/// The size of a `Buf` without a number: one page.
const PAGE: u64 = 4096;

impl<'t> Shape<'t> {
    /// Sorts a component type's members.
    pub(super) fn of(
        name: &str,
        body: &'t ComponentBody,
        names: &Names<'t>,
        report: &mut Report,
    ) -> Self {
        let mut shape = Shape {
            name: name.into(),
            control: None,
            hardware: None,
            interfaces: Vec::new(),
            by_name: HashMap::new(),
            attributes: HashMap::new(),
            defaults: Vec::new(),
            locks: HashMap::new(),
            includes: Vec::new(),
            compositions: Vec::new(),
            configurations: Vec::new(),
        };
        let mut taken: HashMap<&'t str, Span> = HashMap::new();
        for member in &body.members {
            shape.add(member, names, &mut taken, report);
        }
        shape.check_hardware(report);
        shape
    }

    /// Returns the position of an interface.
    pub(super) fn port(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    fn add(
        &mut self,
        member: &'t ComponentMember,
        names: &Names<'t>,
        taken: &mut HashMap<&'t str, Span>,
        report: &mut Report,
    ) {
        match member {
            ComponentMember::Control(span) => self.control = Some(*span),
            ComponentMember::Hardware(span) => self.hardware = Some(*span),
            ComponentMember::Interface(interface) => {
                if is_new(&interface.name, taken, report) {
                    self.by_name.insert(&interface.name.text, self.interfaces.len());
                    self.interfaces.push(Port::of(interface, names, report));
                }
            }
            ComponentMember::Lock(lock) => {
                if is_new(&lock.name, taken, report) {
                    self.locks.insert(&lock.name.text, lock);
                }
            }
            ComponentMember::Attribute(attribute) => {
                if let Some(first) = self.attributes.insert(&attribute.name.text, attribute) {
                    report_twice(&attribute.name, first.name.span, report);
                } else if let Some(default) = &attribute.default {
                    let value = value::evaluate(default, report);
                    super::types::check(&value, attribute, names, report);
                    self.defaults.push((&attribute.name.text, Rc::new(value)));
                }
            }
            ComponentMember::Include(include) => self.includes.push(include),
            ComponentMember::Composition(definition) => {
                self.compositions.extend(named_or_here(definition, &names.compositions, report));
            }
            ComponentMember::Configuration(definition) => {
                self.configurations.extend(named_or_here(
                    definition,
                    &names.configurations,
                    report,
                ));
            }
        }
    }

    fn check_hardware(&self, report: &mut Report) {
        let Some(hardware) = self.hardware else { return };
        if let Some(control) = self.control {
            let message = format!(
                "the component `{}` cannot both be a device and have a control thread",
                self.name
            );
            let error = Diagnostic::error(codes::HARDWARE_COMPONENT, message)
                .at(control, "a control thread");
            report.push(error.because(hardware, "a device"));
        }
        if let Some(lock) = self.locks.values().min_by_key(|lock| lock.span) {
            let message =
                format!("the device `{}` cannot have locks: no code runs in it", self.name);
            let error =
                Diagnostic::error(codes::HARDWARE_COMPONENT, message).at(lock.span, "a lock");
            report.push(error.because(hardware, "a device"));
        }
    }
}

/// Returns the block itself, or the one that is named; an unknown name is reported.
pub(super) fn named_or_here<'t, T>(
    definition: &'t Definition<T>,
    table: &super::names::Table<'t, T>,
    report: &mut Report,
) -> Option<&'t T> {
    match definition {
        Definition::Here(block) => Some(block),
        Definition::Named(reference) => table.find(reference, report),
    }
}

fn is_new<'t>(name: &'t Name, taken: &mut HashMap<&'t str, Span>, report: &mut Report) -> bool {
    let first = taken.insert(&name.text, name.span);
    if let Some(first) = first {
        report_twice(name, first, report);
    }
    first.is_none()
}

fn report_twice(name: &Name, first: Span, report: &mut Report) {
    let message = format!("`{}` is declared twice in one component", name.text);
    let error =
        Diagnostic::error(codes::DUPLICATE_MEMBER, message).at(name.span, "second declaration");
    report.push(error.because(first, "first declaration"));
}

impl<'t> Port<'t> {
    fn of(interface: &'t Interface, names: &Names<'t>, report: &mut Report) -> Self {
        let (type_name, size, type_span) = match &interface.type_ {
            InterfaceType::Named(reference) => {
                if matches!(interface.kind, InterfaceKind::Provides | InterfaceKind::Uses) {
                    names.procedures.find(reference, report);
                }
                (reference.text(), None, reference.span)
            }
            InterfaceType::Buffer { size: None, span } => ("Buf".into(), Some(PAGE), *span),
            InterfaceType::Buffer { size: Some(size), span } => {
                let bytes = buffer_size(&value::evaluate(size, report), report);
                (bytes.map_or("Buf".into(), |n| format!("Buf({n})")), bytes, *span)
            }
        };
        let optional = interface.maybe.is_some();
        Port {
            name: &interface.name,
            kind: interface.kind,
            type_name,
            size,
            type_span,
            optional,
            span: interface.span,
        }
    }
}

fn buffer_size(value: &Located, report: &mut Report) -> Option<u64> {
    if let super::value::Datum::Unknown = value.datum {
        return None;
    }
    let bytes = match value.datum {
        super::value::Datum::Integer(n) => u64::try_from(n).ok().filter(|&n| n > 0),
        _ => None,
    };
    if bytes.is_none() {
        let message = "a buffer's size is a whole number of bytes above 0";
        report.push(Diagnostic::error(codes::WRONG_TYPE, message).at(value.span, ""));
    }
    bytes
}
